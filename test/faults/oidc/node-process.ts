/** A process that is a node of an OpenID provider. It uses the codes that its parent names, until it is killed. @module */
import { openKeyRing } from '../../../actors/oidc/key-ring.ts'
import { startOidcTasks } from '../../../actors/oidc/oidc-tasks.ts'
import { AlreadyConsumedError } from '../../../actors/oidc/records.ts'
import { createSystemClock } from '../../../ports/clock.ts'
import { openStore } from '../../../stores/open.ts'
import { createSharedClock } from '../../../stores/time/shared-clock.ts'
import { recordsOn, SEALING } from '../../actors/oidc/nodes.ts'

/** The message of the process at its start, and after each use of a code. */
export type Answer = {
  /** null: the process is ready */
  readonly code: string | null
  readonly outcome: 'consumed' | 'refused' | 'unknown'
  /** ids of the signing keys: the current one, then the next one */
  readonly kids: readonly string[]
}

const [, , address = '', bootId = ''] = process.argv
const store = await openStore(address, bootId)
const clock = createSharedClock(createSystemClock(), store.nodes)
const records = recordsOn(store, clock)
const times = { signsMs: 1_000, publishedMs: 100, tokenMs: 5_000 } // many rotations in a short run
const keyRing = await openKeyRing({ ...SEALING, store, clock, algorithms: ['ES256'], times })
startOidcTasks({ records, keyRing, countTimeouts: async () => {}, clock, report: () => {} })
const codes = records.adapterFor('AuthorizationCode')

function answer(code: string | null, outcome: Answer['outcome']): void {
  const kids = keyRing.signingKeys().map(({ kid }) => kid)
  process.send?.({ code, outcome, kids } satisfies Answer)
}

process.on('message', async code => {
  try {
    await codes.consume(String(code))
    answer(String(code), 'consumed')
  } catch (error) {
    answer(String(code), error instanceof AlreadyConsumedError ? 'refused' : 'unknown')
  }
})
answer(null, 'unknown')
