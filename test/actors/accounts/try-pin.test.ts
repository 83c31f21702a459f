/** PIN attempts, from the commit that counts them to their outcome (spec/keyshare-server#6.3 and #9, spec/decisions#k11, #k13). @module */
import * as assert from 'uvu/assert'
import type { Accounts } from '../../../actors/accounts/accounts.ts'
import { type PinAttempt, type PinOutcome, tryPin } from '../../../actors/accounts/try-pin.ts'
import {
  MissingChallengeError,
  UnexpectedRequestError,
  UserNotRegisteredError,
} from '../../../protocol/errors.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { suite } from '../../suite.ts'
import { acceptsChange, afterFirstCommit } from './attempts.ts'
import { type AccountNodes, bytesOf, enter, ID, PIN, withAccount } from './nodes.ts'

const TryPin = suite('keyshare logins: attempts at a PIN')

const REFUSED = new MissingChallengeError('refused')

/** A login with a right answer to its challenge. */
function login(pin: string, changes: Partial<PinAttempt> = {}): PinAttempt {
  return {
    pin,
    isLogged: true,
    reserves: () => ({ type: 'app.answered', isRightChallenge: true }),
    refused: () => REFUSED,
    accepts: attempt => ({ event: { type: 'server.acceptedPin', attempt } }),
    ...changes,
  }
}

/** An attempt that needs no challenge. */
function other(pin: string, changes: Partial<PinAttempt> = {}): PinAttempt {
  return login(pin, { reserves: () => ({ type: 'app.sentPin', isSignedByDevice: true }), ...changes })
}

async function loggedIn(
  { clock }: AccountNodes,
  accounts: Accounts,
  attempt: PinAttempt,
): Promise<PinOutcome> {
  await enter(accounts, { type: 'app.startedLogin' }, { challenge: bytesOf('c') })
  return tryPin({ accounts, clock }, ID, attempt)
}

/** The outcome in short form. */
function shown(outcome: PinOutcome): unknown {
  if (outcome.isRight) return 'right'
  const { refusal } = outcome
  return refusal.status === 'failure' ? `failure ${refusal.triesLeft}` : `error ${refusal.waitSec}`
}

async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'nothing',
    (error: unknown) => error,
  )
}

TryPin('wrong PINs one after the other: 2, 1, 60 s, 120 s, 240 s; in the activity log, too', async () => {
  await withAccount(async account => {
    const { nodes, clock, log } = account
    const said: unknown[] = []
    for (const waitMs of [0, 0, 60_000, 120_000, 240_000]) {
      said.push(shown(await loggedIn(account, nodes[0], login('wrong'))))
      clock.advance(waitMs)
    }
    assert.equal(said, ['failure 2', 'failure 1', 'error 60', 'error 120', 'error 240'])
    const failed = (param: number) => ['PIN_CHECK_FAILED', param]
    const blocked = (param: number) => [failed(0), ['PIN_CHECK_BLOCKED', param]]
    assert.equal(
      (await log()).map(({ event, param }) => [event, param]),
      [failed(2), failed(1), ...blocked(60), ...blocked(120), ...blocked(240)],
    )
  })
})

TryPin(
  'a right PIN is not compared while the account is blocked: the answer is the remaining time, the challenge stays',
  async () => {
    await withAccount(async account => {
      const { nodes, clock, log, row } = account
      for (let i = 0; i < 3; i++) await loggedIn(account, nodes[0], login('wrong'))
      clock.advance(18_500)
      const before = (await log()).length
      assert.is(shown(await loggedIn(account, nodes[1], login(PIN))), 'error 42')
      const { attempts, challenge } = await row()
      assert.equal([attempts, challenge], [3, bytesOf('c')])
      assert.equal(
        (await log()).slice(before).map(({ event }) => event),
        ['PIN_CHECK_REFUSED'],
      )
      clock.advance(41_499)
      assert.is(shown(await tryPin({ accounts: nodes[0], clock }, ID, login(PIN))), 'error 1')
      clock.advance(1)
      assert.is(shown(await tryPin({ accounts: nodes[0], clock }, ID, login(PIN))), 'right')
    })
  },
)

TryPin('a right PIN sets the counter back, is in the activity log, and counts as a use', async () => {
  await withAccount(async account => {
    const { nodes, clock, row, log } = account
    await loggedIn(account, nodes[0], login('wrong'))
    clock.advance(5_000)
    const outcome = await loggedIn(account, nodes[1], login(PIN))
    const { attempts, seenAt } = await row()
    assert.equal([shown(outcome), attempts, seenAt], ['right', 0, clock.now()])
    assert.equal(outcome.isRight && outcome.secrets, nodes[0].secretsOf(await row()))
    assert.is((await log()).at(-1)?.event, 'PIN_CHECK_SUCCESS')
    assert.is(shown(await loggedIn(account, nodes[0], login('wrong'))), 'failure 2')
  })
})

TryPin('a wrong answer uses up the challenge, and does not count as an attempt', async () => {
  await withAccount(async account => {
    const { nodes, clock, row, log } = account
    const wrong = login(PIN, { reserves: () => ({ type: 'app.answered', isRightChallenge: false }) })
    const error = await thrownBy(loggedIn(account, nodes[0], wrong))
    assert.ok(error instanceof UnexpectedRequestError)
    assert.match(error.message, /^wrong challenge/)
    const { attempts, challenge } = await row()
    assert.equal([attempts, challenge, await log()], [0, null, []])
    assert.is(await thrownBy(tryPin({ accounts: nodes[1], clock }, ID, login(PIN))), REFUSED)
  })
})

TryPin(
  'an attempt that the chart refuses fails with the error of the caller, and is not counted',
  async () => {
    await withAccount(async ({ nodes, clock, row }) => {
      const before = await row()
      for (const pin of [PIN, 'wrong'])
        assert.is(await thrownBy(tryPin({ accounts: nodes[0], clock }, ID, login(pin))), REFUSED)
      assert.equal(await row(), before)
    })
  },
)

TryPin('an attempt that is refused inside the turn is not counted', async () => {
  await withAccount(async ({ nodes, clock, row }) => {
    const before = await row()
    const refused = new UnexpectedRequestError('another device')
    const reserves = () => {
      throw refused
    }
    assert.is(await thrownBy(tryPin({ accounts: nodes[0], clock }, ID, other(PIN, { reserves }))), refused)
    assert.equal(await row(), before)
  })
})

TryPin('a wrong PIN that is not logged leaves the activity log as it is, and is counted', async () => {
  await withAccount(async ({ nodes, clock, row, log }) => {
    for (const said of ['failure 2', 'failure 1', 'error 60', 'error 60'])
      assert.is(
        shown(await tryPin({ accounts: nodes[0], clock }, ID, other('wrong', { isLogged: false }))),
        said,
      )
    assert.equal(
      (await log()).map(({ event }) => event),
      ['PIN_CHECK_REFUSED'],
    )
    assert.is((await row()).attempts, 3)
  })
})

TryPin('an attempt stays counted if its process dies before the outcome', async () => {
  await withAccount(async account => {
    const { nodes, node, store, clock, row } = account
    let commits = 0
    const dying = node({
      store: {
        ...store,
        commit: commit => (++commits === 2 ? Promise.reject(new StoreError('gone')) : store.commit(commit)),
      },
    })
    assert.ok((await thrownBy(tryPin({ accounts: dying, clock }, ID, other(PIN)))) instanceof StoreError)
    assert.is((await row()).attempts, 1)
    assert.is(shown(await tryPin({ accounts: nodes[1], clock }, ID, other('wrong'))), 'failure 1')
  })
})

TryPin(
  'no PIN is compared before its attempt is stored: a failing store reveals nothing about the PIN',
  async () => {
    await withAccount(async ({ node, store, clock, row }) => {
      const failing = node({ store: { ...store, commit: () => Promise.reject(new StoreError('gone')) } })
      for (const pin of [PIN, 'wrong'])
        assert.ok(
          (await thrownBy(tryPin({ accounts: failing, clock }, ID, other(pin)))) instanceof StoreError,
        )
      assert.is((await row()).attempts, 0)
    })
  },
)

TryPin('an attempt gets 409 if the PIN was changed meanwhile, for a right and for a wrong PIN', async () => {
  for (const [pin, isLogged] of [
    [PIN, true],
    ['wrong', true],
    ['wrong', false],
    ['new', false], // the PIN that the change sets
  ] as const)
    await withAccount(async ({ nodes, node, store, clock, row }) => {
      // the PIN changes after the attempt is counted, and before its PIN is compared
      const slow = node({ store: afterFirstCommit(store, () => changePin(nodes[1], clock)) })
      const error = await thrownBy(tryPin({ accounts: slow, clock }, ID, other(pin, { isLogged })))
      assert.ok(error instanceof MissingChallengeError, `${pin}: ${error}`)
      assert.is((await row()).attempts, 0, 'the right PIN of the change has set the counter back')
    })
})

TryPin('an account that is deleted while its PIN is compared is 409', async () => {
  for (const isLogged of [true, false])
    await withAccount(async ({ nodes: [accounts], clock }) => {
      let turns = 0
      const deleted: Pick<Accounts, 'turn' | 'secretsOf'> = {
        secretsOf: row => accounts.secretsOf(row),
        turn: async (id, decide) => (++turns === 1 ? accounts.turn(id, decide) : null),
      }
      const deps = { accounts: { ...accounts, ...deleted }, clock }
      const error = await thrownBy(tryPin(deps, ID, other('wrong', { isLogged })))
      assert.ok(error instanceof MissingChallengeError, String(error))
    })
})

function changePin(accounts: Accounts, clock: AccountNodes['clock']): Promise<PinOutcome> {
  return tryPin({ accounts, clock }, ID, other(PIN, { accepts: acceptsChange }))
}

TryPin('the secrets after a change are those of the new record', async () => {
  await withAccount(async ({ nodes, clock, row }) => {
    const outcome = await changePin(nodes[0], clock)
    assert.equal(outcome.isRight && outcome.secrets, nodes[1].secretsOf(await row()))
    assert.is(shown(await tryPin({ accounts: nodes[0], clock }, ID, other(PIN))), 'failure 2')
    assert.is(shown(await tryPin({ accounts: nodes[0], clock }, ID, other('new'))), 'right')
  })
})

TryPin('32 wrong PINs at once on two nodes, of all kinds: three get a verdict', async () => {
  await withAccount(async account => {
    const { nodes, clock, row, failures } = account
    await enter(nodes[0], { type: 'app.startedLogin' }, { challenge: bytesOf('c') })
    const kinds = [login('wrong'), other('wrong', { isLogged: false })]
    const tries = Array.from({ length: 8 }, () =>
      nodes.flatMap(accounts => kinds.map(kind => tryPin({ accounts, clock }, ID, kind))),
    ).flat()
    const outcomes = await Promise.all(tries.map(each => each.then(shown, error => error)))
    const said = (text: string) => outcomes.filter(each => each === text).length
    assert.equal([said('failure 2'), said('failure 1')], [1, 1])
    assert.ok(outcomes.every(each => each === REFUSED || String(each).match(/^(failure|error)/)))
    assert.equal([(await row()).attempts, failures], [3, []])
  })
})

TryPin('no PIN can be tried for an account that is disabled or does not exist', async () => {
  await withAccount(async ({ nodes, clock }) => {
    await enter(nodes[0], { type: 'owner.disabled', deleteAt: 5_000 })
    const reserves: PinAttempt['reserves'] = ({ secrets }) => {
      secrets()
      return { type: 'app.sentPin', isSignedByDevice: true }
    }
    for (const id of [ID, 'nobody'])
      assert.ok(
        (await thrownBy(tryPin({ accounts: nodes[0], clock }, id, other(PIN, { reserves })))) instanceof
          UserNotRegisteredError,
      )
  })
})

TryPin.run()
