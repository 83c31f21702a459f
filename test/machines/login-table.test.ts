/** The keyshare login chart against the rules of the specification, typed here by hand: what is not in the table does not happen. @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { loginEdges } from './login-edges.ts'

/** What may happen: trigger, from, to. The words of a state: attempts, challenge, commitment, device key, PIN that is being compared, deletion that is announced.
 *  `*`: whatever it is; `=`: it stays. */
const RULES = [
  // verify_start: only with a device key; a new challenge replaces the old one; the block is not asked for
  ['app.startedLogin', '* * * bound * *', '= pending = = = ='],
  // six minutes later
  ['challenge ends', '* pending * * * *', '= none = = = ='],
  // login (K11): the block, the challenge, the attempt; a blocked account keeps its challenge, a wrong answer loses it and costs no attempt
  ['app.answered wrong', '* pending * * * *', '= none = = = ='],
  ['app.answered right', 'open0 pending * * * *', 'open1 none = = comparing ='],
  ['app.answered right', 'open1 pending * * * *', 'open2 none = = comparing ='],
  ['app.answered right', 'open2 pending * * * *', 'blocked none = = comparing ='],
  ['app.answered right', 'blocked pending * * * *', 'blocked none = = comparing ='],
  // change of PIN, signed by the device; it draws from the same counter, and leaves the challenge alone
  ['app.sentPin signed', 'open0 * * bound * *', 'open1 = = = comparing ='],
  ['app.sentPin signed', 'open1 * * bound * *', 'open2 = = = comparing ='],
  ['app.sentPin signed', 'open2 * * bound * *', 'blocked = = = comparing ='],
  ['app.sentPin signed', 'blocked * * bound * *', 'blocked = = = comparing ='],
  // legacy login, legacy change of PIN and registration of a device key: only of accounts without one
  ['app.sentPin unsigned', 'open0 * * unbound * *', 'open1 = = = comparing ='],
  ['app.sentPin unsigned', 'open1 * * unbound * *', 'open2 = = = comparing ='],
  ['app.sentPin unsigned', 'open2 * * unbound * *', 'blocked = = = comparing ='],
  ['app.sentPin unsigned', 'blocked * * unbound * *', 'blocked = = = comparing ='],
  // an attempt that is refused is an entry of the log, and nothing else
  ['app.triedWhileBlocked in the block', 'blocked * * * * *', '= = = = = ='],
  // a right PIN sets the counter back, whoever blocked it meanwhile; a wrong one changes nothing, since its attempt was counted before
  ['server.acceptedPin', '* * * * comparing *', 'open0 = = = idle kept'],
  ['server.refusedPin', '* * * * comparing *', '= = = = idle ='],
  // a new PIN, and with it another token id: what was begun with the old one is void
  ['server.changedPin', '* * * * comparing *', 'open0 none none = idle ='],
  // the token id is kept, and so is what it began; the key is never replaced
  ['server.registeredKey', '* * * unbound comparing *', 'open0 = = bound idle ='],
  // getCommitments replaces what is pending, also while the account is blocked; getResponse takes what its own version began
  ['app.requestedCommitments v1', '* * * * * *', '= = pendingV1 = = ='],
  ['app.requestedCommitments v2', '* * * * * *', '= = pendingV2 = = ='],
  ['app.requestedResponse v1', '* * pendingV1 * * *', '= = none = = kept'],
  ['app.requestedResponse v2', '* * pendingV2 * * *', '= = none = = kept'],
  // twenty seconds later
  ['commitment ends', '* * pendingV1 * * *', '= = none = = ='],
  ['commitment ends', '* * pendingV2 * * *', '= = none = = ='],
  // an account is warned once, is deleted when that was long enough ago, and is kept by whoever uses it
  ['server.warned', '* * * * * kept', '= = = = = warned'],
  ['server.deleted due', '* * * * * warned', 'forgotten'],
  ['owner.visited', '* * * * * *', '= = = = = kept'],
  ['owner.disabled', '* * * * * *', 'disabled'],
  ['server.deleted due', 'disabled', 'forgotten'],
] as const

const ATTEMPTS = [
  'open0 idle',
  'open1 idle',
  'open1 comparing',
  'open2 idle',
  'open2 comparing',
  'blocked idle',
  'blocked comparing',
]
const COMMITMENTS = ['none', 'pendingV1', 'pendingV2']
/** A challenge needs a device key. */
const CHALLENGES = ['none bound', 'pending bound', 'none unbound']

const edges = loginEdges()

function matches(pattern: string, state: string): boolean {
  const words = state.split(' ')
  const wanted = pattern.split(' ')
  return wanted.length === words.length && wanted.every((word, i) => word === '*' || word === words[i])
}

function applied(pattern: string, state: string): string {
  const words = state.split(' ')
  return pattern
    .split(' ')
    .map((word, i) => (word === '=' ? words[i] : word))
    .join(' ')
}

function sorted(lines: readonly string[]): string[] {
  return [...new Set(lines)].sort()
}

const Table = suite('keyshare login chart: the table')

Table('the states are those that the facts can be in, no more and no fewer', () => {
  const active = ATTEMPTS.flatMap(attempts =>
    CHALLENGES.flatMap(challenge =>
      COMMITMENTS.flatMap(commitment => {
        const [count, comparing] = attempts.split(' ')
        const [pending, key] = challenge.split(' ')
        return ['kept', 'warned'].map(word => [count, pending, commitment, key, comparing, word].join(' '))
      }),
    ),
  )
  assert.equal(sorted(edges.map(({ from }) => from)), sorted([...active, 'disabled', 'forgotten']))
})

Table('from each state happens what the table says, no more and no less', () => {
  const states = sorted(edges.map(({ from }) => from))
  const wanted = RULES.flatMap(([trigger, from, to]) =>
    states
      .filter(state => matches(from, state))
      .map(state => `${state} | ${trigger} | ${applied(to, state)}`),
  )
  const accepted = edges.filter(({ to }) => to !== null)
  assert.equal(
    sorted(accepted.map(({ from, trigger, to }) => `${from} | ${trigger} | ${to}`)),
    sorted(wanted),
  )
})

Table('what is refused changes nothing', () => {
  const refused = edges.filter(({ to }) => to === null)
  assert.ok(refused.length > 1_000)
  for (const { from, after } of refused) assert.is(after, from)
})

Table('a comparison that was never reserved has no outcome', () => {
  const foreign = edges.filter(({ trigger }) => trigger.endsWith('foreign'))
  assert.ok(foreign.length > 500)
  assert.ok(foreign.every(({ to }) => to === null))
})

Table('while an account is blocked no PIN is compared and no challenge is taken', () => {
  const inBlock = edges.filter(({ trigger }) => trigger.endsWith('in the block'))
  const attempts = inBlock.filter(({ trigger }) => !trigger.startsWith('app.triedWhileBlocked'))
  assert.ok(attempts.length > 100)
  assert.ok(attempts.every(({ to }) => to === null))
})

Table.run()
