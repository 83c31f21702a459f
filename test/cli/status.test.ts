import { createServer, type Server, type ServerResponse } from 'node:http'
import * as assert from 'uvu/assert'
import { call, RefusedError, UnreachableError } from '../../cli/session/http.ts'
import { frontendAddress, parseSessionPackage } from '../../cli/session/package.ts'
import { followStatus } from '../../cli/session/status.ts'
import { suite } from '../suite.ts'

type Answer = (response: ServerResponse) => void

const json =
  (value: unknown, status = 200): Answer =>
  response =>
    response.writeHead(status).end(JSON.stringify(value))

const events =
  (...statuses: readonly string[]): Answer =>
  response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: open\n\n')
    response.end(statuses.map(status => `data: ${JSON.stringify({ status })}\n\n`).join(''))
  }

const broken: Answer = response => response.destroy()

/** A server that gives the answers of each path in order and then repeats the last one. */
async function playing(
  answers: Readonly<Record<string, readonly Answer[]>>,
  use: (url: string) => Promise<void>,
) {
  const counts: Record<string, number> = {}
  const server: Server = createServer(({ url = '' }, response) => {
    const count = counts[url] ?? 0
    counts[url] = count + 1
    const all = answers[url] ?? []
    const answer = all[Math.min(count, all.length - 1)]
    if (answer) answer(response)
    else json({ status: 404, error: 'INVALID_REQUEST' }, 404)(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  try {
    await use(`http://127.0.0.1:${address.port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function statuses(url: string): Promise<string[]> {
  const seen: string[] = []
  for await (const status of followStatus({ url, headers: {} }, () => Promise.resolve())) seen.push(status)
  return seen
}

const Follow = suite('svc session: following a status (spec/schemes-and-cli#16.4)')

Follow('the stream reports every change; the status at its opening is read once', () =>
  playing(
    {
      '/statusevents': [events('PAIRING', 'CONNECTED', 'DONE')],
      '/status': [json({ status: 'INITIALIZED' })],
    },
    async url => assert.equal(await statuses(url), ['INITIALIZED', 'PAIRING', 'CONNECTED', 'DONE']),
  ),
)

Follow('comment lines in a stream are ignored: between events, within one, and cut in two', () => {
  const chunks = [':\n:\ndata: {"status":"PAIRING"}\n:', '\n\n:\n', 'data: {"sta', 'tus":"DONE"}\n\n:\n']
  const commented: Answer = response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks) response.write(chunk)
    response.end()
  }
  return playing({ '/statusevents': [commented], '/status': [json('INITIALIZED')] }, async url =>
    assert.equal(await statuses(url), ['INITIALIZED', 'PAIRING', 'DONE']),
  )
})

Follow(
  'events are read in every form of event streams: with CR LF, a name, an identifier, on several lines',
  () => {
    const text =
      'event: open\r\n\r\nid: 1\r\nevent: status\r\ndata: {"status":\r\ndata: "PAIRING"}\r\n\r\ndata: "DONE"\r\n\r\n'
    const stream: Answer = response =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text)
    return playing({ '/statusevents': [stream], '/status': [json('INITIALIZED')] }, async url =>
      assert.equal(await statuses(url), ['INITIALIZED', 'PAIRING', 'DONE']),
    )
  },
)

Follow(
  'a stream without events is read up to the maximum length of one event; then the status is polled',
  () => {
    let sent = 0
    const endless: Answer = response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const more = (): void => {
        if (response.destroyed) return
        sent += 2 ** 16
        response.write('x'.repeat(2 ** 16), more)
      }
      more()
    }
    return playing(
      { '/statusevents': [endless, json({}, 404)], '/status': [json('INITIALIZED'), json('DONE')] },
      async url => {
        assert.equal(await statuses(url), ['INITIALIZED', 'DONE'])
        assert.ok(sent < 60 * 2 ** 20, `${sent} bytes were sent`)
      },
    )
  },
)

Follow('without a stream the status is polled, as an object or as a bare string', () =>
  playing(
    {
      '/statusevents': [json({ status: 500, error: 'SSE_DISABLED' }, 500)],
      '/status': [json('INITIALIZED'), json('INITIALIZED'), json('CONNECTED'), json({ status: 'CANCELLED' })],
    },
    async url => assert.equal(await statuses(url), ['INITIALIZED', 'CONNECTED', 'CANCELLED']),
  ),
)

Follow('a lost stream is opened again, and no status is reported twice or out of order', () =>
  playing(
    {
      '/statusevents': [events('CONNECTED'), events('CONNECTED', 'TIMEOUT')],
      '/status': [json('INITIALIZED'), json('CONNECTED')],
    },
    async url => assert.equal(await statuses(url), ['INITIALIZED', 'CONNECTED', 'TIMEOUT']),
  ),
)

Follow('a server that does not answer for a while is called again', () =>
  playing(
    {
      '/statusevents': [broken, broken, events('DONE')],
      '/status': [broken, json({ status: 503, error: 'INTERNAL_ERROR' }, 503), json('CONNECTED')],
    },
    async url => assert.equal(await statuses(url), ['CONNECTED', 'DONE']),
  ),
)

Follow('an unknown session ends the following at once', () =>
  playing(
    {
      '/statusevents': [json({ status: 400, error: 'SESSION_UNKNOWN' }, 400)],
      '/status': [json({ status: 400, error: 'SESSION_UNKNOWN' }, 400)],
    },
    async url => {
      const error = await statuses(url).catch((reason: unknown) => reason)
      assert.instance(error, RefusedError)
      assert.is(
        error instanceof Error && error.message,
        'session status: the server answered 400 SESSION_UNKNOWN',
      )
    },
  ),
)
Follow.run()

const Package = suite('svc session: session packages (spec/interface#2.2)')

Package(
  'frontend endpoints need an authorization and protocol version 1.1, else the shared ones are used',
  () => {
    const sessionPtr = { u: 'https://shop.example/svc/session/abc', svcqr: 'disclosing' }
    const with11 = parseSessionPackage({
      sessionPtr,
      frontendRequest: { authorization: 'FA', minProtocolVersion: '1.0', maxProtocolVersion: '1.1' },
    })
    assert.equal(frontendAddress(with11), {
      url: `${sessionPtr.u}/frontend`,
      headers: { authorization: 'FA' },
    })
    const with10 = parseSessionPackage({
      sessionPtr,
      frontendRequest: { authorization: 'FA', maxProtocolVersion: '1.0' },
    })
    assert.equal(frontendAddress(with10), { url: sessionPtr.u, headers: {} })
    assert.equal(frontendAddress(parseSessionPackage({ sessionPtr })), { url: sessionPtr.u, headers: {} })
  },
)

Package('the pointer keeps its members and their order', () => {
  const sessionPtr = { u: 'http://a.example/irma/session/abc', irmaqr: 'disclosing', extra: 1 }
  assert.is(JSON.stringify(parseSessionPackage({ sessionPtr }).sessionPtr), JSON.stringify(sessionPtr))
})

Package('an invalid session package is refused, and the message names the member', () => {
  assert.throws(() => parseSessionPackage({}), /^session package: sessionPtr: /)
  assert.throws(
    () => parseSessionPackage({ sessionPtr: { u: 'file:///etc' } }),
    /^session package: sessionPtr\.u: expected an http or https address$/,
  )
})

const Calls = suite('svc session: one call')

Calls('an answer that is not UTF-8 is refused', () => {
  const latin: Answer = response => response.end(Buffer.from('"\u00e9"', 'latin1'))
  return playing({ '/status': [latin] }, async url => {
    const error: unknown = await call('session status', `${url}/status`).catch(each => each)
    assert.instance(error, UnreachableError)
    assert.is(String(error), 'UnreachableError: session status: expected an answer in UTF-8, got other bytes')
  })
})

Calls('an address with a password is not called, and the error does not quote it', async () => {
  const error: unknown = await call('session status', 'http://shop:S3cret@127.0.0.1:5999/').catch(
    each => each,
  )
  assert.match(String(error), /expected an answer from http:\/\/127\.0\.0\.1:5999, got none \(Request cannot/)
  assert.not.match(String(error), /S3cret|shop/)
})

Package.run()
Calls.run()
