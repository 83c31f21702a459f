/** The calls of a wallet to revocation servers, and the answers that it accepts (spec/cryptography#14.7). @module */

import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { CancelledError, SessionError } from '../../libraries/wallet/failure.ts'
import { revocationServers } from '../../libraries/wallet/revocation-servers.ts'
import type { Clock } from '../../ports/clock.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import { encodeEvents } from '../../protocol/revocation-cbor.ts'
import { intervalsOver } from '../../protocol/revocation-urls.ts'
import type { CredentialType } from '../../schemes/types.ts'
import { suite } from '../suite.ts'
import { createAuthority } from './authority.ts'
import { hastyClock } from './fake-server.ts'
import { schemes } from './support.ts'

const BADGE = 'svc-demo.fast.badge'
const Servers = suite('revocation servers, as a wallet asks them (spec/cryptography#14.7)')

Servers('intervals begin at a multiple of 512, get shorter, and end at the next multiple of 16', () => {
  const intervals = (from: number, to: number) =>
    [...intervalsOver({ min: from, max: to + 1 })].map(({ min, max }) => `${min}-${max}`)
  assert.equal(intervals(1, 5), ['0-16'])
  assert.equal(intervals(1, 15), ['0-16'])
  assert.equal(intervals(1, 16), ['0-32'])
  assert.equal(intervals(1, 112), ['0-128'])
  assert.equal(intervals(500, 700), ['0-512', '512-640', '640-704'])
  assert.equal(intervals(520, 1546), ['512-1024', '1024-1536', '1536-1552'])
  assert.equal(intervals(1, 1000), ['0-512', '512-768', '768-896', '896-960', '960-992', '992-1008'])
})

type Handler = (request: IncomingMessage, response: ServerResponse) => void
const authority = createAuthority(BADGE)
authority.revoke(undefined, 40)

/** A server for each handler, and the type whose scheme names them in this order. */
async function withServers(
  handlers: readonly Handler[],
  test: (type: CredentialType, asked: readonly string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = []
  const servers = handlers.map((handler, i) =>
    createServer((request, response) => {
      asked.push(`${i} ${request.method} ${request.url}`)
      handler(request, response)
    }).listen(0, '127.0.0.1'),
  )
  await Promise.all(servers.map(server => once(server, 'listening')))
  const ports = servers.map(server => (server.address() as AddressInfo).port) // the servers listen on TCP
  const type = schemes.credentialType(parseCredentialTypeId(BADGE))
  if (!type) throw new Error('expected the type')
  try {
    await test({ ...type, revocationServers: ports.map(port => `http://127.0.0.1:${port}/x`) }, asked)
  } finally {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
  }
}

const right: Handler = (request, response) => authority.answer(request, response)
type Asking = {
  readonly clock?: Clock
  readonly developerMode?: boolean
  readonly signal?: AbortSignal
}

async function latest(type: CredentialType, asking: Asking = {}) {
  using servers = revocationServers({ fetch, clock: hastyClock(), developerMode: true, ...asking })
  return await servers.latest(type, 0)
}

Servers('the latest update has as many events as the scheme says', () =>
  withServers([right], async (type, asked) => {
    assert.equal(await latest(type), authority.update(16))
    assert.equal(asked, [`0 GET /x/revocation/${BADGE}/update/16/0`])
  }),
)

Servers('only the wanted events of the fetched intervals are returned', () =>
  withServers([right], async (type, asked) => {
    using servers = revocationServers({ fetch, clock: hastyClock(), developerMode: true })
    assert.equal(await servers.events(type, 0, 2, 36), authority.events(2, 37))
    assert.equal(asked, [
      `0 GET /x/revocation/${BADGE}/events/0/0/32`,
      `0 GET /x/revocation/${BADGE}/events/0/32/48`,
    ])
  }),
)

const bytes = (body: Uint8Array | string, status = 200): Handler => {
  return (_, response) => response.writeHead(status, { 'Content-Type': 'application/octet-stream' }).end(body)
}
const NONE = { index: 0, e: 1n, parentHash: authority.events(0, 1)[0]?.parentHash ?? new Uint8Array(0) }
const tooMany = encodeEvents(Array.from({ length: 20_000 }, (_, index) => ({ ...NONE, index })))

for (const [what, body] of [
  ['too many', tooMany],
  ['other', encodeEvents(authority.events(32, 41))],
] as const)
  Servers(`after a server that answers with ${what} events, the next one is asked`, () =>
    withServers([bytes(body), right], async (type, asked) => {
      using servers = revocationServers({ fetch, clock: hastyClock(), developerMode: true })
      assert.equal(await servers.events(type, 0, 2, 12), authority.events(2, 13))
      assert.is(asked.length, 2)
    }),
  )

const WRONG: readonly (readonly [what: string, handler: Handler])[] = [
  ['refuses', bytes('no', 500)],
  ['breaks off', (_, response) => response.destroy()],
  ['answers with another text', bytes('{"sacc":{}}')],
  ['answers with an empty body', bytes('')],
  ['redirects', (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()],
  ['answers with too many bytes', bytes(Buffer.alloc((1 << 16) + 1))],
]

for (const [what, handler] of WRONG) {
  Servers(`after a server that ${what}, the next one is asked`, () =>
    withServers([handler, right], async (type, asked) => {
      assert.equal(await latest(type), authority.update(16))
      assert.equal(
        asked.map(each => each[0]),
        ['0', '1'],
      )
    }),
  )
  Servers(`a single server that ${what} is the error "no answer"`, () =>
    withServers([handler], type =>
      fails(
        latest(type),
        'transport',
        /svc-demo\.fast\.badge: expected an answer from a revocation server, got none/,
      ),
    ),
  )
}

function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => assert.unreachable('expected an error'),
    (error: unknown) => error,
  )
}

async function fails(promise: Promise<unknown>, reason: string, message: RegExp): Promise<void> {
  const error = await errorOf(promise)
  assert.instance(error, SessionError)
  assert.is(error instanceof SessionError && error.reason, reason)
  assert.match(String(error), message)
}

/** Timers of `ms` end as soon as the server gets a call. */
function impatientClock(isAsked: Promise<unknown>, ms: number): Clock {
  return {
    now: () => 0,
    wallNow: () => 0,
    setTimeout: (action, each) => (each === ms ? isAsked.then(action) : {}),
    clearTimeout: () => undefined,
  }
}

for (const [what, ms] of [
  ['one call', 10_000],
  ['all calls', 20_000],
] as const)
  Servers(`a call to a silent or endless server ends with the time limit for ${what}`, async () => {
    const endless: Handler = (_, response) => {
      response.writeHead(200)
      response.write('x')
    }
    for (const handler of [endless, () => undefined]) {
      const calls = new EventEmitter()
      const told: Handler = (request, response) => {
        handler(request, response)
        calls.emit('call')
      }
      const clock = impatientClock(once(calls, 'call'), ms)
      await withServers([told], type => fails(latest(type, { clock }), 'transport', /got none/))
    }
  })

Servers('a user who walks away does not wait for a server', async () => {
  const leaving = new AbortController()
  await withServers([() => leaving.abort(), right], async (type, asked) => {
    assert.instance(await errorOf(latest(type, { signal: leaving.signal })), CancelledError)
    assert.is(asked.length, 1)
  })
})

Servers('without developer mode a server with plain HTTP is not asked', () =>
  withServers([right], async (type, asked) => {
    await fails(latest(type, { developerMode: false }), 'insecure', /developer mode/)
    assert.equal(asked, [])
  }),
)

Servers.run()
