/** The feed of the inspector's page: its messages about the actors of a running server. */
import * as assert from 'uvu/assert'
import type { ShownStep } from '../../../actors/inspection/views.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { columnsOf, elapse, newSessionOf } from '../../actors/node.ts'
import { suite } from '../../suite.ts'
import {
  AUTHENTICATED,
  appHeaders,
  disclosure,
  OF_SHOP,
  type ServerOfTest,
  type SessionOfTest,
  sessionIn,
} from '../harness.ts'
import { type InspectedServer, type PageViewer, viewerOf, withInspector } from './harness.ts'

const idOf = ({ clientToken }: SessionOfTest): string => hashOfToken(clientToken)
const NEVER_SEEN = 'f'.repeat(32)

const PageFeed = suite('inspector: the feed of its page')

const connect = (server: ServerOfTest, { app }: SessionOfTest) =>
  server.call('GET', app, { headers: appHeaders() })
const submit = (server: ServerOfTest, { app }: SessionOfTest) =>
  server.call('POST', `${app}/proofs`, { headers: appHeaders(), body: {} })
const cancel = (server: ServerOfTest, { requestor }: SessionOfTest) => server.call('DELETE', requestor)

/** An app connects, after pairing. */
async function connectPaired(server: ServerOfTest, session: SessionOfTest): Promise<void> {
  const { authorization: headers, frontend } = session
  const body = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'pin' }
  await server.call('POST', `${frontend}/options`, { headers, body })
  await connect(server, session)
  await server.call('POST', `${frontend}/pairingcompleted`, { headers })
}

/** Sends a question, and waits for its answer, which arrives after every step that was committed before. */
async function caughtUp(viewer: PageViewer): Promise<void> {
  const before = viewer.all('svc.path').length
  viewer.send({ type: 'path', id: NEVER_SEEN })
  await viewer.until(() => viewer.all('svc.path').length > before)
}

const namesOf = (steps: readonly Pick<ShownStep, 'event'>[]): readonly string[] =>
  steps.map(({ event }) => event.type)

PageFeed('a viewer sees every step of a session in its order: event, edges, states before and after', () =>
  withInspector(async server => {
    const viewer = await viewerOf(server.inspectorPort)
    const session = await server.create()
    await connectPaired(server, session)
    await submit(server, session)
    await elapse(server.clock, 300_000)
    await viewer.until(() => viewer.all('svc.step').some(({ actor }) => actor === null))
    const at = (source: string, cause: string, place = 0) => [{ source, cause, place }]
    assert.equal(
      viewer
        .all('svc.step')
        .map(({ event, before, edges, actor }) => [event.type, before[0], edges, actor?.states[0]]),
      [
        ['frontend.chose', 'INITIALIZED', at('INITIALIZED', 'frontend.chose'), 'INITIALIZED'],
        ['app.connected', 'INITIALIZED', at('INITIALIZED', 'app.connected'), 'PAIRING'],
        ['frontend.paired', 'PAIRING', at('PAIRING', 'frontend.paired'), 'CONNECTED.awaiting'],
        [
          'app.submitted',
          'CONNECTED.awaiting',
          at('CONNECTED.awaiting', 'app.submitted'),
          'CONNECTED.checking',
        ],
        ['server.checked', 'CONNECTED.checking', at('CONNECTED.checking', 'server.checked', 3), 'DONE'],
        ['xstate.after.retention.session.DONE', 'DONE', at('DONE', 'retention'), undefined],
      ],
    )
    assert.ok(viewer.all('svc.step').every(({ id, chart }) => id === idOf(session) && chart === 'session'))
    await viewer.close()
  }),
)

PageFeed('an actor is shown with its facts, its times and its requestor', () =>
  withInspector(
    async server => {
      const now = server.clock.now()
      const session = sessionIn(
        await server.post({ request: { ...disclosure(), host: 'www.shop.example' } }, OF_SHOP),
      )
      const viewer = await viewerOf(server.inspectorPort)
      const list = viewer.all('svc.list').find(({ chart }) => chart === 'session')
      assert.equal(list?.actors, [
        {
          chart: 'session',
          id: idOf(session),
          version: 1,
          status: 'INITIALIZED',
          states: ['INITIALIZED'],
          requestor: 'shop',
          cause: null,
          isAwake: false,
          sinceAt: now,
          dueAt: now + 300_000,
          facts: {
            deadlineAt: now + 300_000,
            timeoutMs: 300_000,
            connectedTimeoutMs: 300_000,
            retentionMs: 300_000,
            hasCallback: false,
            hasNextSession: false,
            issues: false,
            pairing: 'none',
            protocolVersion: null,
            isPaired: false,
            isFetched: false,
            claim: null,
          },
        },
      ])
      await viewer.close()
    },
    { settings: AUTHENTICATED },
  ),
)

PageFeed('a late viewer first gets the state of all actors, the newest first, asleep or awake', () =>
  withInspector(async server => {
    const [first, second] = [await server.create(), await server.create()]
    server.clock.advance(1_000)
    await connect(server, first)
    const viewer = await viewerOf(server.inspectorPort)
    assert.equal(viewer.messages.map(({ type }) => type).slice(0, 3), ['svc.hello', 'svc.list', 'svc.list'])
    const [hello] = viewer.all('svc.hello')
    assert.equal([hello?.now, hello?.charts, hello?.kept], [server.clock.now(), ['delivery', 'session'], []])
    const [deliveries, sessions] = viewer.all('svc.list')
    assert.equal([deliveries?.chart, deliveries?.total], ['delivery', 0])
    assert.equal(
      [
        sessions?.total,
        sessions?.actors.map(({ id, status, isAwake, sinceAt }) => [id, status, isAwake, sinceAt]),
      ],
      [
        2,
        [
          [idOf(second), 'INITIALIZED', false, server.clock.now() - 1_000],
          [idOf(first), 'CONNECTED', true, server.clock.now()],
        ],
      ],
    )
    await viewer.close()
  }),
)

PageFeed('of more than 1,000 actors the newest are listed, with the total number', () =>
  withInspector(async server => {
    for (let i = 0; i < 1_100; i++)
      await server.sessions.open({ ...newSessionOf(`${i}`), columns: columnsOf(`${i}`) })
    const viewer = await viewerOf(server.inspectorPort)
    const list = viewer.all('svc.list').find(({ chart }) => chart === 'session')
    assert.equal([list?.total, list?.actors.length], [1_100, 1_000])
    assert.is(list?.actors[0]?.id, hashOfToken('client-1099'))
    await viewer.close()
  }),
)

PageFeed('an actor is found by its id, also asleep in the store, and finding it changes nothing', () =>
  withInspector(async server => {
    const session = await server.create()
    await cancel(server, session)
    const { store, clock, inspectorPort } = server
    const row = await store.sessions.load(idOf(session))
    clock.advance(299_999) // 1 ms before the session is forgotten
    const viewer = await viewerOf(inspectorPort)
    for (const id of [idOf(session), NEVER_SEEN]) viewer.send({ type: 'find', id })
    await viewer.until(() => viewer.all('svc.found').length === 2)
    assert.equal(
      viewer.all('svc.found').map(({ id, actor }) => [id, actor?.status]),
      [
        [idOf(session), 'CANCELLED'],
        [NEVER_SEEN, undefined],
      ],
    )
    assert.is(await store.sessions.load(idOf(session)), row)
    await viewer.close()
  }),
)

PageFeed(
  'a filter by status also passes the step out of the status, and every step of the chosen actor',
  () =>
    withInspector(async server => {
      const viewer = await viewerOf(server.inspectorPort)
      const [chosen, other] = [await server.create(), await server.create()]
      viewer.send({ type: 'filter', chart: 'session', status: 'CONNECTED', requestor: '' })
      viewer.send({ type: 'choose', id: idOf(chosen) })
      await viewer.until(({ type }) => type === 'svc.found')
      await cancel(server, chosen)
      await connect(server, other)
      await cancel(server, other)
      await cancel(server, await server.create()) // this session was never CONNECTED
      await caughtUp(viewer)
      viewer.send({ type: 'filter', chart: 'login', status: '', requestor: '' })
      await caughtUp(viewer)
      await cancel(server, await server.create())
      await caughtUp(viewer)
      viewer.send({ type: 'filter', chart: '', status: '', requestor: 'shop' })
      await caughtUp(viewer)
      await cancel(server, await server.create())
      await caughtUp(viewer)
      assert.equal(
        viewer.all('svc.step').map(({ id, event }) => [id, event.type]),
        [
          [idOf(chosen), 'cancelled'],
          [idOf(other), 'app.connected'],
          [idOf(other), 'cancelled'],
        ],
      )
      await viewer.close()
    }),
)

PageFeed('steps beyond 200 in a second are skipped and counted, except those of the chosen actor', () =>
  withInspector(async server => {
    const viewer = await viewerOf(server.inspectorPort)
    const chosen = await server.create()
    viewer.send({ type: 'choose', id: idOf(chosen) })
    await viewer.until(({ type }) => type === 'svc.found')
    server.clock.advance(1_000)
    for (let i = 0; i < 203; i++) await server.create()
    await cancel(server, chosen)
    await caughtUp(viewer)
    assert.is(viewer.all('svc.changed').length, 1 + 200)
    assert.equal(namesOf(viewer.all('svc.step')), ['cancelled'])
    assert.equal(viewer.all('svc.skipped'), [])
    server.clock.advance(1_000)
    await server.create()
    await caughtUp(viewer)
    assert.equal(
      viewer.all('svc.skipped').map(({ count }) => count),
      [3],
    )
    assert.is(viewer.all('svc.changed').length, 1 + 200 + 1)
    await viewer.close()
  }),
)

PageFeed('the feed contains the next session of a chain, and the callback that a session owes', () =>
  withInspector(async server => {
    const viewer = await viewerOf(server.inspectorPort)
    const { sessions } = server
    const { id } = await sessions.open({ ...newSessionOf('first'), hasCallback: true })
    await sessions.turn(id, () => ({ event: { type: 'cancelled' }, opens: newSessionOf('second') }))
    await viewer.until(() => viewer.all('svc.changed').length === 3)
    assert.equal(
      viewer.all('svc.changed').map(({ chart, actor }) => [chart, actor?.status, actor?.cause]),
      [
        ['session', 'INITIALIZED', null],
        ['session', 'INITIALIZED', null],
        ['delivery', 'waiting', 'CANCELLED'],
      ],
    )
    await viewer.close()
  }),
)

const eventsOfPath = (viewer: PageViewer): readonly string[] =>
  namesOf(viewer.all('svc.path').at(-1)?.path?.steps ?? [])

PageFeed('a kept path is recorded without viewers, and later viewers get it', () =>
  withInspector(async (server: InspectedServer) => {
    const session = await server.create()
    const id = idOf(session)
    const first = await viewerOf(server.inspectorPort)
    first.send({ type: 'keep', id, isOn: true })
    await first.until(({ type }) => type === 'svc.path')
    await first.close()
    await connectPaired(server, session)
    await submit(server, session)
    await cancel(server, await server.create())
    const second = await viewerOf(server.inspectorPort)
    const [standing] = second.all('svc.hello')[0]?.kept ?? []
    assert.equal([standing?.id, standing?.status, standing?.version], [id, 'DONE', 6])
    second.send({ type: 'path', id })
    await second.until(({ type }) => type === 'svc.path')
    const path = second.all('svc.path')[0]?.path
    assert.equal([path?.first.states, path?.isCut], [['INITIALIZED'], false])
    const names = ['frontend.chose', 'app.connected', 'frontend.paired', 'app.submitted', 'server.checked']
    assert.equal(eventsOfPath(second), names)
    assert.ok(path?.steps.every(({ event }) => event.fields.at === server.clock.now()))
    second.send({ type: 'keep', id, isOn: false })
    await second.until(() => second.all('svc.path').length === 2)
    assert.is(second.all('svc.path')[1]?.path, null)
    second.send({ type: 'keep', id: NEVER_SEEN, isOn: true })
    await second.until(() => second.all('svc.path').length === 3)
    assert.is(second.all('svc.path')[2]?.path, null)
    await second.close()
  }),
)

PageFeed.run()
