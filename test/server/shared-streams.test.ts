/** `max_streams` of `svc server` is one limit for both of its listeners. @module */
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { createNode } from '../../server/create-node.ts'
import { readNodeSettings } from '../../server/settings/node-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { systemWorld } from '../../server/world.ts'
import { clientOf } from '../http/client.ts'
import { disclosure, sessionIn } from '../http/harness.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'

const Shared = suite('svc server: event streams')

Shared('max_streams bounds the streams of requestors and of clients together', async () => {
  const values = {
    schemes_path: DEMO_SCHEMES,
    store: 'memory',
    workers: 1,
    // adds the second listener; the test chooses its port
    client_port: 20_001,
    max_streams: 1,
  }
  const { options } = sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'f', values } })
  const { settings } = await readNodeSettings({ options }, () => {})
  const { server, clientServer, close } = await createNode(settings, systemWorld(pino({ level: 'silent' })))
  try {
    const requestors = clientOf((await server.listen(0, '127.0.0.1')).port)
    const clients = clientOf((await clientServer?.listen(0, '127.0.0.1'))?.port ?? 0)
    const headers = { 'Content-Type': 'application/json' }
    const answer = await requestors.call('POST', '/session', { headers, body: disclosure() })
    const { requestor, app } = sessionIn(answer)
    const stream = await requestors.open(`${requestor}/statusevents`)
    const refused = await clients.open(`${app}/statusevents`)
    refused.leave()
    stream.leave()
    assert.equal([stream.head.status, refused.head.status], [200, 503])
  } finally {
    await close()
  }
})

Shared.run()
