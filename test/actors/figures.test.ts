/** The metrics of sessions, accounts, deliveries and arithmetic, with a meter that records them in a list. @module */
import * as assert from 'uvu/assert'
import { arithmeticFigures } from '../../actors/metrics/arithmetic-figures.ts'
import { deliveryFigures } from '../../actors/metrics/delivery-figures.ts'
import { loginFigures } from '../../actors/metrics/login-figures.ts'
import { requestorLabel } from '../../actors/metrics/requestor-label.ts'
import { sessionFigures } from '../../actors/metrics/session-figures.ts'
import { Queue } from '../../actors/workers/queue.ts'
import { newDelivery } from '../../machines/delivery.ts'
import type { Meter } from '../../ports/meter.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { restoreRequest } from '../../protocol/request.ts'
import type { AccountRow, LogEvent } from '../../stores/account-store.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import type { SessionRow, SessionStatus } from '../../stores/session-store.ts'
import { sessionRow } from '../stores/rows.ts'
import { suite } from '../suite.ts'

type Counted = readonly [name: string, labels: object, seconds?: number]

function listing(now: () => number = () => 0) {
  const counted: Counted[] = []
  const gauges = new Map<string, () => unknown>()
  const meter: Meter = {
    now,
    counter:
      ({ name }) =>
      labels =>
        counted.push([name, labels]),
    durations:
      ({ name }) =>
      (labels, seconds) =>
        counted.push([name, labels, seconds]),
    gauge: ({ name }, read) => void gauges.set(name, read),
  }
  return { meter, counted, gauges, namesSince: (from = 0) => counted.slice(from).map(([name]) => name) }
}

const ACCOUNT = { id: 'a' } as AccountRow // no other field is read

const Figures = suite('metrics: sessions, accounts, deliveries, arithmetic')

/** A session that entered that status at that second. Each kind of status has a different length. */
function sessionIn(status: SessionStatus, atSec: number, changes: Partial<SessionRow> = {}): SessionRow {
  const context = { timeoutMs: 100_000, connectedTimeoutMs: 200_000, retentionMs: 300_000 }
  const { timeoutMs, connectedTimeoutMs, retentionMs } = context
  const isOpen = status === 'PAIRING' || status === 'CONNECTED'
  const stayMs = status === 'INITIALIZED' ? timeoutMs : isOpen ? connectedTimeoutMs : retentionMs
  return sessionRow('s', {
    status,
    deadlineAt: atSec * 1_000 + stayMs,
    snapshot: { value: 'not read', context },
    request: restoreRequest('{"request":{"type":"signing"}}'),
    ...changes,
  })
}

const CONNECTS: Counted = ['svc_session_connect_seconds', { type: 'signing' }, 7]
const ANSWERS: Counted = ['svc_session_answer_seconds', { type: 'signing' }, 7]
const endsIn = (status: SessionStatus): Counted => [
  'svc_sessions_finished_total',
  { type: 'signing', requestor: 'shop', status },
]

const endsPairing = (outcome: string): Counted => ['svc_pairing_ended_total', { outcome }]

for (const [from, to, expected] of [
  ['INITIALIZED', 'PAIRING', [CONNECTS]],
  ['INITIALIZED', 'CONNECTED', [CONNECTS]],
  ['PAIRING', 'PAIRING', []],
  ['PAIRING', 'CONNECTED', [endsPairing('completed')]],
  ['CONNECTED', 'CONNECTED', []],
  ['CONNECTED', 'DONE', [ANSWERS, endsIn('DONE')]],
  ['INITIALIZED', 'TIMEOUT', [endsIn('TIMEOUT')]],
  ['PAIRING', 'CANCELLED', [endsPairing('cancelled'), endsIn('CANCELLED')]],
  ['PAIRING', 'TIMEOUT', [endsPairing('timeout'), endsIn('TIMEOUT')]],
  ['CONNECTED', 'CANCELLED', [endsIn('CANCELLED')]],
] as const satisfies readonly [SessionStatus, SessionStatus, readonly Counted[]][])
  Figures(`a change of status from ${from} to ${to} adds to ${expected.length} metrics`, () => {
    const { meter, counted } = listing()
    const { committed } = sessionFigures(meter, ['shop'], { owed() {} })
    committed(sessionIn(from, 3), sessionIn(to, 10), {})
    assert.equal(counted, expected)
  })

Figures(
  'a session is counted when it begins, also as the next session of another one, and not when it is deleted',
  () => {
    const { meter, counted } = listing()
    const owed: DeliveryRow[] = []
    const { committed } = sessionFigures(meter, ['shop'], { owed: row => void owed.push(row) })
    const row = sessionIn('INITIALIZED', 0)
    committed(null, row, {})
    committed(row, null, {})
    assert.equal(counted, [['svc_sessions_created_total', { type: 'signing', requestor: 'shop' }]])
    const callback = {} as DeliveryRow // no field is read
    committed(row, row, { sessions: [{ ...row, requestor: 'stranger' }], owed: [callback] })
    assert.equal(counted.slice(1), [['svc_sessions_created_total', { type: 'signing', requestor: 'other' }]])
    assert.equal(owed, [callback])
  },
)

Figures('a session that was closed without its chart is counted with the type `unreadable`', () => {
  const { meter, counted } = listing()
  const { committed } = sessionFigures(meter, ['shop'], { owed() {} })
  const request = restoreRequest('{')
  const closed = { chart: null, snapshot: null, request }
  committed(sessionIn('CONNECTED', 0, { request }), sessionIn('CANCELLED', 7, closed), {})
  const labels = { type: 'unreadable', requestor: 'shop', status: 'CANCELLED' }
  assert.equal(counted, [['svc_sessions_finished_total', labels]])
})

Figures('without named requestors, each metric of sessions exists from the start', () => {
  for (const [requestors, created, finished] of [
    [[], 3, 9],
    [['shop'], 0, 0],
  ] as const) {
    const known = new Map<string, number>()
    const counter: Meter['counter'] = ({ name }, labels = []) => {
      known.set(name, labels.length)
      return () => {}
    }
    sessionFigures({ ...listing().meter, counter }, requestors, { owed() {} })
    assert.equal(
      ['created', 'finished'].map(name => known.get(`svc_sessions_${name}_total`)),
      [created, finished],
    )
  }
})

Figures('the metric of each end of pairing exists from the start, also with named requestors', () => {
  const known = new Map<string, readonly object[]>()
  const counter: Meter['counter'] = ({ name }, labels = []) => {
    known.set(name, labels)
    return () => {}
  }
  sessionFigures({ ...listing().meter, counter }, ['shop'], { owed() {} })
  assert.equal(
    known.get('svc_pairing_ended_total'),
    ['completed', 'cancelled', 'timeout'].map(outcome => ({ outcome })),
  )
})

Figures('logins are counted by their outcome, and blocks are counted separately', () => {
  const { meter, counted } = listing()
  const { committed } = loginFigures(meter, { owed() {} })
  const log = (...events: LogEvent[]) => ({
    account: { log: events.map(event => ({ at: 0, event, param: null })) },
  })
  committed(null, ACCOUNT, {})
  committed(ACCOUNT, ACCOUNT, log('PIN_CHECK_SUCCESS'))
  committed(ACCOUNT, ACCOUNT, log('PIN_CHECK_FAILED', 'PIN_CHECK_BLOCKED'))
  committed(ACCOUNT, ACCOUNT, log('PIN_CHECK_REFUSED'))
  committed(ACCOUNT, ACCOUNT, log('SESSION'))
  committed(ACCOUNT, ACCOUNT, {})
  assert.equal(counted, [
    ['svc_keyshare_registrations_total', {}],
    ['svc_keyshare_logins_total', { outcome: 'right' }],
    ['svc_keyshare_logins_total', { outcome: 'wrong' }],
    ['svc_keyshare_blocks_total', {}],
    ['svc_keyshare_logins_total', { outcome: 'refused' }],
    ['svc_keyshare_responses_total', {}],
  ])
})

Figures('mails that a commit of an account owes are counted by their kind', () => {
  const { meter, counted } = listing()
  const row = { cause: 'login' } as DeliveryRow // no other field is read
  loginFigures(meter, deliveryFigures(meter, true)).committed(ACCOUNT, ACCOUNT, { owed: [row] })
  assert.equal(counted, [['svc_deliveries_owed_total', { kind: 'login' }]])
})

Figures('a delivery that is given up is counted once, and later commits of its row are not counted', () => {
  const { meter, counted } = listing()
  const { committed } = deliveryFigures(meter, false)
  const row = { ...newDelivery(0), cause: 'DONE' } as DeliveryRow // no other field is read
  const sending = { ...row, state: 'sending' } as const
  const givenUp = { ...row, state: 'givenUp' } as const
  committed(row, { ...row, dueAt: 1 })
  committed(row, sending)
  committed(sending, row)
  committed(sending, givenUp)
  committed(givenUp, { ...givenUp, version: 2 }) // closed without its chart
  committed(givenUp, null)
  const kind = { kind: 'callback' }
  assert.equal(counted, [
    ['svc_delivery_attempts_total', kind],
    ['svc_deliveries_given_up_total', kind],
  ])
})

Figures(
  'work is measured from its beginning, its wait from its arrival; gauges show the waiting work',
  async () => {
    const clock = createSimulatedClock(0)
    const { meter, counted, gauges } = listing(() => clock.now())
    const figures = arithmeticFigures(meter)
    const queue = new Queue({ threads: 1, maxWaitMs: 1_000, clock, figures })
    const work = async (): Promise<number> => {
      await Promise.resolve() // lets the other message arrive
      clock.advance(5)
      return 1
    }
    const pieces = [0, 0].map(() => ({ kind: 'disclosure 2048', work }))
    const done = Promise.all([queue.do(pieces), queue.do(pieces.slice(1))])
    assert.equal(gauges.get('svc_arithmetic_queue_pieces')?.(), [{ labels: {}, value: 3 }])
    await done
    assert.equal(gauges.get('svc_arithmetic_queue_pieces')?.(), [{ labels: {}, value: 0 }])
    const of = (name: string) => counted.filter(([each]) => each === name).map(([, ...rest]) => rest)
    const one = [{ work: 'disclosure' }, 0.005]
    assert.equal(of('svc_arithmetic_seconds'), [one, one, one])
    assert.equal(of('svc_arithmetic_wait_seconds'), [
      [{}, 0],
      [{}, 0.005],
    ])
  },
)

Figures('the first hundred requestors of the settings have their own label', () => {
  const names = Array.from({ length: 101 }, (_, i) => `shop${i}`)
  const label = requestorLabel(names)
  assert.equal(['', 'shop0', 'shop99', 'shop100', 'stranger'].map(label), [
    '',
    'shop0',
    'shop99',
    'other',
    'other',
  ])
})

Figures.run()
