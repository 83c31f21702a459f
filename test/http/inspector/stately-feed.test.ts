/** The feed for the Stately Inspector, read by the library's own receiver. */
import { createWebSocketReceiver } from '@statelyai/inspect'
import * as assert from 'uvu/assert'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { suite } from '../../suite.ts'
import { appHeaders } from '../harness.ts'
import { TOKEN, withInspector } from './harness.ts'

const StatelyFeed = suite('inspector: what the Stately Inspector is sent')

StatelyFeed(
  'its own receiver gets the actors that are there, and every event and snapshot from then on',
  () =>
    withInspector(async server => {
      const early = await server.create()
      const received: import('@statelyai/inspect').StatelyInspectionEvent[] = []
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
StatelyFeed.run()
