/** The package `attribute-session-client`, installed in a folder as npm would install it. @module */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export const CLIENT = 'attribute-session-client'

/** @returns the packed file */
export function packClient(): string {
  const where = temporaryFolder()
  const folder = join(where, 'content')
  execFileSync(process.execPath, ['tools/client-package.js', folder], { cwd: PROJECT, stdio: 'pipe' })
  const npm = ['pack', folder, '--silent', '--pack-destination', where]
  const name = execFileSync('npm', npm, { cwd: PROJECT, encoding: 'utf8' }).trim()
  return join(where, name)
}

/** Installs the package. The packages of this project take the place of downloaded ones.
 *  @param others the packages besides it: those that it needs, or all of this project */
export function installClient(folder: string, others: 'needed' | 'all', file = packClient()): void {
  const modules = join(folder, 'node_modules')
  const own = join(modules, CLIENT)
  mkdirSync(own, { recursive: true })
  execFileSync('tar', ['-xzf', file, '-C', own, '--strip-components=1'])
  const names = others === 'all' ? readdirSync(join(PROJECT, 'node_modules')) : ['jose']
  for (const name of names) symlinkSync(join(PROJECT, 'node_modules', name), join(modules, name))
}
