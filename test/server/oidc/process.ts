/** `svc oidc` as a separate process. @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Running, startSvc } from '../../cli/run-svc.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { neededOptions } from './node.ts'

/** @param options in place of `neededOptions`
 *  @returns the process, as soon as it listens on the port at 127.0.0.1 */
export async function startOidc(port: number, options: Readonly<Record<string, unknown>>): Promise<Running> {
  const config = join(temporaryFolder(), 'oidc.json')
  const settings = { ...neededOptions(), ...options, port, listen_addr: '127.0.0.1' }
  writeFileSync(config, JSON.stringify(settings), { mode: 0o600 })
  const running = startSvc(['oidc', '--config', config])
  await running.says('svc oidc running')
  return running
}
