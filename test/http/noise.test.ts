/** Noise: for every input, the answer is a success of the specification or a remote error of its table, never a bug of ours. A session that
 *  no call names stays unchanged (spec/interface#7, spec/decisions#d1). @module */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { appHeaders, disclosure, type ServerOfTest, type SessionOfTest, withServer } from './harness.ts'

const Noise = suite('noise')

const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND', 'TRACE']
const WORDS = [
  'session',
  'svc',
  'frontend',
  'status',
  'statusevents',
  'result',
  'request',
  'proofs',
  'commitments',
  'options',
]
const ODD = [
  '',
  '.',
  '..',
  '%2F',
  '%00',
  '%E0%A4',
  '__proto__',
  'constructor',
  '*',
  ':clientToken',
  '{}',
  'é'.normalize(),
]
const BODIES = [
  '',
  '{}',
  '[]',
  'null',
  '{',
  '"x"',
  '{"__proto__":1}',
  '{"proofs":[null],"indices":[[{}]]}',
  '\u0000',
  '[['.repeat(99),
]
const HEADERS: Record<string, string>[] = [
  {},
  appHeaders(),
  appHeaders('x', 'y'),
  { 'Content-Type': 'application/json' },
  { 'Content-Type': 'text/plain', Authorization: 'x' },
  { 'Content-Encoding': 'gzip' },
  { Host: '' },
  { Origin: 'null', 'Access-Control-Request-Method': 'X' },
]

/** The sessions whose tokens are in the paths. */
type Named = { readonly sessions: readonly SessionOfTest[] }

const segment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 3, arbitrary: fc.nat(5).map(n => `token ${n}`) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD) },
)
const request = fc.record({
  method: fc.constantFrom(...METHODS),
  segments: fc.oneof(
    fc.array(segment, { maxLength: 5 }),
    fc
      .tuple(fc.nat(5), fc.array(segment, { maxLength: 2 }))
      .map(([n, rest]) => ['svc', 'session', `token ${n}`, ...rest]),
  ),
  query: fc.constantFrom('', '?', '?a=b', '?__proto__=1'),
  headers: fc.constantFrom(...HEADERS),
  body: fc.oneof(fc.constantFrom(...BODIES), fc.constant(JSON.stringify(disclosure()))),
})

function pathOf(segments: readonly string[], { sessions }: Named): string {
  const tokens = sessions.flatMap(({ requestorToken, clientToken, authorization }) => [
    requestorToken,
    clientToken,
    authorization.Authorization,
  ])
  const named = segments.map(text =>
    text.startsWith('token ') ? (tokens[Number(text.slice(6))] ?? 'x') : text,
  )
  return encodeURI(`/${named.join('/')}`).replaceAll('%25', '%')
}

const ERRORS = new Map([
  ['INVALID_REQUEST', [400, 404, 405, 413, 415]],
  ['UNAUTHORIZED', [403]],
  ['UNEXPECTED_REQUEST', [403]],
  ['SESSION_UNKNOWN', [400]],
  ['MALFORMED_INPUT', [400]],
  ['PROTOCOL_VERSION', [400]],
])

async function assertSane(
  server: ServerOfTest,
  path: string,
  sent: Parameters<typeof send>[2],
): Promise<void> {
  const { status, text, json } = await send(server, path, sent)
  if (status === 200 || status === 204) return
  if (sent.method === 'HEAD')
    return assert.ok(status === 405 || status === 404 || status === 400 || status === 403)
  const { status: told, error = '' } = json as { status?: number; error?: string }
  assert.is(told, status, text)
  assert.ok(ERRORS.get(error)?.includes(status), text)
}

async function send(
  server: ServerOfTest,
  path: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body: string },
) {
  if (!path.includes('statusevents') || method !== 'GET')
    return await server.call(method, path, { headers, body })
  const stream = await server.open(path, headers)
  if (stream.head.headers['content-type'] === 'text/event-stream') {
    stream.leave()
    return stream.head
  }
  return await server.call(method, path, { headers })
}

Noise('no input gets an answer outside the specification, or changes a session that it does not name', () =>
  withServer({}, async server => {
    const untouched = await server.create()
    const named: Named = { sessions: [await server.create(), await server.create()] }
    const property = fc.asyncProperty(request, ({ segments, query, ...sent }) =>
      assertSane(server, pathOf(segments, named) + query, sent),
    )
    await fc.assert(property, { numRuns: 500 })
    const { version, status } = await server.rowOf(untouched)
    assert.equal([version, status], [1, 'INITIALIZED'])
    assert.equal(
      server.log.filter(line => line.includes('"level":50')),
      [],
    )
  }),
)

Noise.run()
