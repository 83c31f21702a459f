/** The calls of a user who has logged in for commitments and responses, for tests. @module */
import { openRandomizer } from '../../../accounts/records.ts'
import { parseIssuerId } from '../../../protocol/ids.ts'
import type { Answer } from '../client.ts'
import { type App, headersOf, registered, rowOf } from './app.ts'
import { type KeyshareOfTest, STORAGE_KEYS, withKeyshare } from './harness.ts'

export const [LONG, SHORT, OTHER] = ['svc-demo.gov-0', 'svc-demo.uni-0', 'svc-demo.uni-1']
export const MISSING = '409 MISSING_COMMITMENT missing previous call to getCommitments'

export type Logged = { readonly app: App; readonly headers: Readonly<Record<string, string>> }

export async function withUser(use: (server: KeyshareOfTest, user: Logged) => Promise<void>): Promise<void> {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    await use(server, { app, headers: await headersOf(server, app) })
  })
}

export function committed({ call }: KeyshareOfTest, { headers }: Logged, body: unknown): Promise<Answer> {
  return call('POST', '/prove/getCommitments', { headers, body })
}

export function responded({ call }: KeyshareOfTest, { headers }: Logged, body = '5'): Promise<Answer> {
  return call('POST', '/prove/getResponse', { headers, body })
}

export function keyOf({ deps }: KeyshareOfTest, name: string) {
  const at = name.lastIndexOf('-')
  const key = deps.issuerKeys.publicKey(parseIssuerId(name.slice(0, at)), Number(name.slice(at + 1)))
  if (key === undefined) throw new Error(`no key ${name}`)
  return { n: key.n, R0: key.R[0] ?? 0n }
}

/** w_k of the pending commitment, as stored. */
export async function pendingOf(server: KeyshareOfTest, { app }: Logged): Promise<bigint> {
  const { commitment, userName } = await rowOf(server, app.userName)
  if (commitment === null) throw new Error('no commitment')
  return openRandomizer(commitment.sealedRandomizer, userName, STORAGE_KEYS)
}
