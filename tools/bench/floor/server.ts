/** The server that whole sessions are compared with: the fixed parts of this service, with as little as possible between them. Koa with its router and body reader
 *  accepts the four calls of a session. Each moves an XState actor with three states. Its snapshot is committed to SQLite together with others of the same turn of
 *  the event loop. One proof is checked in the thread of the calls. It has no requestors, no validation, no judgement of proofs and no log. @module */
import { randomUUID } from 'node:crypto'
import { Router } from '@koa/router'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import rawBody from 'raw-body'
import { type Actor, createActor, setup } from 'xstate'
import { PROFILES } from '../../../protocol/profiles.ts'
import { loadSchemes } from '../../../schemes/load.ts'
import { openSqlite, useWriteAheadLog } from '../../../stores/sqlite/statements.ts'
import { DEMO_SCHEMES } from '../../../test/project.ts'
import { answerParent, type CpuTask } from '../measured-process.ts'
import { arithmeticOf } from '../sessions/arithmetic.ts'

export type FloorTask =
  /** Answered with 0. */
  | {
      readonly ask: 'start'
      readonly port: number
      readonly file: string
      /** session request */
      readonly request: string
      readonly nonce: bigint
      /** answers to the nonce, used in turn */
      readonly bodies: readonly string[]
    }
  | CpuTask
  /** Answered with 0: this server signs nothing. */
  | { readonly ask: 'primes' }

const chart = setup({
  types: { events: {} as { type: 'app.fetched' } | { type: 'app.submitted' } },
}).createMachine({
  initial: 'INITIALIZED',
  states: {
    INITIALIZED: { on: { 'app.fetched': 'CONNECTED' } },
    CONNECTED: { on: { 'app.submitted': 'DONE' } },
    DONE: {},
  },
})

type Session = { readonly actor: Actor<typeof chart>; readonly request: string }
type Row = readonly [id: string, snapshot: string, request: string, result: string]

/** Commits rows together if they arrive in one turn of the event loop. */
async function openRows(file: string): Promise<(row: Row) => Promise<void>> {
  const database = await openSqlite(file)
  useWriteAheadLog(database, 'normal')
  database.exec('create table rows (id text primary key, snapshot text, request text, result text)')
  const upsert = database.prepare(
    'insert into rows values (?, ?, ?, ?) on conflict do update set snapshot = excluded.snapshot, result = excluded.result',
  )
  const [begin, end] = [database.prepare('begin immediate'), database.prepare('commit')]
  let waiting: { readonly row: Row; readonly done: () => void }[] = []
  const flush = (): void => {
    const batch = waiting
    waiting = []
    begin.run()
    for (const { row } of batch) upsert.run(...row)
    end.run()
    for (const { done } of batch) done()
  }
  process.once('exit', () => database.close()) // referenced until then: Node 20 closes a database without references
  return row =>
    new Promise(done => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ row, done })
    })
}

async function start({ port, file, request, nonce, bodies }: FloorTask & { ask: 'start' }): Promise<void> {
  const commit = await openRows(file)
  const facts = { schemes: await loadSchemes(DEMO_SCHEMES), profile: PROFILES.svc, nonce, request }
  const checks = await Promise.all(bodies.map(body => arithmeticOf(body, facts)))
  const sessions = new Map<string, Session>()
  let submitted = 0

  const step = async (
    id: string,
    type: 'app.fetched' | 'app.submitted',
    result: string,
  ): Promise<Session> => {
    const session = sessions.get(id)
    if (session === undefined) throw new Error('benchmark: expected a session that was created')
    session.actor.send({ type })
    const snapshot = JSON.stringify(session.actor.getPersistedSnapshot())
    await commit([id, snapshot, session.request, result])
    return session
  }

  const router = new Router()
  router.post('/session', koaBody(), async ctx => {
    const id = randomUUID()
    const actor = createActor(chart).start()
    const session = { actor, request: JSON.stringify(ctx.request.body) }
    sessions.set(id, session)
    await commit([id, JSON.stringify(actor.getPersistedSnapshot()), session.request, ''])
    ctx.body = { sessionPtr: { u: `http://127.0.0.1:${port}/app/${id}` }, token: id }
  })
  router.get('/app/:id', async ctx => {
    const { request } = await step(ctx.params.id ?? '', 'app.fetched', '')
    ctx.body = JSON.parse(request)
  })
  router.post('/app/:id/proofs', async ctx => {
    const body = await rawBody(ctx.req, 'utf8')
    checks[submitted++ % checks.length]?.()
    await step(ctx.params.id ?? '', 'app.submitted', JSON.stringify(JSON.parse(body)))
    ctx.body = { proofStatus: 'VALID' }
  })
  router.get('/session/:id/result', ctx => {
    const id = ctx.params.id ?? ''
    ctx.body = { token: id, status: sessions.get(id)?.actor.getSnapshot().value, proofStatus: 'VALID' }
    sessions.delete(id)
  })
  const app = new Koa().use(router.routes())
  await new Promise<void>(resolve => app.listen(port, '127.0.0.1', resolve))
}

answerParent<FloorTask>(async task => {
  if (task.ask === 'start') await start(task)
  return 0
})
