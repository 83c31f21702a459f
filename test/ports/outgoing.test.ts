/** Calls to others (spec/decisions#time): bounded in every way, without redirects, and without the address in errors. @module */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { createOutgoing, type Outgoing, OutgoingError } from '../../ports/outgoing.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { settle } from '../actors/node.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'

type Seen = { readonly method: string; readonly headers: IncomingMessage['headers']; readonly body: string }
type World = {
  readonly outgoing: Outgoing
  readonly clock: ReturnType<typeof createSimulatedClock>
  readonly url: string
  readonly seen: Seen[]
}

const MIB = 2 ** 20
const MESSAGE = { body: '{"secret":"body"}', contentType: 'application/json', idempotencyKey: 'key' }

/** Another server with the answer of the test. */
async function withOther(answer: (res: ServerResponse) => void, use: (world: World) => Promise<void>) {
  const seen: Seen[] = []
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    seen.push({ method: req.method ?? '', headers: req.headers, body })
    answer(res)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // the server listens on a port
  const clock = createSimulatedClock()
  const url = `http://127.0.0.1:${port}/path?token=secret`
  try {
    await use({ outgoing: createOutgoing({ fetch, clock }), clock, url, seen })
    assert.is(clock.nextTimerAt(), null, 'no timer stays')
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

function answering(status: number, body: string | Uint8Array = '', headers: Record<string, string> = {}) {
  return (res: ServerResponse) => res.writeHead(status, headers).end(body)
}

const Calls = suite('calls to others')

Calls('a POST sends the body, its type and the idempotency key, and gives status and text', () =>
  withOther(answering(200, 'naïve ☃'), async ({ outgoing, url, seen }) => {
    assert.equal(await outgoing.post(url, MESSAGE), { status: 200, text: 'naïve ☃' })
    assert.equal(
      seen.map(({ method, body }) => [method, body]),
      [['POST', MESSAGE.body]],
    )
    const { authorization, cookie, ...headers } = seen[0]?.headers ?? {}
    assert.equal([authorization, cookie], [undefined, undefined])
    assert.equal([headers['content-type'], headers['idempotency-key']], ['application/json', 'key'])
  }),
)

Calls('an answer of any status is an answer', () =>
  withOther(answering(500, 'no'), async ({ outgoing, url }) =>
    assert.equal(await outgoing.get(url), { status: 500, text: 'no' }),
  ),
)

Calls('an answer that is not UTF-8 is refused, because replaced bytes would be signed as text', () =>
  withOther(answering(200, Buffer.from([0x22, 0xff, 0x22])), async ({ outgoing, url }) =>
    assert.match(await rejection(outgoing.post(url, MESSAGE)), 'expected UTF-8, got other bytes'),
  ),
)

Calls('a byte order mark stays in the text, so that the text is no valid JSON', () =>
  withOther(answering(200, '\uFEFF{}'), async ({ outgoing, url }) =>
    assert.equal(await outgoing.post(url, MESSAGE), { status: 200, text: '\uFEFF{}' }),
  ),
)

Calls('204 has no text', () =>
  withOther(answering(204), async ({ outgoing, url }) =>
    assert.equal(await outgoing.get(url), { status: 204, text: '' }),
  ),
)

Calls('a redirect is not followed: it is the answer', () =>
  withOther(answering(307, '', { Location: '/elsewhere' }), async ({ outgoing, url, seen }) => {
    assert.is((await outgoing.post(url, MESSAGE)).status, 307)
    assert.is(seen.length, 1)
  }),
)

Calls('an answer of 1 MiB is read, and a longer one is refused, also if compressed or endless', async () => {
  await withOther(answering(200, 'x'.repeat(MIB)), async ({ outgoing, url }) =>
    assert.is((await outgoing.get(url)).text.length, MIB),
  )
  const long = 'x'.repeat(MIB + 1)
  const endless = (res: ServerResponse): void => {
    const more = (): void => void (res.destroyed || res.write(long, more))
    more()
  }
  const packed = answering(200, gzipSync('x'.repeat(10 * MIB)), { 'Content-Encoding': 'gzip' })
  const { signal } = new AbortController()
  for (const answer of [answering(200, long), packed, endless])
    await withOther(answer, async ({ outgoing, url }) => {
      for (const call of [
        () => outgoing.get(url),
        () => outgoing.post(url, MESSAGE),
        () => outgoing.getBytes(url, signal),
        () => outgoing.postBytes(url, Uint8Array.of(1), signal),
      ])
        assert.is(
          await rejection(call()),
          `OutgoingError: expected an answer of at most ${MIB} bytes, got more`,
        )
    })
})

Calls(
  'only the status of the answer to a callback counts: its body is dropped, even if it is long or broken',
  async () => {
    const { signal } = new AbortController()
    const broken = (res: ServerResponse): void => void res.write('begun', () => res.destroy())
    const endless = (res: ServerResponse): void => {
      const more = (): void => void (res.destroyed || res.write('x'.repeat(MIB), more))
      more()
    }
    for (const answer of [answering(200, 'short'), answering(200, 'x'.repeat(2 * MIB)), broken, endless])
      await withOther(answer, async ({ outgoing, url }) =>
        assert.is((await outgoing.notify(url, MESSAGE, signal)).status, 200),
      )
    const elsewhere = { Location: '/elsewhere', 'Retry-After': '7' }
    await withOther(answering(302, '', elsewhere), async ({ outgoing, url, seen }) => {
      assert.equal(await outgoing.notify(url, MESSAGE, signal), { status: 302, retryAfter: '7' })
      assert.is(seen.length, 1)
    })
  },
)

Calls('at most 16 KiB of such a body are read, and the chunks that have already arrived', async () => {
  const { signal } = new AbortController()
  let pulled = 0
  const body = new ReadableStream({
    pull(controller) {
      pulled += 2 ** 12
      controller.enqueue(new Uint8Array(2 ** 12))
      if (pulled > MIB) controller.close()
    },
  })
  const { notify } = createOutgoing({ fetch: async () => new Response(body), clock: createSimulatedClock() })
  assert.is((await notify('http://127.0.0.1/', MESSAGE, signal)).status, 200)
  assert.ok(pulled <= 2 ** 15, `${pulled} bytes were read`)
})

Calls('a stop signal ends a call that accepts one, and no such call begins after the stop', async () => {
  for (const ask of [
    ({ outgoing, url }: World, stop: AbortSignal) => outgoing.notify(url, MESSAGE, stop),
    ({ outgoing, url }: World, stop: AbortSignal) => outgoing.getBytes(url, stop),
    ({ outgoing, url }: World, stop: AbortSignal) => outgoing.postBytes(url, Uint8Array.of(1), stop),
  ])
    await withOther(
      () => {},
      async world => {
        const stop = new AbortController()
        const stopped = rejection(ask(world, stop.signal))
        while (world.seen.length === 0) await settle()
        stop.abort()
        assert.is(await stopped, 'OutgoingError: expected an answer, got none')
        assert.is(
          await rejection(ask(world, stop.signal)),
          'OutgoingError: expected time for an answer, got none: this server stops',
        )
        assert.is(world.seen.length, 1)
      },
    )
})

Calls('a callback that is not answered within 10 s, or before the server stops, has failed', async () => {
  const silent = (): void => {}
  await withOther(silent, async ({ outgoing, clock, url, seen }) => {
    const late = rejection(outgoing.notify(url, MESSAGE, new AbortController().signal))
    while (seen.length === 0) await settle()
    clock.advance(10_000)
    assert.is(await late, 'OutgoingError: expected an answer within 10000 ms, got none')
  })
  await withOther(silent, async ({ outgoing, url, seen }) => {
    const stop = new AbortController()
    const stopped = rejection(outgoing.notify(url, MESSAGE, stop.signal))
    while (seen.length === 0) await settle()
    stop.abort()
    assert.is(await stopped, 'OutgoingError: expected an answer, got none')
  })
})

for (const [method, ms] of [
  ['post', 8_000],
  ['get', 4_000],
] as const)
  Calls(`${method}: an answer that has not ended within ${ms} ms is a failure`, async () => {
    for (const answer of [() => {}, (res: ServerResponse) => void res.write('begun')])
      await withOther(answer, async ({ outgoing, clock, url, seen }) => {
        const failed = rejection(outgoing[method](url, MESSAGE))
        while (seen.length === 0) await settle()
        clock.advance(ms - 1)
        await settle()
        assert.is(clock.nextTimerAt(), ms)
        clock.advance(1)
        assert.is(await failed, `OutgoingError: expected an answer within ${ms} ms, got none`)
      })
  })

const BLOCKED =
  'OutgoingError: expected a port that HTTP clients call, got one that belongs to another protocol and that they block; use another port'

Calls('the failure of an impossible call does not contain the address', async () => {
  const outgoing = createOutgoing({ fetch, clock: createSimulatedClock() })
  const [kind, none] = [
    'OutgoingError: expected an http or https address without a user name, got another text',
    'OutgoingError: expected an answer, got none',
  ]
  const cases: readonly (readonly [string, string])[] = [
    ['', kind],
    ['secret', kind],
    ['data:text/plain,secret', kind],
    ['file:///etc/passwd', kind],
    ['javascript:secret', kind],
    ['http://user:secret@127.0.0.1/', kind],
    ['http://secret@127.0.0.1/', kind],
    ['http://:secret@127.0.0.1/', kind],
    ['http://127.0.0.1:2/secret', none],
    ['http://127.0.0.1:6000/secret', BLOCKED],
    ['https://127.0.0.1:25/secret', BLOCKED],
    ['http://secret.invalid/', none],
  ]
  for (const [url, message] of cases) assert.is(await rejection(outgoing.get(url)), message, url)
})

Calls('the code of a failure is available for the log, and is not in the message', async () => {
  const outgoing = createOutgoing({ fetch, clock: createSimulatedClock() })
  const failureOf = (url: string) => outgoing.get(url).catch((error: unknown) => error)
  const closed = createServer()
  await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo // the server listens on a port
  await new Promise(resolve => closed.close(resolve))
  const refused = await failureOf(`http://127.0.0.1:${port}/secret`)
  assert.instance(refused, OutgoingError)
  assert.equal(refused instanceof OutgoingError && [refused.message, refused.code], [
    'expected an answer, got none',
    'ECONNREFUSED',
  ])
  const cause = Object.assign(new Error('secret'), { code: 'secret of another' })
  const failing = createOutgoing({
    fetch: async () => {
      throw new TypeError('fetch failed', { cause })
    },
    clock: createSimulatedClock(),
  })
  const odd = await failing.get('http://127.0.0.1/').catch((error: unknown) => error)
  assert.is(odd instanceof OutgoingError && odd.code, null)
})

Calls('a broken connection is a failure', () =>
  withOther(
    res => res.socket?.destroy(),
    async ({ outgoing, url }) =>
      assert.is(await rejection(outgoing.get(url)), 'OutgoingError: expected an answer, got none'),
  ),
)

Calls.run()
