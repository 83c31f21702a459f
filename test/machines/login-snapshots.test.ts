/** Stored keyshare logins, including those of every earlier chart (test/vectors/login-snapshots, kept for good). @module */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { initialTransition } from 'xstate'
import { LOGIN_CHART, LOGIN_EFFECTS, loginChart } from '../../machines/keyshare-login.ts'
import {
  hasChallenge,
  loginDue,
  loginStateOf,
  newLogin,
  pendingCommitment,
  type StoredLogin,
  storeLogin,
  wakeLogin,
} from '../../machines/login-snapshot.ts'
import { LOGIN_STATES } from '../paths/tables/login.ts'
import { PROJECT, readVector } from '../project.ts'
import { suite } from '../suite.ts'

type Vectors = {
  readonly chart: number
  readonly logins: readonly (StoredLogin & { readonly title: string })[]
}

const names = readdirSync(join(PROJECT, 'test/vectors/login-snapshots'))
const all = names.map(name => readVector(`login-snapshots/${name}`) as Vectors) // each has its chart's number

function loginOf(wanted: string): StoredLogin {
  const found = all.flatMap(({ logins }) => logins).find(({ title }) => title === wanted)
  if (!found) throw new Error(`expected a stored login "${wanted}", got none`)
  const { title: _, ...stored } = found
  return stored
}

const Stored = suite('stored keyshare logins')

Stored('the vectors cover every chart so far, and every state of each region', () => {
  assert.equal(
    all.map(({ chart }) => chart).sort(),
    Array.from({ length: LOGIN_CHART }, (_, i) => i + 1),
  )
  const values = all.flatMap(({ logins }) => logins).map(({ snapshot }) => snapshot?.value)
  const regions = new Set(values.flatMap(value => Object.entries(Object(Object(value).active))).map(String))
  const words = LOGIN_STATES.map(state => state.split(' '))
  const reached = words
    .filter(state => state.length > 1)
    .flatMap(([attempts = '', challenge, commitment]) => [
      `attempts,${attempts.replace(/\d/, '')}`,
      `challenge,${challenge}`,
      `commitment,${commitment}`,
    ])
  assert.equal([...regions].sort(), [...new Set(reached)].sort())
  assert.ok(values.includes('disabled'))
})

for (const { chart, logins } of all)
  for (const { title, ...stored } of logins)
    Stored(`of chart ${chart}: ${title}`, () => {
      const woken = wakeLogin(loginChart, chart, stored)
      assert.equal(storeLogin(woken), stored, 'no fact is lost or changed')
      assert.equal(JSON.parse(JSON.stringify(storeLogin(woken))), stored)
      assert.is(loginStateOf(woken), stored.snapshot?.value === 'disabled' ? 'disabled' : 'active')
    })

Stored('pending challenges and commitments and the next deadline are read from a stored login', () => {
  const at = 1_717_243_200_000
  const read = (title: string) => {
    const woken = wakeLogin(loginChart, 1, loginOf(title))
    return [hasChallenge(woken), pendingCommitment(woken), loginDue(woken)?.at ?? null]
  }
  assert.equal(read('registered'), [false, null, null])
  assert.equal(read('a challenge is pending'), [true, null, at + 360_000])
  assert.equal(read('a commitment of v2 and a challenge are pending'), [true, 'v2', at + 21_000])
  assert.equal(read('the owner deleted the account'), [false, null, null])
})

Stored('counter, end of the block and time of deletion are columns, and not in the snapshot', () => {
  const stored = loginOf('blocked, and its challenge is pending')
  assert.equal([stored.attempts, stored.blockedUntil], [3, 1_717_243_260_000])
  for (const column of ['attempts', 'blockedUntil', 'deleteAt'])
    assert.not(column in Object(stored.snapshot?.context), column)
  const later = wakeLogin(loginChart, 1, { ...stored, attempts: 5, blockedUntil: 9 })
  assert.equal([later.context.attempts, later.context.blockedUntil], [5, 9])
})

Stored('newLogin equals the initial state of the chart, whose initial transition has no effect', () => {
  for (const isDeviceBound of [true, false]) {
    const [first, actions] = initialTransition(loginChart, { isDeviceBound })
    assert.equal(storeLogin(newLogin(loginChart, { isDeviceBound })), storeLogin(first))
    const named = actions.map(({ params }) => Object(Object(params).event).type)
    assert.equal(
      LOGIN_EFFECTS.filter(effect => named.includes(effect)),
      [],
    )
  }
})

const pending = loginOf('a challenge is pending')
const blocked = loginOf('blocked, and its challenge is pending')
const committed = loginOf('the second try is being compared, and a commitment of v1 is pending')
const disabled = loginOf('the owner deleted the account')

function withContext(stored: StoredLogin, changes: object): unknown {
  const { value, context }: Record<string, unknown> = { ...stored.snapshot }
  return { ...stored, snapshot: { value, context: { ...Object(context), ...changes } } }
}

function withValue(stored: StoredLogin, changes: object | string): unknown {
  const { value, context }: Record<string, unknown> = { ...stored.snapshot }
  const active = { ...Object(Object(value).active), ...Object(changes) }
  return { ...stored, snapshot: { value: typeof changes === 'string' ? changes : { active }, context } }
}

const SPOILT: Readonly<Record<string, unknown>> = {
  'no snapshot': { ...pending, snapshot: null },
  'an unknown state': withValue(pending, { challenge: 'asked' }),
  'an unknown region': withValue(pending, { token: 'valid' }),
  'a missing region': withValue(pending, { challenge: undefined }),
  'an account in the state forgotten': withValue(disabled, 'forgotten'),
  'a context without comparing': withContext(pending, { comparing: undefined }),
  'a context with an unknown member': withContext(pending, { token: 'valid' }),
  'a counter in the snapshot': withContext(pending, { attempts: 0 }),
  'a counter that is no number': { ...pending, attempts: null },
  'a counter below 0': { ...pending, attempts: -1 },
  'an end of a block below 0': { ...pending, blockedUntil: -1 },
  'more than eight comparisons': withContext(pending, { comparing: [1, 2, 3, 4, 5, 6, 7, 8, 9] }),
  'a comparison without a number': withContext(pending, { comparing: [0] }),
  'an open account without tries': { ...pending, attempts: 3 },
  'an open account with a block': { ...pending, blockedUntil: 1 },
  'an open account without tries, with a block': { ...pending, attempts: 3, blockedUntil: 1 },
  'a blocked account with tries left and no end of the block': withValue(pending, { attempts: 'blocked' }),
  'a blocked account with a try left': { ...blocked, attempts: 2 },
  'a blocked account without an end of the block': { ...blocked, blockedUntil: 0 },
  'a challenge without an end': withContext(pending, { challengeEndsAt: null }),
  'the end of a challenge that is not pending': withValue(pending, { challenge: 'none' }),
  'a commitment without an end': withContext(committed, { commitmentEndsAt: null }),
  'the end of a commitment that is not pending': withValue(committed, { commitment: 'none' }),
  'a disabled account with a challenge': withContext(disabled, { challengeEndsAt: 1 }),
  'a disabled account with a commitment': withContext(disabled, { commitmentEndsAt: 1 }),
  'a disabled account without a time of deletion': { ...disabled, deleteAt: null },
}
for (const [title, stored] of Object.entries(SPOILT))
  Stored(`${title} does not wake`, () => {
    // a store may contain anything
    assert.throws(() => wakeLogin(loginChart, 1, stored as StoredLogin), /not one of chart 1/)
  })

Stored('a snapshot of an unknown chart does not wake', () => {
  for (const chart of [0, LOGIN_CHART + 1])
    assert.throws(() => wakeLogin(loginChart, chart, pending), `expected number ${LOGIN_CHART}, got ${chart}`)
})

Stored.run()
