/** A server with revocation, over real HTTP, as an authority or a follower of another server. The clock moves only in tests. @module */
import type { Revocation, RevocationSettings } from '../../actors/revocation/revocation.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import type { CredentialTypeId } from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { createNode } from '../../server/create-node.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { Store } from '../../stores/store.ts'
import { AUTHORITY, BADGE, NOW_SEC } from '../actors/authority.ts'
import { sharedPool } from '../actors/shared-pool.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { FAILURES, type SettingsOfTest, settingsOfTest } from '../server/node-of-test.ts'

export const schemes = await loadSchemes(DEMO_SCHEMES)

export type RevocationServer = {
  readonly revocation: Revocation
  readonly store: Store
  readonly clock: SimulatedClock
  /** address of the revocation endpoints, without a slash at the end */
  readonly url: string
  readonly reports: unknown[]
  get(path: string): Promise<Reply>
  post(path: string, body: string | Uint8Array, headers?: Readonly<Record<string, string>>): Promise<Reply>
  close(): Promise<void>
}

export type Reply = {
  readonly status: number
  readonly type: string | null
  readonly cache: string | null
  readonly bytes: Uint8Array
}

type Parts = {
  readonly settings?: Iterable<readonly [CredentialTypeId, RevocationSettings]>
  readonly options?: SettingsOfTest
  readonly store?: Store
  readonly clock?: SimulatedClock
}

export async function startRevocationServer(parts: Parts = {}): Promise<RevocationServer> {
  const { clock = createSimulatedClock(NOW_SEC * 1_000), options = {} } = parts
  const store = parts.store ?? createMemoryStore()
  const reports: unknown[] = []
  const revocation = new Map(parts.settings ?? [[BADGE, AUTHORITY]])
  const settings = settingsOfTest({ url: 'http://127.0.0.1', ...options, revocation }, schemes)
  const node = await createNode(settings, {
    clock,
    random: systemRandomness,
    fetch,
    log: {
      ...FAILURES,
      warn: (_: unknown, what = '') => what.includes('revocation') && reports.push(what),
      info: (_: unknown, what = '') => what.includes('revocation') && reports.push(what),
    },
    instead: { pool: sharedPool(), store },
  })
  const { port } = await node.server.listen(0, '127.0.0.1')
  const ask = async (path: string, init?: RequestInit): Promise<Reply> =>
    replyOf(await fetch(`http://127.0.0.1:${port}${path}`, init))
  return {
    revocation: node.revocation,
    store,
    clock,
    reports,
    url: `http://127.0.0.1:${port}${settings.profile.prefix}`,
    get: path => ask(path),
    post: (path, body, headers = {}) => ask(path, { method: 'POST', body, headers }),
    async close() {
      const closed = node.close()
      clock.advance(settings.limits.stopMs)
      await closed
    },
  }
}

async function replyOf(response: Response): Promise<Reply> {
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    cache: response.headers.get('cache-control'),
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}
