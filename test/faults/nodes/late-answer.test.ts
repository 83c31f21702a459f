/** Two nodes on one PostgreSQL database. The link of one node stops passing data after the database has committed an outcome, and before it has confirmed it.
 *  The caller gets 503 after 15 s, and its repeat at the other node gets the stored answer (spec/decisions#replay, #time). @module */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createSimulatedClock, type SimulatedClock } from '../../../ports/simulated-clock.ts'
import { openStore } from '../../../stores/open.ts'
import { answerOf, SIGNED } from '../../actors/node.ts'
import type { Answer } from '../../http/client.ts'
import { appHeaders, type ServerOfTest, sessionIn, withServer } from '../../http/harness.ts'
import { pause, until } from '../../patience.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { cuttingRelay } from '../../stores/cutting-relay.ts'
import { suite } from '../../suite.ts'

const Late = suite('an outcome whose commit is not confirmed to its node')
const test = isMissing('PostgreSQL', hasPostgres) ? Late.skip : Late

const ISSUANCE = {
  '@context': 'https://svc.example/ld/request/issuance/v2',
  credentials: [{ credential: 'svc-demo.fast.note', attributes: { text: 'x' } }],
}
const COMMITMENTS = { n_2: 'AQ==', combinedProofs: [] }
const SIGS = '{"proofStatus":"VALID","sigs":[{"proof":{"c":"Aw=="},"signature":{"A":"BQ=="}}]}'
/** The statement that commits a session. */
const COMMIT = 'commit updated'
/** The pause between two steps of the simulated clock. */
const TURN_MS = 1

/** Moves the clock in small steps until the work has ended. @returns its result, and the simulated time that it took */
async function during<Value>(clock: SimulatedClock, work: Promise<Value>): Promise<[Value, number]> {
  const beganAt = clock.now()
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await pause(TURN_MS)
    if (!isOver) clock.advance(250)
    assert.ok(clock.now() - beganAt < 60_000, 'expected an answer within a minute')
  }
  return [await over, clock.now() - beganAt]
}

const commit = (server: ServerOfTest, app: string): Promise<Answer> =>
  server.call('POST', `${app}/commitments`, { headers: appHeaders(), body: COMMITMENTS })

test('the node answers 503 with Retry-After; a repeat at the other node gets the stored answer with its signatures', async () => {
  const direct = await newPostgresDatabase()
  const { pathname, searchParams } = new URL(direct.replace('@/', '@socket/'))
  const relay = await cuttingRelay({ path: join(searchParams.get('host') ?? '', '.s.PGSQL.5432') })
  const clock = createSimulatedClock(Date.now())
  const [store, other] = await Promise.all([
    openStore(`postgres://svc@127.0.0.1:${relay.port}${pathname}`, 'boot A', { clock }),
    openStore(direct, 'boot B', { clock }),
  ])
  const sign = async () => {
    relay.deafAfter(COMMIT)
    return { ...SIGNED, answer: answerOf(SIGS) }
  }
  await withServer({ clock, store, effects: { sign } }, a =>
    withServer({ clock, store: other }, async b => {
      try {
        const session = sessionIn(await a.post(ISSUANCE))
        assert.is((await a.call('GET', session.app, { headers: appHeaders() })).status, 200)
        const submission = commit(a, session.app)
        await until(() => relay.isDeaf(), 'a link that passes no more data')
        const [late, lateMs] = await during(clock, submission)
        assert.equal([late.status, late.headers['retry-after'], relay.isDeaf()], [503, '2', true])
        assert.ok(lateMs >= 15_000 && lateMs <= 16_000, `${lateMs} ms`)
        clock.advance(2_000)
        const again = await commit(b, session.app)
        assert.equal([again.status, again.text], [200, SIGS])
        clock.advance(60_000)
        const last = await commit(b, session.app)
        assert.equal([last.status, last.text], [200, SIGS])
        const result = await b.call('GET', `${session.requestor}/result`)
        assert.match(result.text, '"status":"DONE"')
      } finally {
        relay.close()
      }
    }),
  )
  await Promise.all([store.close(), other.close()])
})

Late.run()
