/** The sites for next as `next build` makes them. `NEXT_FOLDER` has the packages of the sites, which are too large for this project. It is an absolute path without
 *  a folder `node_modules` in it, because next compiles no file below such a folder. @module */
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CLIENT, packClient } from '../cli/client-package.ts'
import { PROJECT } from '../project.ts'

const FOLDER = process.env.NEXT_FOLDER ?? ''
const NEXT = join(FOLDER, 'node_modules/next/dist/bin/next')
export type NextProgram = 'next' | 'ask/next'

/** For `isMissing`. */
export const hasNext = FOLDER !== '' && existsSync(NEXT)

export function startNext(port: number): readonly [string, ...string[]] {
  return [process.execPath, NEXT, 'start', '--hostname', '127.0.0.1', '--port', String(port)]
}

const built = new Map<NextProgram, Promise<string>>()

/** The folder is made once. It is removed when the process ends. */
export function builtSite(program: NextProgram): Promise<string> {
  const folder = built.get(program) ?? buildSite(program)
  built.set(program, folder)
  return folder
}

/** The folder is below `NEXT_FOLDER`, so that next finds the packages there. It does not follow a symbolic link to them. */
async function buildSite(program: NextProgram): Promise<string> {
  const folder = mkdtempSync(join(FOLDER, 'site-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(PROJECT, 'examples/next'), folder, { recursive: true })
  if (program === 'ask/next') {
    for (const path of ['app/sessions.js', 'app/api']) rmSync(join(folder, path), { recursive: true })
    cpSync(join(PROJECT, 'examples/ask/next'), folder, { recursive: true })
    const client = join(folder, 'node_modules', CLIENT)
    mkdirSync(client, { recursive: true })
    execFileSync('tar', ['-xzf', packClient(), '-C', client, '--strip-components=1'])
  }
  for (const name of ['@privacybydesign/yivi-frontend', 'jose'])
    cpSync(join(PROJECT, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true })
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  await promisify(execFile)(process.execPath, [NEXT, 'build'], { cwd: folder, env })
  return folder
}
