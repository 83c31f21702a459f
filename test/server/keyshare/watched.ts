/** Helpers of inspector-secrets.test.ts: a session server behind a relay, a shop that receives callbacks, and both feeds of an inspector. @module */

import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import * as assert from 'uvu/assert'
import type { Inspection } from '../../../actors/inspection/inspection.ts'
import { createInspectorServer } from '../../../http/inspector/server.ts'
import { createSystemClock } from '../../../ports/clock.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import type { Schemes } from '../../../schemes/types.ts'
import { createNode } from '../../../server/create-node.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { sharedPool } from '../../actors/shared-pool.ts'
import { SHOP } from '../../http/harness.ts'
import { socketTo, TOKEN, viewerOf } from '../../http/inspector/harness.ts'
import { relayTo } from '../../relay.ts'
import { FAILURES, settingsOfTest } from '../node-of-test.ts'
import { keyFile } from './node.ts'

export const REQUESTOR_TOKEN = 'secret-of-the-shop'

/** Opens both feeds of an inspector, and records their messages. */
export async function watching(inspection: Inspection) {
  const clock = createSystemClock()
  const inspector = createInspectorServer({ inspection, clock, log: { info() {}, warn() {} }, token: TOKEN })
  const { port } = await inspector.listen(0)
  const page = await viewerOf(port)
  const stately = socketTo(port, { path: '/stately' })
  const said: string[] = []
  stately.on('message', data => said.push(String(data)))
  await once(stately, 'open')
  return {
    page,
    /** Asks for every list and every path, then closes the feeds. @returns all messages */
    async all(): Promise<string> {
      for (const { id } of page.all('svc.list').flatMap(({ actors }) => actors)) await inspection.keepPath(id)
      page.send({ type: 'list' })
      await page.until(({ type }) => type === 'svc.list')
      await page.close()
      stately.close()
      await once(stately, 'close')
      await inspector.close()
      return [...page.texts, ...said].join('\n')
    },
  }
}

/** A session server behind a relay. */
export async function startSessions(schemes: Schemes, inspection: Inspection) {
  let target = 0
  const relay = await relayTo(() => target)
  const everything = { disclosePerms: ['*'], signPerms: ['*'], issuePerms: ['*'], hostPerms: ['*'] }
  const key = readFileSync(keyFile('session-jwt.private.pem'))
  const url = `http://127.0.0.1:${relay.port}/`
  const settings = settingsOfTest(
    {
      url,
      profile: 'irma',
      noAuth: false,
      threads: 1,
      requestors: [{ ...SHOP, ...everything, auth: { method: 'token', token: REQUESTOR_TOKEN } }],
      permissions: everything,
      resultSigner: { issuer: 'test', privateKey: createPrivateKey(key), publicKeyPem: '' },
    },
    schemes,
  )
  const node = await createNode(settings, {
    clock: createSystemClock(),
    random: { ...systemRandomness, pairingCode: () => '0482' }, // a random code may equal a number that the charts show
    fetch,
    log: FAILURES,
    inspection,
    instead: { store: createMemoryStore(), pool: sharedPool() },
  })
  target = (await node.server.listen(0, '127.0.0.1')).port
  const call = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(url + path, {
      method,
      headers: { Authorization: REQUESTOR_TOKEN, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  return { relay, call, close: node.close }
}

/** Creates a session. A callback sends its result to the shop.
 *  @returns the pointer for the wallet app, and the token of the requestor */
export async function create(
  call: Awaited<ReturnType<typeof startSessions>>['call'],
  request: object,
  callbackUrl: string,
) {
  const answer = await call('POST', 'session', { request, callbackUrl })
  assert.is(answer.status, 200)
  const { sessionPtr, token, frontendRequest } = Object(await answer.json())
  const headers = { Authorization: String(frontendRequest.authorization) }
  const frontend = (path: string, body: object): Promise<Response> =>
    fetch(`${sessionPtr.u}/frontend/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { pointer: JSON.stringify(sessionPtr), token: String(token), frontend }
}

export async function receiver() {
  const keys: string[] = []
  const server = createServer((req, res) => {
    keys.push(String(req.headers['idempotency-key']))
    req.resume()
    res.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  return { keys, url: `http://127.0.0.1:${address.port}/path-of-the-bakery`, close: () => server.close() }
}
