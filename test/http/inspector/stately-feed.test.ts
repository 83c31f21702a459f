/** The feed for the Stately Inspector, read by the library's own receiver. */
import { once } from 'node:events'
import { createWebSocketReceiver, type StatelyInspectionEvent } from '@statelyai/inspect'
import * as assert from 'uvu/assert'
import { createMachine } from 'xstate'
import type { ShownActor } from '../../../actors/inspection/views.ts'
import { actorMessage, stepMessages } from '../../../http/inspector/stately-messages.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { suite } from '../../suite.ts'
import { appHeaders } from '../harness.ts'
import { socketTo, TOKEN, withInspector } from './harness.ts'

const StatelyFeed = suite('inspector: what the Stately Inspector is sent')

StatelyFeed(
  'its own receiver gets the actors that are there, and every event and snapshot from then on',
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
      ...{ ...LISTED, chart: 'login', status: 'active', facts: {} },
      states: ['active.attempts.open', 'active.challenge.pending', 'active.commitment.none'],
    },
    { active: { attempts: 'open', challenge: 'pending', commitment: 'none' } },
  ],
]

for (const [actor, value] of ACTORS)
  StatelyFeed(
    `the definition of the ${actor.chart} chart is one that XState reads, and its snapshot a state of it`,
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
StatelyFeed.run()
