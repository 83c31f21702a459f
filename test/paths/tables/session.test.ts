/** The session chart says what its table says: no edge more, none fewer, none that leads elsewhere, and none with other effects or other ends. @module */
import { getAdjacencyMap } from '@xstate/graph'
import * as assert from 'uvu/assert'
import { transition } from 'xstate'
import {
  type SessionInput,
  type SessionSnapshot,
  type StampedEvent,
  sessionChart,
} from '../../../machines/session.ts'
import { isTimer, statusOf } from '../../../machines/session-snapshot.ts'
import { suite } from '../../suite.ts'
import { begun, NOW, readChart, timersIn } from './read-chart.ts'
import { differences } from './rows.ts'
import { CONNECTED_SEC, RETENTION_SEC, SESSION, SESSION_STATES } from './session.ts'

/** The claim of a session, and one that never was. */
const CLAIM = 1
const OTHER_CLAIM = 2

const at = NOW
const OUTCOMES = [
  'server.askedNext',
  'server.signed',
  'server.failed',
  'claim.voided',
  'claim.renewed',
] as const

const EVENTS: readonly StampedEvent[] = [
  { type: 'frontend.chose', method: 'pin', at },
  { type: 'frontend.chose', method: 'none', at },
  { type: 'frontend.paired', at },
  { type: 'app.connected', protocolVersion: '2.8', at },
  { type: 'app.fetched', at },
  { type: 'app.fetchedOnce', at },
  { type: 'app.submitted', claim: CLAIM, at },
  { type: 'app.failed', at },
  { type: 'cancelled', at },
  ...[CLAIM, OTHER_CLAIM].flatMap(claim => [
    { type: 'server.checked', isValid: true, claim, at } as const,
    { type: 'server.checked', isValid: false, claim, at } as const,
    ...OUTCOMES.map(type => ({ type, claim, at })),
  ]),
]

function eventsIn(state: SessionSnapshot): StampedEvent[] {
  return [...EVENTS, ...timersIn(state).map(type => ({ type, at }))]
}

const lengths = {
  timeoutMs: 60_000,
  connectedTimeoutMs: CONNECTED_SEC * 1_000,
  retentionMs: RETENTION_SEC * 1_000,
}
const flags = [true, false]
const inputs: readonly SessionInput[] = flags.flatMap(hasCallback =>
  flags.flatMap(hasNextSession =>
    flags.map(issues => ({ at: NOW - 1_000, ...lengths, hasCallback, hasNextSession, issues })),
  ),
)

function nameOf(state: SessionSnapshot): string {
  const { value, context } = state
  if (statusOf(state) === null) return 'forgotten'
  const kind = [context.hasNextSession ? 'next' : [], context.issues ? 'issues' : []].flat().join('+')
  return [
    typeof value === 'string' ? value : `CONNECTED.${value.CONNECTED}`,
    context.pairing,
    context.protocolVersion ?? '-',
    context.isFetched ? 'fetched' : 'unfetched',
    context.claim === null ? '-' : 'claim',
    kind || 'plain',
    context.hasCallback ? 'callback' : 'silent',
  ].join(' ')
}

function triggerOf(event: StampedEvent): string {
  if (isTimer(event.type)) return 'time passes'
  const words: string[] = [event.type]
  if ('method' in event) words.push(event.method)
  if ('isValid' in event) words.push(event.isValid ? 'valid' : 'invalid')
  if ('claim' in event && event.claim === OTHER_CLAIM) words.push('of another claim')
  return words.join(' ')
}

const edges = readChart<SessionSnapshot, StampedEvent>({
  states: inputs.flatMap(input => {
    const map = getAdjacencyMap<SessionSnapshot, StampedEvent, SessionInput>(sessionChart, {
      ...{ input, events: eventsIn, serializeState: nameOf },
    })
    return Object.values(map).map(({ state }) => state)
  }),
  // whatever was the end of the status before the event
  placed: ({ value, context }) => [
    sessionChart.resolveState({ value, context: { ...context, deadlineAt: NOW + 1 } }),
  ],
  events: eventsIn,
  endsOf: ({ context }) => [context.deadlineAt],
  can: (state, event) => state.can(event),
  step: (state, event) => transition(sessionChart, state, event),
  ...{ nameOf, triggerOf },
  timesOf: (before, after) => begun('end', before.context.deadlineAt, after.context.deadlineAt),
})

const Table = suite('session chart: its table in the specification')

Table('the states are those of the table, no more and no fewer', () => {
  assert.equal([...new Set(edges.map(({ from }) => from))].sort(), [...SESSION_STATES].sort())
})

Table('the edges are those of the table: triggers, targets, effects and ends', () => {
  assert.equal(differences(SESSION, edges), [])
})

Table('each timer that is started is the time that is left until its end', () => {
  assert.ok(edges.every(({ isTimedRightly }) => isTimedRightly))
})

Table('what is refused changes nothing', () => {
  const refused = edges.filter(({ to }) => to === null)
  assert.ok(refused.length > 1_000)
  for (const { from, after } of refused) assert.is(after, from)
})

Table('the outcome of another claim is refused everywhere', () => {
  const late = edges.filter(({ trigger }) => trigger.endsWith('of another claim'))
  assert.ok(late.length > 1_000)
  assert.ok(late.every(({ to }) => to === null))
})

Table.run()
