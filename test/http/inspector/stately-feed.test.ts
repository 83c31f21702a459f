/** The feed for the Stately Inspector, read by the library's own receiver. */
import { once } from 'node:events'
import { createWebSocketReceiver, type StatelyInspectionEvent } from '@statelyai/inspect'
import * as assert from 'uvu/assert'
import { createMachine } from 'xstate'
import { type ActorSource, Inspection } from '../../../actors/inspection/inspection.ts'
import type { ShownActor } from '../../../actors/inspection/views.ts'
import { StatelyFeed as Feed } from '../../../http/inspector/stately-feed.ts'
import { actorMessage, type StatelyMessage, stepMessages } from '../../../http/inspector/stately-messages.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { suite } from '../../suite.ts'
import { appHeaders } from '../harness.ts'
import { socketTo, TOKEN, withInspector } from './harness.ts'

const StatelyFeed = suite('inspector: the feed for the Stately Inspector')

StatelyFeed(
  'the receiver of the library gets the existing actors, and every event and snapshot after that',
  () =>
    withInspector(async server => {
      const early = await server.create()
      const received: StatelyInspectionEvent[] = []
      const receiver = createWebSocketReceiver({
        server: `ws://127.0.0.1:${server.inspectorPort}/stately?token=${TOKEN}`,
      })
      let look = (): void => {}
      receiver.subscribe(event => {
        received.push(event)
        look()
      })
      const until = (count: number) =>
        new Promise<void>(resolve => {
          look = () => received.length >= count && resolve()
          look()
        })
      await until(1)
      await server.call('GET', early.app, { headers: appHeaders() })
      await until(3)
      const id = hashOfToken(early.clientToken)
      assert.equal(
        received.map(({ type, sessionId, rootId }) => [type, sessionId, rootId]),
        ['@xstate.actor', '@xstate.event', '@xstate.snapshot'].map(type => [type, id, id]),
      )
    }),
)
const LISTED = {
  id: 'a'.repeat(32),
  version: 3,
  dueAt: 7,
  sinceAt: 1,
  requestor: null,
  cause: null,
  isAwake: true,
}
const ACTORS: readonly (readonly [ShownActor, value: unknown])[] = [
  [
    { ...LISTED, chart: 'session', status: 'CONNECTED', states: ['CONNECTED.checking'], facts: {} },
    { CONNECTED: 'checking' },
  ],
  [{ ...LISTED, chart: 'delivery', status: 'waiting', states: ['waiting'], facts: {} }, 'waiting'],
  [
    {
      ...LISTED,
      chart: 'login',
      status: 'active',
      facts: {},
      states: ['active.attempts.open', 'active.challenge.pending', 'active.commitment.none'],
    },
    { active: { attempts: 'open', challenge: 'pending', commitment: 'none' } },
  ],
]

for (const [actor, value] of ACTORS)
  StatelyFeed(
    `XState reads the definition of the ${actor.chart} chart, and the snapshot is a state of it`,
    () => {
      const message = actorMessage(actor, 1)
      assert.equal(message.type === '@xstate.actor' && message.snapshot.value, value)
      const machine = createMachine(JSON.parse(message.type === '@xstate.actor' ? message.definition : ''))
      assert.equal(
        machine.resolveState({ value: Object(value) === value ? Object(value) : String(value) }).value,
        value,
      )
      const step = {
        chart: actor.chart,
        id: actor.id,
        edges: [],
        before: [],
        event: { type: 'e', fields: {} },
      }
      const [, ended] = stepMessages({ ...step, actor: null }, 2)
      assert.equal(ended?.type === '@xstate.snapshot' && ended.snapshot, {
        status: 'done',
        value: 'forgotten',
      })
    },
  )

StatelyFeed('an actor is announced before its first step, and once', () =>
  withInspector(async server => {
    const said: { readonly type: string; readonly sessionId: string }[] = []
    const socket = socketTo(server.inspectorPort, { path: '/stately' })
    socket.on('message', data => said.push(JSON.parse(String(data))))
    await once(socket, 'open')
    const { app, requestor } = await server.create()
    await server.call('GET', app, { headers: appHeaders() })
    await server.call('DELETE', requestor)
    while (said.length < 5) await once(socket, 'message')
    assert.equal(
      said.map(({ type }) => type.slice('@xstate.'.length)),
      ['actor', 'event', 'snapshot', 'event', 'snapshot'],
    )
    socket.close()
    await once(socket, 'close')
  }),
)

/** A feed whose newest actors the test provides, and a record of the sent messages. */
function fed(newest: ActorSource['newest']) {
  const inspection = new Inspection(() => {})
  inspection.add({ chart: 'session', newest, find: async () => null })
  const clock = createSimulatedClock(0)
  const sent: StatelyMessage[] = []
  const feed = new Feed({ inspection, clock }, message => sent.push(message))
  return { inspection, clock, sent, feed }
}
const actorOf = (id: number): ShownActor => ({
  ...LISTED,
  id: String(id),
  chart: 'session',
  facts: {},
  status: 'CONNECTED',
  states: ['CONNECTED.awaiting'],
})
const actorsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, i) => actorOf(first + i))

StatelyFeed('the feed begins with the 50 newest actors of each chart', async () => {
  const { feed, sent } = fed(async most => ({ total: 60, actors: actorsFrom(0, most) }))
  await feed.begin()
  assert.is(sent.length, 50)
  feed.stop()
})

StatelyFeed('after more than 1,000 actors the first one is announced again', async () => {
  let actors = actorsFrom(0, 1_001)
  const { feed, sent, inspection } = fed(async () => ({ total: 0, actors }))
  inspection.lists = async () => [{ chart: 'session', total: 0, actors }]
  await feed.begin()
  assert.is(sent.length, 1_001)
  actors = [actorOf(1), actorOf(500), actorOf(1_000)]
  await feed.begin()
  assert.is(sent.length, 1_001)
  actors = [actorOf(0)]
  await feed.begin()
  assert.is(sent.length, 1_002)
  feed.stop()
})

StatelyFeed('a new actor is announced at once, and a deleted one is not', () => {
  const { feed, sent, inspection } = fed(async () => ({ total: 0, actors: [] }))
  inspection.changed('session', '0', null)
  assert.is(sent.length, 0)
  inspection.changed('session', '1', actorOf(1))
  assert.is(sent.length, 1)
  const step = { chart: 'session', id: '2', edges: [], before: [], actor: actorOf(2) } as const
  inspection.stepped({ ...step, event: { type: 'app.fetched', fields: {} } })
  assert.equal(
    sent.slice(1).map(({ type }) => type),
    ['@xstate.actor', '@xstate.event', '@xstate.snapshot'],
  )
  feed.stop()
})

StatelyFeed('steps and new actors beyond 200 in a second are skipped', () => {
  const { feed, sent, inspection, clock } = fed(async () => ({ total: 0, actors: [] }))
  const step = { chart: 'session', id: 'a', edges: [], before: [], actor: null } as const
  const stepped = () => inspection.stepped({ ...step, event: { type: 'cancelled', fields: {} } })
  for (let i = 0; i < 300; i++) stepped()
  assert.is(sent.length, 2 * 200)
  inspection.changed('session', '1', actorOf(1))
  assert.is(sent.length, 2 * 200)
  clock.advance(1_000)
  stepped()
  inspection.changed('session', '1', actorOf(1))
  assert.is(sent.length, 2 * 200 + 2 + 1)
  feed.stop()
})
StatelyFeed.run()
