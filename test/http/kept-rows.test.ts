/** A node that caches rows of a shared store. A call that needs one turn does not read its session from the store first. Only the stored session can refuse it. @module */
import * as assert from 'uvu/assert'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { withChanges, withSessions } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest, URL_OF_SERVER, withServer } from './harness.ts'

type Shared = ReturnType<typeof sharedStore>

/** A store in which one node caches the rows that it has committed itself. */
function sharedStore() {
  const inner = createMemoryStore()
  const kept = new Map<string, SessionRow>()
  const loads: string[] = []
  const sessions = withSessions(inner, {
    recent: id => kept.get(id) ?? null,
    load: id => {
      loads.push(id)
      return inner.sessions.load(id)
    },
  })
  const store = withChanges(inner, {
    sessions,
    async commit(commit) {
      const isMade = await inner.commit(commit)
      if (isMade && commit.session?.row) kept.set(commit.session.id, commit.session.row)
      return isMade
    },
  })
  return { inner, store, loads }
}

async function withKeeping(
  use: (server: ServerOfTest, session: SessionOfTest, shared: Shared) => Promise<void>,
  members: object = {},
): Promise<void> {
  const shared = sharedStore()
  await withServer({ store: shared.store }, async server => use(server, await server.create(members), shared))
}

/** Another node deletes the session, or commits a new version with these changes. */
async function changedElsewhere(
  server: ServerOfTest,
  session: SessionOfTest,
  { inner }: Shared,
  changes: Partial<SessionRow> | null,
): Promise<void> {
  const { id, version, ...row } = await server.rowOf(session)
  const next = changes && { id, ...row, version: version + 1, ...changes }
  assert.ok(await inner.commit({ session: { id, version, row: next } }))
}

const Kept = suite('calls about a session with a cached row')

Kept('the first call of the app and its submission read no row; a call for the result does', async () => {
  await withKeeping(async (server, { app, requestor }, { loads }) => {
    loads.length = 0
    assert.is((await server.call('GET', app, { headers: appHeaders() })).status, 200)
    const submitted = await server.call('POST', `${app}/proofs`, { headers: appHeaders(), body: {} })
    assert.is(submitted.status, 200, submitted.text)
    assert.equal(loads, [])
    assert.is((await server.call('GET', `${requestor}/result`)).status, 200)
    assert.is(loads.length, 1)
  })
})

Kept('a cancellation reads no row', async () => {
  await withKeeping(async (server, { app }, { loads }) => {
    loads.length = 0
    assert.is((await server.call('DELETE', app)).status, 200)
    assert.equal(loads, [])
  })
})

Kept('a call for the status reads the stored session', async () => {
  await withKeeping(async (server, session, shared) => {
    await changedElsewhere(server, session, shared, { status: 'CANCELLED', chart: null, snapshot: null })
    assert.is((await server.call('GET', `${session.app}/status`)).text, '"CANCELLED"')
  })
})

Kept('another app is refused by the stored session: a finished session is answered as unknown', async () => {
  await withKeeping(async (server, session, shared) => {
    const { app } = session
    assert.is((await server.call('GET', app, { headers: appHeaders() })).status, 200)
    const other = { headers: { ...appHeaders(), Authorization: 'another' }, body: {} }
    assert.is((await server.call('POST', `${app}/proofs`, other)).status, 403)
    await changedElsewhere(server, session, shared, { status: 'CANCELLED', chart: null, snapshot: null })
    const refused = await server.call('POST', `${app}/proofs`, other)
    assert.equal([refused.status, Object(refused.json).error], [400, 'SESSION_UNKNOWN'])
  })
})

Kept('a deleted session is unknown, also at another host', async () => {
  const members = { host: new URL(URL_OF_SERVER).host }
  await withKeeping(async (server, session, shared) => {
    assert.is((await server.call('GET', session.app, { headers: appHeaders() })).status, 403)
    await changedElsewhere(server, session, shared, null)
    const refused = await server.call('GET', session.app, { headers: appHeaders() })
    assert.equal([refused.status, Object(refused.json).error], [400, 'SESSION_UNKNOWN'])
  }, members)
})

Kept('a session of a newer chart is not changed', async () => {
  await withKeeping(async (server, session, shared) => {
    const { id, version, ...row } = await server.rowOf(session)
    const newer = { id, ...row, version: version + 1, chart: 1_000 }
    assert.ok(await shared.store.commit({ session: { id, version, row: newer } }))
    shared.loads.length = 0
    assert.is((await server.call('GET', session.app, { headers: appHeaders() })).status, 503)
    assert.is(shared.loads.length, 1)
  })
})

Kept.run()
