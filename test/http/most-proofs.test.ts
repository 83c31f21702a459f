/** A submission with more proofs than its request can use, over HTTP (spec/decisions#d26). @module */
import * as assert from 'uvu/assert'
import type { SessionRow } from '../../stores/session-store.ts'
import { VALID } from '../actors/node.ts'
import { suite } from '../suite.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest, withServer } from './harness.ts'

const Bound = suite('how many proofs a submission may hold, over HTTP (spec/decisions#d26)')

async function connected(server: ServerOfTest): Promise<SessionOfTest> {
  const session = await server.create()
  assert.is((await server.call('GET', session.app, { headers: appHeaders() })).status, 200)
  return session
}

function submit(server: ServerOfTest, { app }: SessionOfTest, body: unknown) {
  return server.call('POST', `${app}/proofs`, { headers: appHeaders(), body })
}

Bound(
  'more proofs than the request can use: 400 MALFORMED_INPUT, CANCELLED, nothing of them is stored (spec/decisions#d26)',
  () => {
    const checked: string[] = []
    const check = async ({ claimedBody }: SessionRow) => {
      checked.push(claimedBody ?? '')
      return VALID
    }
    return withServer({ effects: { check } }, async server => {
      const session = await connected(server)
      const answer = await submit(server, session, { proofs: Array(6).fill({}) })
      const { error, message } = answer.json as { error: string; message: string }
      assert.equal([answer.status, error], [400, 'MALFORMED_INPUT'])
      assert.is(message, 'proofs: expected at most 5, got 6 or more')
      assert.equal([(await server.rowOf(session)).status, checked], ['CANCELLED', []])
      const other = await connected(server)
      assert.is((await submit(server, other, { proofs: Array(5).fill({}) })).status, 200)
      assert.is(checked.length, 1)
    })
  },
)

Bound('one proof with 60,000 numbers: 400 MALFORMED_INPUT, CANCELLED, and no effect reads them again', () => {
  let checks = 0
  const check = async () => {
    checks++
    return VALID
  }
  return withServer({ effects: { check } }, async server => {
    const session = await connected(server)
    const a_responses = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [index, 'AQ==']))
    const answer = await submit(server, session, { proofs: [{ A: 'AQ==', a_responses }] })
    const { error, message } = answer.json as { error: string; message: string }
    assert.equal([answer.status, error], [400, 'MALFORMED_INPUT'])
    assert.match(message, /^JSON: expected at most \d+ values, got more$/)
    assert.equal([(await server.rowOf(session)).status, checks], ['CANCELLED', 0])
  })
})

Bound.run()
