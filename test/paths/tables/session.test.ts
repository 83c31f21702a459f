/** The session chart equals its table: the same edges, targets, effects and deadlines. @module */
import { getAdjacencyMap } from '@xstate/graph'
import * as assert from 'uvu/assert'
import { transition } from 'xstate'
import { type SessionInput, type SessionSnapshot, sessionChart } from '../../../machines/session.ts'
import type { StampedEvent } from '../../../machines/session-events.ts'
import { newSession, statusOf } from '../../../machines/session-snapshot.ts'
import { isTimer } from '../../../machines/timers.ts'
import { suite } from '../../suite.ts'
import { CLAIM, eventsAt } from '../session-events.ts'
import { begun, NOW, readBeginning, readChart, timersIn } from './read-chart.ts'
import { testTable } from './same-tests.ts'
import {
  CONNECTED_SEC,
  RETENTION_SEC,
  SESSION,
  SESSION_BEGINS,
  SESSION_STATES,
  TIMEOUT_SEC,
} from './session.ts'

const at = NOW
const EVENTS = eventsAt(at)
function eventsIn(state: SessionSnapshot): StampedEvent[] {
  return [...EVENTS, ...timersIn(state).map(type => ({ type, at }))]
}

const lengths = {
  timeoutMs: TIMEOUT_SEC * 1_000,
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
  if ('claim' in event && event.claim !== CLAIM) words.push('of another claim')
  return words.join(' ')
}

const edges = readChart<SessionSnapshot, StampedEvent>({
  states: inputs.flatMap(input => {
    const map = getAdjacencyMap<SessionSnapshot, StampedEvent, SessionInput>(sessionChart, {
      input,
      events: eventsIn,
      serializeState: nameOf,
    })
    return Object.values(map).map(({ state }) => state)
  }),
  // a timer event happens at its deadline: the end of the lease during a claim, else the deadline of the status
  placed: ({ value, context }) => [
    sessionChart.resolveState({
      value,
      context: { ...context, deadlineAt: context.claim === null ? NOW : NOW + 5_000, leaseUntil: NOW },
    }),
  ],
  events: eventsIn,
  endsOf: ({ context }) => [context.deadlineAt, context.leaseUntil],
  can: (state, event) => state.can(event),
  step: (state, event) => transition(sessionChart, state, event),
  nameOf,
  triggerOf,
  timesOf: ({ context: before }, { context: after }) => [
    ...begun('end', before.deadlineAt, after.deadlineAt),
    ...begun('lease', before.leaseUntil, after.leaseUntil),
  ],
})

const Table = suite('session chart: its table in the specification')

testTable(Table, {
  states: SESSION_STATES,
  begins: SESSION_BEGINS,
  rows: SESSION,
  edges,
  atLeast: 1_000,
  begun: inputs.map(input => {
    const first = newSession(sessionChart, { ...input, at: NOW })
    return readBeginning(nameOf(first), begun('end', null, first.context.deadlineAt))
  }),
})

Table('the outcome of another claim is refused in every state', () => {
  const late = edges.filter(({ trigger }) => trigger.endsWith('of another claim'))
  assert.ok(late.length > 1_000)
  assert.ok(late.every(({ to }) => to === null))
})

Table.run()
