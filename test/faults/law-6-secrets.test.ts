/** spec/laws#6: secrets stay inside. Reports, status facts and due callbacks contain no token, code, body or authorization. @module */
import * as assert from 'uvu/assert'
import { sessionChart } from '../../machines/session.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { columnsOf, connectedNode, createTestNode, elapse, idOf, MINUTE } from '../actors/node.ts'
import { suite } from '../suite.ts'
import { faultyStore } from './faulty-store.ts'
import { rejection } from './rejection.ts'

const { clientToken, requestorToken, frontendToken } = columnsOf('s')
const SECRETS = [clientToken, requestorToken, frontendToken, 'secret body', 'secret authorization', '0042']

function assertNoSecret(...texts: readonly string[]): void {
  for (const text of texts) for (const secret of SECRETS) assert.not.match(text, secret)
}

const Law = suite('spec/laws#6: secrets stay inside')

Law('reports of every kind of failure name the session by a hash', async () => {
  const store = faultyStore(createMemoryStore())
  const boom = (): never => {
    throw new Error('boom')
  }
  const n = createTestNode({
    store,
    chart: sessionChart.provide({ actions: { startRetention: boom } }),
    check: () => Promise.reject(new Error('the worker died')),
  })
  await n.open()
  n.sessions.follow(idOf('s'), boom)
  await n.connect()
  await rejection(n.submit('secret body'))
  await rejection(n.turn({ type: 'cancelled' }))
  store.faults.push('fails')
  await elapse(n.clock, 6 * MINUTE)
  assert.ok(n.reports.length >= 4, `${n.reports.length} reports`)
  for (const report of n.reports) assert.match(report, /^[0-9a-f]{32}: /)
  assertNoSecret(...n.reports)
})

Law('errors that a caller gets contain no secret', async () => {
  const n = createTestNode({ limits: { maxSessions: 1, maxWaiting: 0 } })
  await n.open()
  await n.connect()
  const errors = await Promise.all([rejection(n.open('t')), rejection(n.submit('secret body'))])
  const again = createTestNode({ store: n.store })
  errors.push(await rejection(again.open()))
  assertNoSecret(...errors)
})

Law('snapshots, claims and owed rows contain only status facts', async () => {
  const n = await connectedNode({ check: () => new Promise(() => {}) })
  await n.open('t')
  await n.sessions.turn(idOf('t'), () => ({
    event: { type: 'frontend.chose', method: 'pin' },
    columns: { pairingCode: '0042', clientAuthorization: 'secret authorization' },
  }))
  void n.submit('secret body').catch(() => {}) // it never ends
  await elapse(n.clock, 1)
  for (const name of ['s', 't']) {
    const row = await n.row(name)
    assert.equal(Object.keys(row?.snapshot ?? {}), ['value', 'context'])
    assertNoSecret(JSON.stringify([row?.snapshot, row?.status, row?.id, row?.deadlineAt]))
  }
  await n.turn({ type: 'cancelled' })
  assertNoSecret(JSON.stringify(await n.store.deliveries.list()))
})

Law('the name of a session is a hash of its client token, and finds it', async () => {
  const n = createTestNode()
  const { id } = await n.open()
  assert.match(id, /^[0-9a-f]{32}$/)
  assert.is((await n.sessions.findByClientToken(clientToken))?.id, id)
  assert.is((await n.sessions.findByRequestorToken(requestorToken))?.id, id)
  assert.is(await n.sessions.findByClientToken(requestorToken), null)
  assert.is(await n.sessions.findByRequestorToken(clientToken), null)
  assert.is(await n.sessions.findByClientToken(id), null)
})

Law.run()
