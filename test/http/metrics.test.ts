/** The figures of a server, as Prometheus reads them: their values. No label holds a secret or a text that a caller chose. @module */
import * as assert from 'uvu/assert'
import { prometheusMeter } from '../../http/metrics/prometheus.ts'
import { REASONS } from '../../http/readiness.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { metricsOn } from '../../server/metrics/metrics.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { WriteOutcomes } from '../../stores/outage.ts'
import { StoreRefusalError } from '../../stores/store-error.ts'
import { faultyStore } from '../faults/faulty-store.ts'
import { until } from '../paths/until.ts'
import { withChanges, withSessions } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import {
  appHeaders,
  OF_ONE_SHOP,
  OF_SHOP,
  type Parts,
  type ServerOfTest,
  type SessionOfTest,
  sessionIn,
  withServer,
} from './harness.ts'

const NOW = Date.UTC(2026, 5, 1)
/** the default of `max_session_lifetime` in profile `svc` */
const LIFETIME_MS = 5 * 60_000

type Figures = { readonly text: () => Promise<string>; readonly value: (series: string) => Promise<number> }

/** @param requestors names that may be labels
 *  @param failed gets the names of the metrics that could not be read */
async function counted(
  parts: Parts,
  use: (server: ServerOfTest, figures: Figures) => Promise<void>,
  {
    requestors = [],
    failed = [],
  }: { readonly requestors?: readonly string[]; readonly failed?: string[] } = {},
): Promise<void> {
  const clock = createSimulatedClock(NOW)
  const report = (name: string): void => void failed.push(name)
  const { meter, page } = prometheusMeter({ clock, now: () => clock.now(), report })
  const metrics = metricsOn(meter, { requestors, hasAccounts: false })
  const text = async (): Promise<string> => (await page()).text
  const value = async (series: string): Promise<number> => {
    const line = (await text()).split('\n').find(each => each.startsWith(`${series} `))
    return line === undefined ? Number.NaN : Number(line.slice(series.length + 1))
  }
  await withServer({ ...parts, clock, metrics }, server => use(server, { text, value }))
}

/** A session from its creation to its result, with a callback that is accepted at once. */
async function wholeSession(server: ServerOfTest, headers: Record<string, string> = {}): Promise<void> {
  const request = {
    '@context': 'https://svc.example/ld/request/disclosure/v2',
    disclose: [[['svc-demo.gov.idcard.over18']]],
  }
  const session = sessionIn(
    await server.post({ request, callbackUrl: 'http://shop.example/secret-of-the-shop' }, headers),
  )
  server.clock.advance(7_000)
  await server.call('GET', `${session.app}?secret-in-the-query`, {
    headers: appHeaders('2.4', '2.8', 'secret-of-the-app'),
  })
  server.clock.advance(30_000)
  const body = { proofs: ['secret-in-the-body'] }
  const app = { Authorization: 'secret-of-the-app' }
  await server.call('POST', `${session.app}/proofs`, { headers: app, body })
  await server.call('GET', `${session.requestor}/result`)
  await server.call('GET', `/${session.requestorToken}/secret-in-the-path`)
}

/** A session whose app has connected and waits for the frontend to confirm the code. */
async function pairingSession(server: ServerOfTest): Promise<SessionOfTest> {
  const session = await server.create()
  const { app, frontend, authorization: headers } = session
  const body = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'pin' }
  await server.call('POST', `${frontend}/options`, { headers, body })
  await server.call('GET', app, { headers: appHeaders() })
  return session
}

const accepting: Parts['fetch'] = async () => new Response(null, { status: 204 })

const Metrics = suite('metrics: what a server counts, for Prometheus')

Metrics('a session is counted when it begins and ends, with the times in between', () =>
  counted({ fetch: accepting }, async (server, { value, text }) => {
    assert.is(await value('svc_sessions_created_total{type="disclosing",requestor=""}'), 0)
    await wholeSession(server)
    const type = 'type="disclosing"'
    assert.is(await value(`svc_sessions_created_total{${type},requestor=""}`), 1)
    assert.is(await value(`svc_sessions_finished_total{${type},requestor="",status="DONE"}`), 1)
    assert.is(await value(`svc_sessions_finished_total{${type},requestor="",status="TIMEOUT"}`), 0)
    assert.is(await value(`svc_session_connect_seconds_sum{${type}}`), 7)
    assert.is(await value(`svc_session_answer_seconds_sum{${type}}`), 30)
    assert.is(await value(`svc_session_claim_seconds_count{${type}}`), 1)
    assert.is(await value('svc_sessions_stored'), 1)
    const { requestor } = await server.create()
    await server.call('DELETE', requestor)
    assert.is(await value(`svc_sessions_finished_total{${type},requestor="",status="CANCELLED"}`), 1)
    assert.is(await value(`svc_session_connect_seconds_count{${type}}`), 1)
    assert.match(
      await text(),
      /svc_http_request_seconds_count\{method="POST",route="\/session\{\/\}",status="200"\} 2\n/,
    )
  }),
)

Metrics('pairing is counted at its end, by its outcome', () =>
  counted({}, async (server, { value }) => {
    const endings = ['completed', 'cancelled', 'timeout']
    const ended = () =>
      Promise.all(endings.map(outcome => value(`svc_pairing_ended_total{outcome="${outcome}"}`)))
    const completed = await pairingSession(server)
    const cancelled = await pairingSession(server)
    const forsaken = await pairingSession(server)
    assert.equal(await ended(), [0, 0, 0])
    await server.call('POST', `${completed.frontend}/pairingcompleted`, { headers: completed.authorization })
    assert.equal(await ended(), [1, 0, 0])
    await server.call('DELETE', cancelled.requestor)
    assert.equal(await ended(), [1, 1, 0])
    server.clock.advance(LIFETIME_MS)
    for (const { requestor } of [completed, forsaken])
      assert.is((await server.call('GET', `${requestor}/status`)).text, '"TIMEOUT"')
    assert.equal(await ended(), [1, 1, 1]) // the end of the paired session ends no pairing
  }),
)

Metrics('a callback is counted when it becomes owed, at each attempt and at its end', async () => {
  const answers = [503, 204]
  const fetch: Parts['fetch'] = async () => new Response(null, { status: answers.shift() ?? 204 })
  await counted({ fetch }, async (server, { value }) => {
    await wholeSession(server)
    const kind = '{kind="callback"}'
    await until(async () => (await value(`svc_delivery_attempts_total${kind}`)) === 1)
    assert.is(await value(`svc_deliveries_owed_total${kind}`), 1)
    assert.is(await value(`svc_deliveries_delivered_total${kind}`), 0)
    await until(async () => {
      server.clock.advance(1_000)
      return (await value(`svc_deliveries_delivered_total${kind}`)) === 1
    })
    assert.is(await value(`svc_delivery_attempts_total${kind}`), 2)
    assert.ok((await value(`svc_delivery_seconds_sum${kind}`)) >= 1)
    assert.is(await value(`svc_deliveries_given_up_total${kind}`), 0)
  })
})

Metrics('the number of open event streams follows their opening and end', () =>
  counted({}, async (server, { value }) => {
    const { requestor } = await server.create()
    const stream = await server.open(`${requestor}/statusevents`)
    assert.is(await value('svc_event_streams{kind="session"}'), 1)
    stream.leave()
    await until(async () => (await value('svc_event_streams{kind="session"}')) === 0)
    assert.is(await value('svc_event_streams{kind="revocation"}'), 0)
  }),
)

Metrics('readiness is a figure, with each reason against it', async () => {
  const writes = new WriteOutcomes()
  const store = withChanges(createMemoryStore(), { outage: writes })
  await counted({ store }, async (_server, { value }) => {
    const reasons = () => Promise.all(REASONS.map(reason => value(`svc_not_ready{reason="${reason}"}`)))
    assert.equal([await value('svc_ready'), await reasons()], [1, [0, 0, 0, 0]])
    writes.failed(new StoreRefusalError('the disk is full'))
    assert.equal([await value('svc_ready'), await reasons()], [0, [0, 0, 1, 0]])
  })
})

Metrics('failures of the store are counted, and a figure that cannot be read is left out', async () => {
  const store = faultyStore(createMemoryStore())
  let counts = true
  const count = async (): Promise<number> =>
    counts ? store.sessions.count() : Promise.reject(new Error('gone'))
  const failing = withChanges(store, { sessions: withSessions(store, { count }) })
  const failed: string[] = []
  const use: Parameters<typeof counted>[1] = async (server, { value, text }) => {
    assert.is(await value('svc_store_failures_total{operation="commit"}'), 0)
    const { requestor } = await server.create()
    store.faults.push('fails')
    assert.is((await server.call('DELETE', requestor)).status, 503)
    assert.is(await value('svc_store_failures_total{operation="commit"}'), 1)
    assert.is(await value('svc_store_failures_total{operation="load"}'), 0)
    assert.is(await value('svc_sessions_stored'), 1)
    counts = false
    assert.not.match(await text(), /^svc_sessions_stored/m)
    assert.match(await text(), /^svc_event_streams/m)
  }
  await counted({ store: failing }, use, { failed })
  assert.equal(failed, ['svc_sessions_stored', 'svc_sessions_stored'])
})

const WORDS = /^[a-z_]+$/
const VALUES: Readonly<Record<string, RegExp>> = {
  type: /^(disclosing|signing|issuing)$/,
  status: /^([1-5]\d\d|DONE|CANCELLED|TIMEOUT)$/,
  requestor: /^(|shop|other)$/,
  kind: WORDS,
  stored: WORDS,
  operation: WORDS,
  outcome: /^(completed|cancelled|timeout)$/,
  work: WORDS,
  method: /^[A-Z]+$/,
  route: /^(|[\w/:{}.-]+)$/,
  version: /^v?\d+\.\d+\.\d+$/,
  le: /^(\+Inf|[\d.e-]+)$/,
  issuer: /^svc-demo|^svc-keyshare/,
  counter: /^\d+$/,
  own: /^(true|false)$/,
  scheme: /^svc-[a-z]+$/,
  reason: /^(node|store|store writes|workers)$/,
  space: WORDS,
  major: /^\d+$/,
  minor: /^\d+$/,
  patch: /^\d+$/,
}

/** @returns name and value of each label */
function labelsOf(page: string): readonly (readonly [string, string])[] {
  const lines = page.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return lines.flatMap(line =>
    [...line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    ),
  )
}

Metrics('no label contains a secret, or a text that a caller chose (spec/laws#6)', () =>
  counted(
    { settings: OF_ONE_SHOP, fetch: accepting },
    async (server, { text }) => {
      await wholeSession(server, OF_SHOP)
      await server.post('{"secret-in-the-body"', OF_SHOP)
      await server.post({}, { Authorization: 'secret-of-nobody' })
      for (const method of ['PROPFIND', 'PATCH']) await server.call(method, '/secret-in-the-path')
      const page = await text()
      for (const secret of [...server.secrets, 'secret', 'shop.example', 'over18'])
        assert.not.match(page, secret)
      const labels = labelsOf(page)
      assert.ok(labels.length > 500, `${labels.length} labels`)
      for (const [name, value] of labels)
        assert.ok(VALUES[name]?.test(value), `VALUES has a pattern of ${name} that matches "${value}"`)
      for (const id of page.matchAll(/[0-9a-f]{32}/g)) assert.unreachable(`the page holds ${id[0]}`)
    },
    { requestors: ['shop'] },
  ),
)

Metrics('requestors that are not in the list of labels share one label', () =>
  counted(
    { settings: OF_ONE_SHOP, fetch: accepting },
    async (server, { value }) => {
      await wholeSession(server, OF_SHOP)
      assert.is(await value('svc_sessions_created_total{type="disclosing",requestor="other"}'), 1)
    },
    { requestors: ['another shop'] },
  ),
)

Metrics('the page of figures is not on the listeners for calls', () =>
  withServer({ isApart: true }, async server => {
    assert.is((await server.call('GET', '/metrics')).status, 404)
    assert.is((await server.clients.call('GET', '/metrics')).status, 404)
  }),
)

Metrics.run()
