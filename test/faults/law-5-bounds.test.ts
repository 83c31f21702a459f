/** spec/laws#5: everything is bounded; beyond a bound the answer is 503, and nothing is lost. @module */
import * as assert from 'uvu/assert'
import { MOST_BODY_BYTES } from '../../actors/calls/body-bytes.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import {
  answerOf,
  connectedNode,
  createTestNode,
  deferred,
  elapse,
  idOf,
  settle,
  VALID,
} from '../actors/node.ts'
import { suite } from '../suite.ts'
import { faultyStore } from './faulty-store.ts'
import { rejection } from './rejection.ts'

const Law = suite('spec/laws#5: bounds')

Law('one live actor, three sessions at once: an eviction never meets a turn', async () => {
  const n = createTestNode({ limits: { maxLive: 1 } })
  const names = ['p', 'q', 'r']
  for (const name of names) await n.open(name)
  assert.equal(await Promise.all(names.map(name => n.connect(name))), Array(3).fill('CONNECTED'))
  assert.equal(
    await Promise.all(names.map(name => n.submit('proof', name))),
    Array(3).fill('{"proofStatus":"VALID"}'),
  )
  assert.equal(n.reports, [])
})

Law('simultaneous calls on one session are queued, and none of them loses a race', async () => {
  const store = faultyStore(createMemoryStore())
  const n = createTestNode({ store })
  await n.open()
  store.commits = 0
  const chose = { type: 'frontend.chose', method: 'pin' } as const
  await Promise.all(Array.from({ length: 50 }, () => n.turn(chose)))
  assert.equal([store.commits, (await n.row())?.version], [50, 51])
})

Law('at the maximum of sessions no session is opened, until one is forgotten', async () => {
  const n = createTestNode({ limits: { maxSessions: 2 } })
  for (const name of ['s', 't']) await n.open(name)
  assert.is(await rejection(n.open('u')), 'OverloadedError: too many sessions')
  assert.is(await n.row('u'), null)
  await elapse(n.clock, 11 * 60_000)
  assert.is((await n.open('u')).status, 'INITIALIZED')
})

Law('at the maximum of waiting calls a submission is refused before it is claimed', async () => {
  const check = deferred()
  const n = await connectedNode({ limits: { maxWaiting: 1 }, check: () => check.promise.then(() => VALID) })
  await n.open('t')
  await n.connect('t')
  const first = n.submit()
  await settle()
  assert.is(
    await rejection(n.submit('proof', 't')),
    'OverloadedError: too many calls are waiting for an outcome',
  )
  assert.is(await rejection(n.submit()), 'OverloadedError: too many calls are waiting for an outcome')
  assert.equal([(await n.row('t'))?.claim, n.checked.length], [null, 1])
  const fetch = { event: { type: 'app.fetched' }, answer: answerOf('the request') } as const
  assert.equal(await n.sessions.call(idOf('t'), 'fetch', () => fetch), { answer: answerOf('the request') })
  check.resolve()
  assert.is(await first, '{"proofStatus":"VALID"}')
  assert.is(await n.submit('proof', 't'), '{"proofStatus":"VALID"}')
})

Law(
  'by default there is room for 1,000,000 sessions, 10,000 waiting calls, and an eighth of the memory for bodies',
  async () => {
    const store = createMemoryStore()
    let stored = 999_999
    Object.assign(store.sessions, { count: async () => stored })
    const n = await connectedNode({ store, check: () => new Promise(() => {}) })
    stored += 1
    assert.is(await rejection(n.open('t')), 'OverloadedError: too many sessions')
    const waiting = Array.from({ length: 10_000 }, () => rejection(n.submit()))
    assert.is(await rejection(n.submit()), 'OverloadedError: too many calls are waiting for an outcome')
    await n.sessions.close()
    assert.equal([...new Set(await Promise.all(waiting))], ['UnavailableError: this server is closing'])
    const { sessions } = createTestNode()
    for (let left = MOST_BODY_BYTES; left > 0; left -= 2 ** 16) sessions.reserveBody(Math.min(left, 2 ** 16))
    assert.throws(() => sessions.reserveBody(1), /too many bytes/)
  },
)

Law('a caller that stops waiting makes room for another', async () => {
  const n = await connectedNode({ limits: { maxWaiting: 1 }, check: () => new Promise(() => {}) })
  for (let round = 0; round < 3; round++) {
    const waiting = rejection(n.submit())
    await settle()
    await elapse(n.clock, 15_000)
    assert.match(await waiting, /^UnavailableError/)
  }
})

Law('a session cannot be opened twice', async () => {
  const n = createTestNode()
  await n.open()
  assert.is(await rejection(n.open()), `Error: session ${idOf('s')} exists`)
  assert.is(await n.connect(), 'CONNECTED')
})

Law('stored data ends with its use: the body with the claim, and the answer after 90 s', async () => {
  const check = deferred()
  const n = await connectedNode({ check: () => check.promise.then(() => VALID) })
  const answer = n.submit('the body')
  await settle()
  assert.is((await n.row())?.claimedBody, 'the body')
  check.resolve()
  await answer
  assert.equal(
    [(await n.row())?.claimedBody, (await n.row())?.answered?.answer.body],
    [null, '{"proofStatus":"VALID"}'],
  )
  await elapse(n.clock, 90_000)
  assert.ok((await n.row())?.answered)
  await elapse(n.clock, 5_001)
  assert.equal([(await n.row())?.answered, (await n.row())?.version], [null, 4])
})

Law('a handled call without an answer is an error of the calling code, and changes nothing', async () => {
  const n = createTestNode()
  await n.open()
  const connected = { event: { type: 'app.connected', protocolVersion: '2.8' } } as const
  const call = n.sessions.call(idOf('s'), 'hash', () => connected)
  assert.match(await rejection(call), 'TypeError: a handled call of the app: expected an answer')
  assert.is((await n.row())?.version, 1)
})

Law('closing: waiting callers get 503, no work begins, and no timer stays', async () => {
  const check = deferred()
  const n = await connectedNode({ check: () => check.promise.then(() => VALID) })
  const waiting = rejection(n.submit())
  await settle()
  await n.sessions.close()
  assert.is(await waiting, 'UnavailableError: this server is closing')
  assert.is(await rejection(n.connect()), 'UnavailableError: this server is closing')
  check.resolve()
  await settle()
  assert.equal([(await n.row())?.status, n.clock.nextTimerAt(), n.reports], ['CONNECTED', null, []])
})

Law.run()
