/** Event streams with several nodes. A disconnected client continues at another node by the id of the last event. It also gets a change if that node was
 *  not notified of it (spec/interface#6; spec/session-server#12). No status is missed or repeated. @module */
import * as assert from 'uvu/assert'
import { elapse } from '../actors/node.ts'
import { commitSession } from '../stores/commits.ts'
import { suite } from '../suite.ts'
import { appHeaders, withServer } from './harness.ts'
import { frame, KINDS, type Kind, openAt, play, rest, STEPS, withNodes, withPairing } from './two-nodes.ts'

const Ids = suite('event streams over nodes')

for (const kind of Object.keys(KINDS) as Kind[]) {
  Ids(
    `${kind}: a change committed at one node reaches the streams of all nodes, with ids only on request`,
    () =>
      withNodes(async (a, b) => {
        const session = await withPairing(a)
        const stream = await openAt(b, kind, session, null)
        await play(a, session, 0, 3)
        const told = STEPS.map(([status]) => `data: ${JSON.stringify(KINDS[kind].said(status))}`)
        assert.equal(await rest(stream), ['event: open', ...told])
      }),
  )

  for (let before = 0; before <= 3; before++)
    for (let meanwhile = 0; meanwhile + before <= 3; meanwhile++)
      Ids(
        `${kind}: disconnected after ${before} changes and resumed at the other node after ${meanwhile} more, a client misses none`,
        () =>
          withNodes(async (a, b) => {
            const session = await withPairing(a)
            const first = await openAt(a, kind, session, '')
            assert.is(await first.next(), 'id: INITIALIZED\nevent: open')
            await play(a, session, 0, before)
            const ids = ['INITIALIZED', ...STEPS.map(([status]) => status)]
            for (const status of ids.slice(1, before + 1)) assert.is(await first.next(), frame(kind, status))
            first.leave()
            await play(a, session, before, before + meanwhile)
            const second = await openAt(b, kind, session, ids[before] ?? '')
            if (before === 3) return assert.is(second.head.status, 204)
            await play(a, session, before + meanwhile, 3)
            const told = ids.slice(before + 1).map(status => frame(kind, status))
            assert.equal(await rest(second), [`id: ${ids[before]}\nevent: open`, ...told])
          }),
      )
}

Ids('a web page, which can set no header, may ask for ids in the address; the header takes precedence', () =>
  withServer({}, async server => {
    const session = await server.create()
    await server.call('GET', session.app, { headers: appHeaders() })
    const path = `${session.app}/statusevents?lastEventId=`
    const streams = [await server.open(path), await server.open(path, { 'Last-Event-ID': 'INITIALIZED' })]
    await server.call('DELETE', session.app)
    assert.equal(await Promise.all(streams.map(rest)), [
      ['id: CONNECTED\nevent: open', frame('app', 'CANCELLED')],
      ['id: INITIALIZED\nevent: open', frame('app', 'CONNECTED'), frame('app', 'CANCELLED')],
    ])
  }),
)

const HOSTILE = {
  'no status': 'PAUSED',
  'a status that the session never had': 'PAIRING',
  'a future status': 'DONE',
  'a number': '7',
  'a huge number': '9'.repeat(4_000),
  'a huge text': 'CONNECTED,'.repeat(800),
  'a name of every object': '__proto__',
  'two statuses': 'INITIALIZED, INITIALIZED',
}

for (const [what, id] of Object.entries(HOSTILE))
  Ids(`an id that is ${what} counts as no id: the stream begins with the current status`, () =>
    withServer({}, async server => {
      const session = await server.create()
      await server.call('GET', session.app, { headers: appHeaders() })
      const stream = await openAt(server, 'app', session, id)
      await server.call('DELETE', session.app)
      assert.equal(await rest(stream), ['id: CONNECTED\nevent: open', frame('app', 'CANCELLED')])
    }),
  )

Ids(
  'the stream of a finished session sends missed changes; without any, 204 in svc and 403 in irma',
  async () => {
    for (const [profile, status] of [
      ['svc', 204],
      ['irma', 403],
    ] as const)
      await withServer({ settings: { profile } }, async server => {
        const session = await server.create()
        await server.call('DELETE', session.app)
        const missed = await openAt(server, 'app', session, 'INITIALIZED')
        assert.equal(await rest(missed), ['id: INITIALIZED\nevent: open', frame('app', 'CANCELLED')])
        for (const id of ['CANCELLED', 'CONNECTED', '', null])
          assert.is((await openAt(server, 'app', session, id)).head.status, status, `${id}`)
      })
  },
)

Ids(
  'the stream of a session that was closed without its chart sends the end, and never quotes an invalid id',
  () =>
    withServer({}, async server => {
      const session = await server.create()
      const row = await server.rowOf(session)
      const closed = {
        ...row,
        version: row.version + 1,
        chart: null,
        snapshot: null,
        status: 'CANCELLED',
      } as const
      assert.ok(await commitSession(server.store, row.id, row.version, closed))
      const missed = await openAt(server, 'app', session, 'CONNECTED')
      assert.equal(await rest(missed), ['id: CONNECTED\nevent: open', frame('app', 'CANCELLED')])
      const made = `${session.app}/statusevents?lastEventId=x%0Adata:%20made-up`
      assert.is((await server.open(made)).head.status, 204)
    }),
)

Ids('a TIMEOUT by another node is sent too', () =>
  withNodes(async (a, b) => {
    const session = await a.create({}, { timeout: 60 })
    const stream = await openAt(b, 'requestor', session, null)
    await elapse(a.clock, 60_000)
    assert.equal(await rest(stream), ['event: open', 'data: "TIMEOUT"'])
  }),
)

Ids.run()
