/** If a call with a PIN arrives twice, both arrivals get the outcome of the first. @module */
import * as assert from 'uvu/assert'
import { type PinAttempt, tryPin } from '../../../actors/accounts/try-pin.ts'
import { MissingChallengeError } from '../../../protocol/errors.ts'
import { suite } from '../../suite.ts'
import { acceptsChange, afterFirstCommit } from './attempts.ts'
import { ID, PIN, withAccount } from './nodes.ts'

/** A change of PIN.
 *  @param isRepeated true if an earlier arrival of the call committed the row with this version */
function change(isRepeated: (version: number) => boolean): PinAttempt {
  return {
    pin: PIN,
    isLogged: false,
    reserves: () => ({ type: 'app.sentPin', isSignedByDevice: true }),
    refused: () => new MissingChallengeError('refused'),
    isRepeated: ({ row }) => isRepeated(row.version),
    accepts: acceptsChange,
  }
}

const Repeated = suite('keyshare logins: a repeated call')

for (const isSameCall of [true, false])
  Repeated(
    `while one arrival is compared, ${isSameCall ? 'the same call' : 'another call'} is accepted: ${isSameCall ? 'accepted' : '409'}`,
    async () => {
      await withAccount(async ({ nodes, node, store, clock, row }) => {
        const other = change(() => false)
        const slow = node({
          store: afterFirstCommit(store, () => tryPin({ accounts: nodes[1], clock }, ID, other)),
        })
        const attempt = change(version => isSameCall && version > 2)
        const outcome = await tryPin({ accounts: slow, clock }, ID, attempt).catch(error => error)
        if (isSameCall) assert.ok(outcome.isRight)
        else assert.instance(outcome, MissingChallengeError)
        assert.is((await row()).attempts, 0)
      })
    },
  )

Repeated('a call that was accepted is accepted again, and the second call stores nothing', async () => {
  await withAccount(async ({ nodes: [accounts], clock, row }) => {
    const before = await row()
    const outcome = await tryPin(
      { accounts, clock },
      ID,
      change(() => true),
    )
    assert.ok(outcome.isRight)
    assert.equal(await row(), before)
  })
})

Repeated.run()
