/** Calls through the proxies in the environment: the proxy of each call, and the requests that the proxy gets. @module */
import { createServer } from 'node:http'
import * as assert from 'uvu/assert'
import { listen } from '../../demo/listen.ts'
import { closeListener } from '../../http/listen.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { type Environment, environmentFetch, ProxyError } from '../../ports/environment-fetch.ts'
import { createOutgoing, OutgoingError } from '../../ports/outgoing.ts'
import { suite } from '../suite.ts'
import { type ProxyOfTest, startProxy } from './proxy.ts'

/** A host that no name server knows, so that only the proxy can reach it. */
const HOST = 'receiver.test.invalid'

const Calls = suite('calls through a proxy of the environment')

async function withProxy(use: (proxy: ProxyOfTest) => Promise<void>): Promise<void> {
  const proxy = await startProxy()
  try {
    await use(proxy)
  } finally {
    await proxy.close()
  }
}

Calls('without a variable environmentFetch is the fetch of Node', () => {
  for (const environment of [{}, { HTTPS_PROXY: '', http_proxy: ' ' }, { NO_PROXY: '*' }])
    assert.is(environmentFetch(environment), globalThis.fetch)
})

Calls('http goes to HTTP_PROXY as a request, with its body and headers', () =>
  withProxy(async proxy => {
    const fetch = environmentFetch({ HTTP_PROXY: proxy.address })
    const init = { method: 'POST', headers: { 'Idempotency-Key': 'a' }, body: 'the body' }
    const answer = await fetch(`http://${HOST}:81/path?a=1`, init)
    assert.equal([answer.status, await answer.text()], [200, 'answered by the proxy'])
    const [asked] = proxy.asked
    assert.equal(
      [asked?.method, asked?.target, asked?.headers['idempotency-key'], asked?.headers.host, asked?.body],
      ['POST', `http://${HOST}:81/path?a=1`, 'a', `${HOST}:81`, 'the body'],
    )
  }),
)

Calls('https goes to HTTPS_PROXY as a tunnel, and only the proxy gets its credentials', () =>
  withProxy(async proxy => {
    const address = proxy.address.replace('http://', 'http://svc:top%20secret@')
    const outgoing = createOutgoing({
      fetch: environmentFetch({ HTTPS_PROXY: address }),
      clock: createSystemClock(),
    })
    const message = { body: '{}', contentType: 'application/json', idempotencyKey: 'a' }
    const failure = await outgoing.post(`https://${HOST}/callback`, message).catch(error => error)
    assert.instance(failure, OutgoingError) // because this proxy opens no tunnel
    assert.not.match(String(failure), /secret|receiver/)
    const [asked] = proxy.asked
    assert.equal([asked?.method, asked?.target], ['CONNECT', `${HOST}:443`])
    const basic = Buffer.from('svc:top secret').toString('base64')
    assert.is(asked?.headers['proxy-authorization'], `Basic ${basic}`)
  }),
)

for (const [what, environment, url, isThroughProxy] of [
  ['a variable in small letters', { http_proxy: 'PROXY' }, `http://${HOST}/`, true],
  ['small letters first', { http_proxy: 'PROXY', HTTP_PROXY: 'http://127.0.0.1:1' }, `http://${HOST}/`, true],
  ['an address without a scheme', { HTTP_PROXY: 'BARE' }, `http://${HOST}/`, true],
  ['no proxy for https', { HTTP_PROXY: 'PROXY' }, `https://${HOST}/`, false],
  ['no proxy for http', { HTTPS_PROXY: 'PROXY' }, `http://${HOST}/`, false],
  ['a host of NO_PROXY', { HTTP_PROXY: 'PROXY', NO_PROXY: `a.example,${HOST}` }, `http://${HOST}/`, false],
  ['a domain of NO_PROXY', { HTTP_PROXY: 'PROXY', NO_PROXY: '.test.invalid' }, `http://${HOST}/`, false],
  ['a port of NO_PROXY', { HTTP_PROXY: 'PROXY', NO_PROXY: `${HOST}:8080` }, `http://${HOST}:8080/`, false],
  ['another port', { HTTP_PROXY: 'PROXY', NO_PROXY: `${HOST}:8080` }, `http://${HOST}/`, true],
  ['NO_PROXY of all', { HTTP_PROXY: 'PROXY', no_proxy: '*' }, `http://${HOST}/`, false],
  ['a part of a name', { HTTP_PROXY: 'PROXY', NO_PROXY: 'invalid.test' }, `http://${HOST}/`, true],
] as const satisfies readonly (readonly [string, Environment, string, boolean])[])
  Calls(`${what}: ${isThroughProxy ? 'through the proxy' : 'directly'}`, () =>
    withProxy(async ({ address, asked }) => {
      const bare = address.replace('http://', '')
      const given = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          value.replace('PROXY', address).replace('BARE', bare),
        ]),
      )
      const answer = await environmentFetch(given)(url).catch(() => null)
      assert.equal([answer?.status, asked.length], isThroughProxy ? [200, 1] : [undefined, 0])
    }),
  )

Calls('this machine is called directly', () =>
  withProxy(async proxy => {
    const server = createServer((_, response) => response.end('direct'))
    const address = await listen(server, 0, '127.0.0.1')
    const fetch = environmentFetch({ HTTP_PROXY: proxy.address, HTTPS_PROXY: proxy.address })
    const { port } = new URL(address)
    for (const host of ['127.0.0.1', 'localhost']) {
      const answer = await fetch(`http://${host}:${port}/`)
      assert.is(await answer.text(), 'direct')
    }
    assert.equal(proxy.asked, [])
    await closeListener(server)
  }),
)

Calls('an invalid address of a proxy is refused, and not quoted in the error', () => {
  for (const address of ['socks5://user:secret@a', 'http://', 'http://a b:secret', 'ftp://secret.example'])
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY'])
      assert.throws(
        () => environmentFetch({ [name]: address }),
        (error: Error) =>
          error instanceof ProxyError &&
          error.message.startsWith(`${name}: `) &&
          !/secret/.test(error.message),
      )
})

Calls('a call ends when its signal is aborted', () =>
  withProxy(async proxy => {
    const stop = new AbortController()
    const fetch = environmentFetch({ HTTP_PROXY: proxy.address })
    const call = fetch(`http://${HOST}/silent`, { signal: stop.signal }).catch(error => error.name)
    await proxy.nextAsked()
    stop.abort()
    assert.is(await call, 'AbortError')
  }),
)

Calls.run()
