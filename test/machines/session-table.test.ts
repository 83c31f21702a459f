/** The session chart against the table of specification part 3, typed here by hand: what is not in the table does not happen. @module */
import * as assert from 'uvu/assert'
import { OTHER_CLAIM, type SessionEdge, sessionEdges, statusIn } from '../paths/session-paths.ts'
import { suite } from '../suite.ts'

/** From, trigger and condition, to. The last column of the specification says what comes with it, which other tests hold. */
const SPECIFICATION_3 = [
  // app calls GET {prefix}/session/{clientToken}
  ['INITIALIZED', 'app.connected, pairing none', 'CONNECTED'],
  ['INITIALIZED', 'app.connected, pairing pin', 'PAIRING'],
  // frontend calls POST .../frontend/pairingcompleted
  ['PAIRING', 'frontend.paired', 'CONNECTED'],
  // app submits, and the request is handled
  ['CONNECTED', 'server.checked', 'DONE'],
  ['CONNECTED', 'server.askedNext', 'DONE'],
  ['CONNECTED', 'server.signed', 'DONE'],
  // longer than the session timeout
  ['INITIALIZED', 'time passes', 'TIMEOUT'],
  ['PAIRING', 'time passes', 'TIMEOUT'],
  ['CONNECTED', 'time passes', 'TIMEOUT'],
  // DELETE by app, requestor or frontend
  ['INITIALIZED', 'cancelled', 'CANCELLED'],
  ['PAIRING', 'cancelled', 'CANCELLED'],
  ['CONNECTED', 'cancelled', 'CANCELLED'],
  // any error while handling an app endpoint; in PAIRING no call of the app is handled (D14)
  ['INITIALIZED', 'app.failed', 'CANCELLED'],
  ['CONNECTED', 'app.failed', 'CANCELLED'],
  ['CONNECTED', 'server.failed', 'CANCELLED'],
  // kept for five minutes after a final status
  ['DONE', 'time passes', 'forgotten'],
  ['TIMEOUT', 'time passes', 'forgotten'],
  ['CANCELLED', 'time passes', 'forgotten'],
] as const

/** What is taken without a change of status: options until the app connects (spec 4.4), repeated fetches, and the life of a claim (law 2). */
const WITHIN_A_STATUS = [
  ['INITIALIZED none', 'frontend.chose pin', 'INITIALIZED pin'],
  ['INITIALIZED none', 'frontend.chose none', 'INITIALIZED none'],
  ['INITIALIZED pin', 'frontend.chose pin', 'INITIALIZED pin'],
  ['INITIALIZED pin', 'frontend.chose none', 'INITIALIZED none'],
  ['CONNECTED.awaiting', 'app.fetched', 'CONNECTED.awaiting'],
  ['CONNECTED.checking', 'app.fetched', 'CONNECTED.checking'],
  ['CONNECTED.askingNext', 'app.fetched', 'CONNECTED.askingNext'],
  ['CONNECTED.signing', 'app.fetched', 'CONNECTED.signing'],
  // by an app that nothing binds after pairing: once (D27)
  ['CONNECTED.awaiting', 'app.fetchedOnce', 'CONNECTED.awaiting fetched'],
  ['CONNECTED.checking', 'app.fetchedOnce', 'CONNECTED.checking fetched'],
  ['CONNECTED.askingNext', 'app.fetchedOnce', 'CONNECTED.askingNext fetched'],
  ['CONNECTED.signing', 'app.fetchedOnce', 'CONNECTED.signing fetched'],
  ['CONNECTED.awaiting', 'app.submitted', 'CONNECTED.checking'],
  ['CONNECTED.checking', 'server.checked', 'CONNECTED.askingNext'],
  ['CONNECTED.checking', 'server.checked', 'CONNECTED.signing'],
  ['CONNECTED.askingNext', 'server.askedNext', 'CONNECTED.signing'],
  ['CONNECTED.checking', 'claim.renewed', 'CONNECTED.checking'],
  ['CONNECTED.askingNext', 'claim.renewed', 'CONNECTED.askingNext'],
  ['CONNECTED.signing', 'claim.renewed', 'CONNECTED.signing'],
  ['CONNECTED.checking', 'claim.voided', 'CONNECTED.awaiting'],
  ['CONNECTED.askingNext', 'claim.voided', 'CONNECTED.awaiting'],
  ['CONNECTED.signing', 'claim.voided', 'CONNECTED.awaiting'],
] as const

/** After that everything but the same again happens as before it. */
const ONCE_FETCHED = WITHIN_A_STATUS.filter(
  ([from, trigger]) => from.startsWith('CONNECTED') && trigger !== 'app.fetchedOnce',
).map(([from, trigger, to]) => [`${from} fetched`, trigger, `${to} fetched`])

/** What the work on a submission comes to, by kind of session (decisions: chain, D23): check, POST to `nextSession.url`, sign, `DONE`. */
const WORK = [
  ['plain', 'CONNECTED.checking', 'valid', 'DONE'],
  ['plain', 'CONNECTED.checking', 'invalid', 'DONE'],
  ['chained', 'CONNECTED.checking', 'valid', 'CONNECTED.askingNext'],
  ['chained', 'CONNECTED.checking', 'invalid', 'DONE'],
  ['chained', 'CONNECTED.askingNext', 'server.askedNext', 'DONE'],
  ['issuing', 'CONNECTED.checking', 'valid', 'CONNECTED.signing'],
  ['issuing', 'CONNECTED.checking', 'invalid', 'DONE'],
  ['issuing', 'CONNECTED.signing', 'server.signed', 'DONE'],
  ['chained issuing', 'CONNECTED.checking', 'valid', 'CONNECTED.askingNext'],
  ['chained issuing', 'CONNECTED.checking', 'invalid', 'DONE'],
  ['chained issuing', 'CONNECTED.askingNext', 'server.askedNext', 'CONNECTED.signing'],
  ['chained issuing', 'CONNECTED.signing', 'server.signed', 'DONE'],
] as const
const WORK_EVENTS = ['server.checked', 'server.askedNext', 'server.signed']

const edges = sessionEdges()
const accepted = edges.filter(({ isAccepted }) => isAccepted)

function triggerOf({ event, from }: SessionEdge): string {
  if (event.type.startsWith('xstate.after.')) return 'time passes'
  if (event.type === 'app.connected') return `app.connected, pairing ${from.split(' ')[1]}`
  return 'method' in event ? `${event.type} ${event.method}` : event.type
}

function workOf({ variant, from, event, to }: SessionEdge): string[] {
  const names = [variant.hasNextSession ? 'chained' : '', variant.issues ? 'issuing' : ''].join(' ').trim()
  const outcome = 'isValid' in event ? (event.isValid ? 'valid' : 'invalid') : event.type
  return [names || 'plain', ...[from, outcome, to].map(part => part.replace(' fetched', ''))]
}

function isWithin({ from, to }: SessionEdge): boolean {
  return statusIn(from) === statusIn(to)
}

function sorted(rows: readonly (readonly string[])[]): string[] {
  return [...new Set(rows.map(row => row.join(' | ')))].sort()
}

const Table = suite('session chart: the table of specification part 3')

Table('the changes of status are those of the specification, no more and no fewer', () => {
  const moves = accepted
    .filter(edge => !isWithin(edge))
    .map(edge => [statusIn(edge.from), triggerOf(edge), statusIn(edge.to)])
  assert.equal(sorted(moves), sorted(SPECIFICATION_3))
})

Table('within a status happens only what is listed', () => {
  const within = accepted.filter(isWithin).map(edge => [edge.from, triggerOf(edge), edge.to])
  assert.equal(sorted(within), sorted([...WITHIN_A_STATUS, ...ONCE_FETCHED]))
})

Table('a submission is checked, the next session asked for, what was requested signed, in this order', () => {
  const work = accepted.filter(({ event }) => WORK_EVENTS.includes(event.type))
  assert.equal(sorted(work.map(workOf)), sorted(WORK))
})

Table('what is refused changes nothing', () => {
  const refused = edges.filter(({ isAccepted }) => !isAccepted)
  assert.ok(refused.length > 100)
  for (const { from, to } of refused) assert.is(from, to)
})

Table('no transition leaves a final status but the end of its retention', () => {
  const finals = accepted.filter(({ from }) => ['DONE', 'TIMEOUT', 'CANCELLED'].includes(from))
  assert.equal([...new Set(finals.map(({ to }) => to))], ['forgotten'])
  assert.equal(
    accepted.filter(({ from }) => from === 'forgotten'),
    [],
  )
})

Table('no deadline runs while a claim stands (D3)', () => {
  const timed = edges.filter(({ event }) => event.type.startsWith('xstate.after.'))
  const working = ['checking', 'askingNext', 'signing'].map(state => `CONNECTED.${state}`)
  assert.equal(
    timed.filter(({ from }) => working.some(state => from.startsWith(state))),
    [],
  )
})

Table('the outcome of another claim is refused everywhere', () => {
  const late = edges.filter(({ event }) => 'claim' in event && event.claim === OTHER_CLAIM)
  assert.ok(late.length >= 6 * 8 * 4)
  assert.ok(late.every(({ isAccepted }) => !isAccepted))
})

Table.run()
