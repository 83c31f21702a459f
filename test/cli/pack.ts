/** The result of `npm pack`, unpacked. @module */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export type Packed = {
  /** the packed file */
  readonly file: string
  /** the folder into which it is unpacked */
  readonly folder: string
}

/** @param folder in which the content is unpacked; the default is a temporary one */
export function pack(folder = join(temporaryFolder(), 'unpacked')): Packed {
  const where = temporaryFolder()
  execFileSync(process.execPath, ['tools/prepack.js'], { cwd: PROJECT, stdio: 'pipe' })
  const npm = ['pack', '--ignore-scripts', '--silent', '--pack-destination', where]
  execFileSync('npm', npm, { cwd: PROJECT, stdio: 'pipe' })
  const [name = ''] = readdirSync(where)
  const file = join(where, name)
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xzf', file, '-C', folder, '--strip-components=1'])
  return { file, folder }
}
