/** The first event of a stream: the status, if it is `CONNECTED` or final and the last answer to the same caller contained another one (spec/interface#6;
 *  spec/decisions#streams). An app that waits in `PAIRING` must get `CONNECTED`, even if it opens its stream late or again. @module */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { deferred, elapse, settle, VALID } from '../actors/node.ts'
import { suite } from '../suite.ts'
import type { Stream } from './client.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest, withServer } from './harness.ts'
import { frame, KINDS, type Kind, openAt, play, rest, withNodes, withPairing } from './two-nodes.ts'

const Opening = suite('the status at the opening of an event stream')
const ALL = Object.keys(KINDS) as Kind[]

const data = (kind: Kind, status: string): string => `data: ${JSON.stringify(KINDS[kind].said(status))}`

const cancel = (node: ServerOfTest, { requestor }: SessionOfTest) => node.call('DELETE', requestor)

/** A session with pairing after `steps` steps: 1 `PAIRING`, 2 `CONNECTED`, 3 `DONE`. */
async function played(node: ServerOfTest, steps: number): Promise<SessionOfTest> {
  const session = await withPairing(node)
  await play(node, session, 0, steps)
  return session
}

/** @returns the events of a new stream, without the opening frame and the final event */
async function toldAtOpening(node: ServerOfTest, kind: Kind, session: SessionOfTest): Promise<string[]> {
  const stream = await openAt(node, kind, session, null)
  assert.is(stream.head.status, 200)
  await cancel(node, session)
  return (await rest(stream)).slice(1, -1)
}

Opening('an app that waits in PAIRING gets CONNECTED, at each opening and on every node', () =>
  withNodes(async (a, b) => {
    const session = await played(a, 2)
    for (const node of [a, b, a]) {
      const stream = await openAt(node, 'app', session, null)
      assert.equal([await stream.next(), await stream.next()], ['event: open', 'data: "CONNECTED"'])
      stream.leave()
    }
  }),
)

Opening('an event on an earlier connection that its client did not read is sent again', () =>
  withServer({}, async server => {
    const session = await played(server, 1)
    await openAt(server, 'app', session, null) // the client does not read this stream
    await play(server, session, 1, 2)
    assert.equal(await toldAtOpening(server, 'app', session), ['data: "CONNECTED"'])
  }),
)

const ENDS: Readonly<Record<string, (node: ServerOfTest, session: SessionOfTest) => Promise<unknown>>> = {
  CANCELLED: cancel,
  TIMEOUT: ({ clock }) => elapse(clock, 300_000),
}

for (const [status, end] of Object.entries(ENDS))
  for (const steps of [1, 2])
    Opening(`an app gets ${status} at the opening, after ${steps === 1 ? 'PAIRING' : 'CONNECTED'}`, () =>
      withNodes(async (a, b) => {
        const session = await played(a, steps)
        await end(a, session)
        for (const node of [a, b])
          assert.equal(await rest(await openAt(node, 'app', session, null)), [
            'event: open',
            `data: "${status}"`,
          ])
      }),
    )

Opening('PAIRING and INITIALIZED are never sent at the opening', () =>
  withNodes(async (a, b) => {
    for (const kind of ALL)
      for (const steps of [0, 1])
        for (const node of [a, b])
          assert.equal(await toldAtOpening(node, kind, await played(a, steps)), [], `${kind} ${steps}`)
  }),
)

type Answered = (node: ServerOfTest, session: SessionOfTest) => Promise<unknown>
const OF_APP: Readonly<Record<string, Answered>> = {
  'has fetched the request': (node, { app }) => node.call('GET', `${app}/request`, { headers: appHeaders() }),
  'has read the status': (node, { app }) => node.call('GET', `${app}/status`, { headers: appHeaders() }),
}

for (const [what, ask] of Object.entries(OF_APP))
  Opening(`an app that ${what} does not get CONNECTED again`, () =>
    withServer({}, async server => {
      const session = await played(server, 2)
      await ask(server, session)
      assert.equal(await toldAtOpening(server, 'app', session), [])
    }),
  )

Opening('the answer to HEAD contains no status', () =>
  withServer({}, async server => {
    const session = await played(server, 2)
    assert.is((await server.call('HEAD', `${session.requestor}/status`)).status, 200)
    assert.equal(await toldAtOpening(server, 'requestor', session), [data('requestor', 'CONNECTED')])
  }),
)

Opening('an answer to a page with the same token does not count as an answer to the app', () =>
  withServer({}, async server => {
    const session = await played(server, 2)
    assert.is((await server.call('GET', `${session.app}/status`)).json, 'CONNECTED')
    assert.equal(await toldAtOpening(server, 'app', session), ['data: "CONNECTED"'])
  }),
)

Opening('an app without pairing does not get CONNECTED, which its first call implied, on any node', () =>
  withNodes(async (a, b) => {
    const session = await a.create()
    await a.call('GET', session.app, { headers: appHeaders() })
    await elapse(a.clock, 120_000)
    const streams = [await openAt(a, 'app', session, null), await openAt(b, 'app', session, null)]
    await cancel(a, session)
    assert.equal(await Promise.all(streams.map(rest)), Array(2).fill(['event: open', 'data: "CANCELLED"']))
  }),
)

Opening('an app gets 204 after its submission, and if the session ended before its first call', () =>
  withNodes(async (a, b) => {
    const done = await played(a, 3)
    await elapse(a.clock, 120_000) // its stored answer is dropped
    const untouched = await a.create()
    await cancel(a, untouched)
    const failed = await a.create()
    await a.call('GET', failed.app, { headers: appHeaders() })
    await a.call('POST', `${failed.app}/proofs`, { headers: appHeaders(), body: '{' })
    for (const session of [done, untouched, failed])
      for (const node of [a, b]) assert.is((await openAt(node, 'app', session, null)).head.status, 204)
  }),
)

Opening('an app whose submission is being handled does not get CONNECTED', async () => {
  const outcome = deferred<typeof VALID>()
  await withServer({ effects: { check: () => outcome.promise } }, async server => {
    const session = await played(server, 2)
    const answer = server.call('POST', `${session.app}/proofs`, { headers: appHeaders(), body: {} })
    while ((await server.rowOf(session)).claim === null) await settle()
    const stream = await openAt(server, 'app', session, null)
    outcome.resolve(VALID)
    await answer
    assert.equal(await rest(stream), ['event: open', 'data: "DONE"'])
  })
})

for (const kind of ['requestor', 'frontend'] as const) {
  Opening(`a ${kind} that has received no status gets CONNECTED, and later the final status`, () =>
    withNodes(async (a, b) => {
      const session = await played(a, 2)
      for (const node of [a, b])
        assert.is(await second(await openAt(node, kind, session, null)), data(kind, 'CONNECTED'))
      await play(a, session, 2, 3)
      for (const node of [a, b])
        assert.equal(await rest(await openAt(node, kind, session, null)), ['event: open', data(kind, 'DONE')])
    }),
  )

  Opening(
    `a ${kind}: no status is lost between an answer and the stream that follows it, and none is sent twice`,
    () =>
      withServer({}, async server => {
        const session = await withPairing(server)
        const poll = () => server.call('GET', `${session[kind]}/status`, { headers: session.authorization })
        await poll()
        await play(server, session, 0, 2)
        assert.is(await second(await openAt(server, kind, session, null)), data(kind, 'CONNECTED'))
        await poll()
        const stream = await openAt(server, kind, session, null)
        await play(server, session, 2, 3)
        assert.equal(await rest(stream), ['event: open', data(kind, 'DONE')])
      }),
  )

  Opening(`a ${kind} whose last answer contained the final status gets 204`, () =>
    withServer({}, async server => {
      const session = await played(server, 3)
      await server.call('GET', `${session[kind]}/status`, { headers: session.authorization })
      assert.is((await openAt(server, kind, session, null)).head.status, 204)
    }),
  )

  Opening(`a ${kind} whose stream ended gets the final status once more, then 204`, () =>
    withServer({}, async server => {
      const session = await played(server, 2)
      const stream = await openAt(server, kind, session, null)
      await play(server, session, 2, 3)
      for (const opened of [stream, await openAt(server, kind, session, null)])
        assert.is((await rest(opened)).at(-1), data(kind, 'DONE'))
      assert.is((await openAt(server, kind, session, null)).head.status, 204)
    }),
  )
}

for (const kind of ['requestor', 'app'] as const)
  Opening(`a ${kind} that cancelled its session gets 204`, () =>
    withServer({}, async server => {
      const session = await played(server, 2)
      const headers = kind === 'app' ? appHeaders() : {}
      assert.is((await server.call('DELETE', session[kind], { headers })).status, 200)
      assert.is((await openAt(server, kind, session, null)).head.status, 204)
    }),
  )

const privateKey = createPrivateKey(readFileSync('test/vectors/keys/session-jwt.private.pem'))
const resultSigner = { issuer: 'a server', privateKey, publicKeyPem: '' }

for (const path of ['result', 'result-jwt'])
  Opening(`after the answer to GET ${path} a requestor gets 204`, () =>
    withServer({ settings: { resultSigner } }, async server => {
      const session = await played(server, 3)
      assert.is((await server.call('GET', `${session.requestor}/${path}`)).status, 200)
      assert.is((await openAt(server, 'requestor', session, null)).head.status, 204)
    }),
  )

Opening('with ids, a client gets the id of the previous status, and then the status with its own id', () =>
  withNodes(async (a, b) => {
    const session = await played(a, 2)
    for (const kind of ALL) {
      const stream = await openAt(b, kind, session, '')
      assert.equal(
        [await stream.next(), await stream.next()],
        ['id: PAIRING\nevent: open', frame(kind, 'CONNECTED')],
      )
      stream.leave()
    }
  }),
)

Opening('a Last-Event-ID takes precedence over the sent answers: the stream continues after it', () =>
  withServer({}, async server => {
    const session = await played(server, 2)
    await server.call('GET', `${session.requestor}/status`)
    const stream = await openAt(server, 'requestor', session, 'PAIRING')
    assert.equal(
      [await stream.next(), await stream.next()],
      ['id: PAIRING\nevent: open', frame('requestor', 'CONNECTED')],
    )
    stream.leave()
  }),
)

async function second(stream: Stream): Promise<string | null> {
  await stream.next()
  const told = await stream.next()
  stream.leave()
  return told
}

Opening.run()
