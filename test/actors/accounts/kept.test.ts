/** The parts of an account row that a login step keeps, and those that it replaces: a commitment that is requested again, an account that was due to be deleted,
 *  and outcomes of more attempts than a row stores (spec/interface#4.5; spec/decisions#lifetimes, #k13). @module */
import * as assert from 'uvu/assert'
import type { LoginEvent, ProofVersion } from '../../../machines/login-events.ts'
import type { AccountRow, StoredCommitment } from '../../../stores/account-store.ts'
import { suite } from '../../suite.ts'
import { type AccountNodes, bytesOf, enter, withAccount } from './nodes.ts'

const Kept = suite('keyshare logins: what is kept and what is replaced')

const COMMITMENT_MS = 20_000
const VERSIONS: readonly ProofVersion[] = ['v1', 'v2']
const DAY_MS = 86_400_000

function requests(version: ProofVersion): LoginEvent {
  return { type: 'app.requestedCommitments', version }
}

function commitmentOf(text: string): StoredCommitment {
  return { lastKey: 'svc-demo.gov-0', hashedComms: null, sealedRandomizer: bytesOf(text) }
}

for (const first of VERSIONS)
  for (const second of VERSIONS)
    Kept(
      `commitments of ${second} replace those of ${first}, last their whole time, and are the ones that are answered`,
      async () => {
        await withAccount(async ({ nodes: [node], clock, row }) => {
          await enter(node, requests(first), { commitment: commitmentOf('first') })
          clock.advance(COMMITMENT_MS - 1)
          await enter(node, requests(second), { commitment: commitmentOf('second') })
          assert.equal(
            [(await row()).commitment, (await row()).dueAt],
            [commitmentOf('second'), clock.now() + COMMITMENT_MS],
          )
          const { before, isRefused } = await enter(node, { type: 'app.requestedResponse', version: second })
          assert.equal([before.commitment, isRefused], [commitmentOf('second'), false])
        })
      },
    )

/** Makes an attempt and enters its outcome. @returns the row after it */
async function tried(
  { nodes: [node] }: AccountNodes,
  outcome: 'server.acceptedPin' | 'server.refusedPin',
): Promise<AccountRow | null> {
  const reserved = await enter(node, { type: 'app.sentPin', isSignedByDevice: true })
  const attempt = reserved.after?.version ?? 0
  const triesLeft = Math.max(0, 3 - (reserved.after?.attempts ?? 0))
  const refused = { triesLeft, waitSec: 60 }
  const event: LoginEvent =
    outcome === 'server.refusedPin' ? { type: outcome, attempt, triesLeft } : { type: outcome, attempt }
  return (await enter(node, event, { refused })).after
}

for (const version of VERSIONS)
  Kept(`a response of ${version} keeps an account that was to be deleted`, async () => {
    await withAccount(async ({ nodes: [node], clock, row }) => {
      await enter(node, { type: 'owner.visited' })
      await enter(node, { type: 'server.warned', deleteAt: clock.now() + DAY_MS })
      await enter(node, requests(version), { commitment: commitmentOf('only') })
      assert.is(
        (await row()).deleteAt,
        clock.now() + DAY_MS,
        'a request for commitments is no use of the account',
      )
      await enter(node, { type: 'app.requestedResponse', version })
      assert.is((await row()).deleteAt, null)
    })
  })

for (const wrongBefore of [0, 3])
  Kept(`a right PIN keeps an account that was to be deleted, after ${wrongBefore} wrong ones`, async () => {
    await withAccount(async nodes => {
      const { clock } = nodes
      for (let i = 0; i < wrongBefore; i++) await tried(nodes, 'server.refusedPin')
      clock.advance(60_000)
      await enter(nodes.nodes[0], { type: 'owner.visited' })
      await enter(nodes.nodes[0], { type: 'server.warned', deleteAt: clock.now() + DAY_MS })
      assert.is((await tried(nodes, 'server.acceptedPin'))?.deleteAt, null)
    })
  })

Kept(
  'a row remembers the last eight attempts without an outcome; the outcome of an older attempt is refused',
  async () => {
    await withAccount(async ({ nodes: [node], clock }) => {
      const attempts: number[] = []
      for (let i = 0; i < 9; i++) {
        clock.advance(2 * DAY_MS) // longer than any block
        const { after } = await enter(node, { type: 'app.sentPin', isSignedByDevice: true })
        attempts.push(after?.version ?? 0)
      }
      const isRefused = async (attempt = 0) =>
        (await enter(node, { type: 'server.acceptedPin', attempt })).isRefused
      assert.equal([await isRefused(attempts[0]), await isRefused(attempts[1])], [true, false])
    })
  },
)

Kept.run()
