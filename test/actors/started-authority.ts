/** An authority that runs on a store, for tests. @module */
import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { createRevocation, type RevocationDeps } from '../../actors/revocation/create-revocation.ts'
import type { Revocation } from '../../actors/revocation/revocation.ts'
import { createProofPool } from '../../actors/workers/proof-pool.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { issuerOf } from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { Store } from '../../stores/store.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { AUTHORITY, BADGE, NOW_SEC, there } from './authority.ts'

export const arithmetic = chooseArithmetic('auto')
export const schemes = await loadSchemes(DEMO_SCHEMES)
const nothing = async (): Promise<never> => {
  throw new Error('an authority makes no calls')
}

/** Returns a function that starts authorities of the demo schemes, and their pool. The test file must close the pool. */
export function authorities() {
  const pool = createProofPool({ arithmetic: 'auto', threads: 1 })
  const startAuthority = async (
    store: Store = createMemoryStore(),
    changes: Partial<RevocationDeps> = {},
  ) => {
    const clock = createSimulatedClock(NOW_SEC * 1_000)
    const reports: unknown[] = []
    const revocation = await createRevocation({
      store,
      schemes,
      clock,
      pool,
      random: { bytes: randomBytes },
      outgoing: { getBytes: nothing, postBytes: nothing },
      listenTo: async function* () {},
      settings: new Map([[BADGE, AUTHORITY]]),
      report: (_, error) => reports.push(error),
      worked: () => {},
      ...changes,
    })
    return { revocation, clock, store, reports }
  }
  return { pool, startAuthority }
}

export function keyOf(type = BADGE): IssuerPublicKey {
  return there(schemes.publicKey(issuerOf(type), 0))
}

export async function latest(revocation: Revocation): Promise<RevocationUpdate> {
  return there((await revocation.updates(BADGE, 0)).get(0))
}

export async function refused(kind: new () => Error, message: RegExp, work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.instance(error, kind)
  assert.match(error instanceof Error ? error.message : '', message)
}
