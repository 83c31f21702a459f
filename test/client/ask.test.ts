/** `askFor` without a framework: the calls that it answers, and the values in the visitor's session. */
import * as assert from 'uvu/assert'
import { answersOf, type Question, type VisitorSession } from '../../libraries/client/ask/question.ts'
import type { SessionRequest } from '../../libraries/client.ts'
import { suite } from '../suite.ts'

const ID = 'svc-demo.gov.idcard.over18'
const REQUEST = {
  '@context': 'https://svc.example/ld/request/disclosure/v2',
  disclose: [[[ID]]],
} as const satisfies SessionRequest
const VALID = { status: 'DONE', proofStatus: 'VALID', disclosed: [[{ id: ID, rawvalue: 'yes' }]] }

function newSession(): VisitorSession & { readonly values: Map<string, unknown> } {
  const values = new Map<string, unknown>()
  return { values, get: name => values.get(name), set: (name, value) => void values.set(name, value) }
}

/** A question at a server that gives each session the next token. */
function question(more: Partial<Question<typeof REQUEST, null>> = {}) {
  const asked: string[] = []
  const errors: unknown[] = []
  let started = 0
  const fetch: typeof globalThis.fetch = async (url, { method } = {}) => {
    asked.push(`${method} ${url}`)
    if (method === 'GET') return Response.json(VALID)
    return Response.json({ token: `secret-${++started}`, sessionPtr: { u: 'x' }, frontendRequest: {} })
  }
  const answer = answersOf<typeof REQUEST, null>({
    url: 'http://server.example',
    request: REQUEST,
    fetch,
    accept: values => values[ID] === 'yes',
    onError: error => void errors.push(error),
    ...more,
  })
  const call = (method: string, pathname: string, session = newSession()) =>
    answer({ method, pathname, session: () => session, context: null })
  const start = async (session: VisitorSession, pathname = '/start'): Promise<string> => {
    const reply = await answer({ method: 'POST', pathname, session: () => session, context: null })
    return String(Object(reply?.body).id)
  }
  return { call, start, asked, errors }
}

const Ask = suite('askFor')

Ask('answers its two calls alone, and opens no session for others', async () => {
  const { call, asked } = question({ path: '/over18' })
  const others = [
    ['GET', '/over18/start'],
    ['POST', '/start'],
    ['POST', '/over18/start/'],
    ['POST', '/over18x/start'],
    ['POST', '/over21/start'],
    ['POST', '/over18/result/1'],
    ['GET', '/over18/result/'],
    ['GET', '/over18/result/1/2'],
    ['GET', '/x/over18/result/1'],
  ] as const
  for (const [method, pathname] of others) assert.is(await call(method, pathname), null, pathname)
  assert.equal(asked, [])
  assert.is((await call('POST', '/over18/start'))?.status, 200)
})

Ask('refuses a path that a framework would read as another one', () => {
  for (const path of ['over18', '/', '/over18/', '//x', '/a b', '/:id', '/a*', '/a?b', '/%61', '/a\n'])
    assert.throws(
      () => question({ path }),
      (error: unknown) =>
        error instanceof TypeError && error.message.endsWith(`, got ${JSON.stringify(path)}`),
      path,
    )
  for (const path of ['', '/over18', '/a/b-c_d.e~1']) assert.ok(question({ path }))
})

Ask('the page gets only the documented members', async () => {
  const answer = {
    token: 'secret',
    sessionPtr: { u: 'x' },
    frontendRequest: {},
    requestorNote: 'of the site',
  }
  const { call } = question({ fetch: async () => Response.json(answer) })
  const { body = {} } = (await call('POST', '/start')) ?? {}
  assert.equal(Object.keys(body), ['id', 'sessionPtr', 'frontendRequest'])
})

Ask('sends the page no token, and uses the token to read the result', async () => {
  const { call, start, asked } = question()
  const session = newSession()
  const reply = await call('POST', '/start', session)
  assert.not.match(JSON.stringify(reply), 'secret')
  const id = await start(session)
  assert.equal(await call('GET', `/result/${id}`, session), { status: 200, body: { accepted: true } })
  assert.is(asked.at(-1), 'GET http://server.example/session/secret-2/result')
})

Ask('a result counts for its own question alone', async () => {
  const bar = question({ path: '/bar' })
  const shop = question({ path: '/shop' })
  const session = newSession()
  const id = await bar.start(session, '/bar/start')
  assert.is((await shop.call('GET', `/shop/result/${id}`, session))?.status, 404)
  assert.is((await bar.call('GET', `/bar/result/${id}`, session))?.status, 200)
})

Ask('keeps the last ten sessions of a visitor', async () => {
  const { call, start } = question()
  const session = newSession()
  const ids: string[] = []
  for (let i = 0; i < 11; i++) ids.push(await start(session))
  const statuses = await Promise.all(
    ids.map(async id => (await call('GET', `/result/${id}`, session))?.status),
  )
  assert.equal(statuses, [404, ...Array(10).fill(200)])
})

Ask('refuses without accept, and does not call it before the proofs are valid', async () => {
  const refusing = question({ accept: () => false })
  const session = newSession()
  const id = await refusing.start(session)
  const path = `/result/${id}`
  assert.equal(await refusing.call('GET', path, session), { status: 403, body: { accepted: false } })
  let calls = 0
  const unproved: typeof globalThis.fetch = async () => Response.json({ ...VALID, proofStatus: 'EXPIRED' })
  const early = question({ accept: () => ++calls > 0, fetch: unproved })
  const body = { accepted: false, status: 'DONE', proofStatus: 'EXPIRED' }
  assert.equal(await early.call('GET', path, session), { status: 403, body })
  assert.is(calls, 0)
})

Ask('reports a server that refuses, and sends the page no reason', async () => {
  const fetch: typeof globalThis.fetch = async () => Response.json({ error: 'UNAUTHORIZED' }, { status: 403 })
  const { call, errors } = question({ fetch })
  const body = { error: 'the session server did not answer as expected' }
  assert.equal(await call('POST', '/start'), { status: 502, body })
  assert.equal(
    errors.map(error => Object(error).type),
    ['UNAUTHORIZED'],
  )
})

Ask('the default report prints status and type, and no text of the server', async () => {
  const { error: print } = console
  const lines: string[] = []
  console.error = line => lines.push(line)
  try {
    const answers = [
      { error: 'UNAUTHORIZED', description: 'text', message: 'token secret-1' },
      { text: 'of a proxy' },
    ]
    for (const body of answers) {
      const fetch: typeof globalThis.fetch = async () => Response.json(body, { status: 403 })
      const answer = answersOf({
        url: 'http://server.example',
        request: REQUEST,
        fetch,
        accept: () => true,
      })
      await answer({ method: 'POST', pathname: '/start', session: newSession, context: null })
    }
  } finally {
    console.error = print
  }
  const expected = 'askFor: expected an answer of http://server.example, got none: 403'
  assert.equal(lines, [`${expected} UNAUTHORIZED`, expected])
})

Ask('an answer that is no session is reported as an unexpected answer', async () => {
  for (const answer of [{}, [], null, 'text', { token: 5, sessionPtr: {} }, { token: 'secret' }]) {
    const { call, errors } = question({ fetch: async () => Response.json(answer) })
    const body = { error: 'the session server did not answer as expected' }
    assert.equal(await call('POST', '/start'), { status: 502, body }, JSON.stringify(answer))
    assert.match(
      errors.join(),
      /^TypeError: expected a session with token and sessionPtr, got another answer$/,
    )
  }
})

Ask('an error of accept is thrown to the site, and not reported', async () => {
  const broken = question({
    accept: () => {
      throw new RangeError('of the site')
    },
  })
  const session = newSession()
  const id = await broken.start(session)
  const error = await broken.call('GET', `/result/${id}`, session).catch(thrown => thrown)
  assert.instance(error, RangeError)
  assert.equal(broken.errors, [])
})

Ask.run()
