/** What is counted of accounts, deliveries and arithmetic, by a meter that keeps a list. @module */
import * as assert from 'uvu/assert'
import { arithmeticFigures } from '../../actors/metrics/arithmetic-figures.ts'
import { deliveryFigures } from '../../actors/metrics/delivery-figures.ts'
import { loginFigures } from '../../actors/metrics/login-figures.ts'
import { requestorLabel } from '../../actors/metrics/requestor-label.ts'
import { Queue } from '../../actors/workers/queue.ts'
import { newDelivery } from '../../machines/delivery.ts'
import type { Meter } from '../../ports/meter.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import type { AccountRow, LogEvent } from '../../stores/account-store.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
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

const ACCOUNT = { id: 'a' } as AccountRow // nothing else of it is read

const Figures = suite('metrics: accounts, deliveries, arithmetic')

Figures('logins are counted by their outcome, and blocks besides', () => {
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
  const row = { cause: 'login' } as DeliveryRow // nothing else of it is read
  loginFigures(meter, deliveryFigures(meter, true)).committed(ACCOUNT, ACCOUNT, { owed: [row] })
  assert.equal(counted, [['svc_deliveries_owed_total', { kind: 'login' }]])
})

Figures('a delivery that is given up is counted once, and a lost race or a replay not at all', () => {
  const { meter, counted } = listing()
  const { committed } = deliveryFigures(meter, false)
  const row = { ...newDelivery(0), cause: 'DONE' } as DeliveryRow // nothing else of it is read
  const sending = { ...row, state: 'sending' } as const
  const givenUp = { ...row, state: 'givenUp' } as const
  committed(row, { ...row, dueAt: 1 })
  committed(row, sending)
  committed(sending, row)
  committed(sending, givenUp)
  committed(givenUp, null)
  const kind = { kind: 'callback' }
  assert.equal(counted, [
    ['svc_delivery_attempts_total', kind],
    ['svc_deliveries_given_up_total', kind],
  ])
})

Figures('work is measured from its beginning, its wait from its arrival; what waits is shown', async () => {
  const clock = createSimulatedClock(0)
  const { meter, counted, gauges } = listing(() => clock.now())
  const figures = arithmeticFigures(meter)
  const queue = new Queue({ threads: 1, maxWaitMs: 1_000, clock, figures })
  const work = async (): Promise<number> => {
    await Promise.resolve() // the other message arrives meanwhile
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
})

Figures('a requestor has its own label up to the hundredth of the settings', () => {
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
