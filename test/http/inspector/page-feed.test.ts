/** The feed of the inspector's page: what it says of the actors of a running server. */
import * as assert from 'uvu/assert'
import type { PageMessage } from '../../../http/inspector/page-messages.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { suite } from '../../suite.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest } from '../harness.ts'
import { viewerOf, withInspector } from './harness.ts'

type Message<Type extends PageMessage['type']> = Extract<PageMessage, { readonly type: Type }>

const isStep =
  (event: string) =>
  (message: PageMessage): message is Message<'svc.step'> =>
    message.type === 'svc.step' && message.event.type === event

/** An app connects, after pairing. */
async function connectPaired(server: ServerOfTest, session: SessionOfTest): Promise<void> {
  const { authorization: headers } = session
  const body = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'pin' }
  await server.call('POST', `${session.frontend}/options`, { headers, body })
  await server.call('GET', session.app, { headers: appHeaders() })
  await server.call('POST', `${session.frontend}/pairingcompleted`, { headers })
}

const PageFeed = suite('inspector: what its page is sent')

PageFeed('a viewer sees every step of a session in its order: event, edges, states before and after', () =>
  withInspector(async server => {
    const viewer = await viewerOf(server.inspectorPort)
    const session = await server.create()
    await connectPaired(server, session)
    await server.call('POST', `${session.app}/proofs`, { headers: appHeaders(), body: {} })
    await viewer.until(isStep('server.checked'))
    const steps = viewer.messages.filter(message => message.type === 'svc.step')
    assert.equal(
      steps.map(({ event, before, edges, actor }) => [event.type, before, edges, actor?.states]),
      [
        ['frontend.chose', ['INITIALIZED'], [edge('INITIALIZED', 'frontend.chose')], ['INITIALIZED']],
        ['app.connected', ['INITIALIZED'], [edge('INITIALIZED', 'app.connected')], ['PAIRING']],
        ['frontend.paired', ['PAIRING'], [edge('PAIRING', 'frontend.paired')], ['CONNECTED.awaiting']],
        [
          'app.submitted',
          ['CONNECTED.awaiting'],
          [edge('CONNECTED.awaiting', 'app.submitted')],
          ['CONNECTED.checking'],
        ],
        [
          'server.checked',
          ['CONNECTED.checking'],
          [edge('CONNECTED.checking', 'server.checked', 3)],
          ['DONE'],
        ],
      ],
    )
    const id = hashOfToken(session.clientToken)
    assert.ok(steps.every(step => step.id === id && step.chart === 'session'))
    await viewer.close()
  }),
)

function edge(source: string, cause: string, place = 0) {
  return { source, cause, place }
}

PageFeed.run()
