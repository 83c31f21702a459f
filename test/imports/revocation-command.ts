/** `svc issuer import-revocation` from the recorded database of an authority. @module */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { runSvc } from '../cli/run-svc.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export const DUMP = 'revocation-database.sql'

export const newStore = (): string => `sqlite:${join(temporaryFolder(), 'sessions.sqlite')}`

export function importFrom(from: string, store: string, ...words: readonly string[]) {
  const target = ['--store', store, '--schemes-path', DEMO_SCHEMES]
  return runSvc(['issuer', 'import-revocation', '--from', from, ...target, ...words])
}

export async function imported(from: string, store: string, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await importFrom(from, store, ...words)
  assert.is(code, 0, stderr)
  return stdout
}

export const EXPECTED =
  'svc-demo.fast.badge, key 0: 4 events, 6 issuance records, 3 of them revoked, 0 known before\n' +
  'svc-demo.gov.permit, key 0: 3 events, 3 issuance records, 2 of them revoked, 0 known before\n'
