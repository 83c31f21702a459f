/** The time limits of a call count from its arrival, also while the event loop is late. After a limit the call is refused before its work begins (spec/decisions#time). */
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import type { Sessions } from '../../actors/sessions.ts'
import { arrivals, withinSince } from '../../http/limit-time.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { appHeaders, type Parts, withMethods, withServer } from './harness.ts'
import { sent } from './raw-connection.ts'

const Late = suite('a late event loop')

/** A clock whose timers do not fire while time passes, as in a busy event loop. */
function lateClock(): { readonly clock: SimulatedClock; pass(ms: number): void } {
  const clock = createSimulatedClock(Date.UTC(2026, 5, 1))
  let lateMs = 0
  return {
    clock: { ...clock, now: () => clock.now() + lateMs },
    pass(ms) {
      lateMs += ms
    },
  }
}

/** A server whose event loop is busy for `takesMs` while it finds the session of an app. */
function slowToFind(finding: { readonly takesMs: number }): Parts {
  const { clock, pass } = lateClock()
  const wrapSessions = (sessions: Sessions) =>
    withMethods(sessions, {
      knownByClientToken(token) {
        pass(finding.takesMs)
        return sessions.knownByClientToken(token)
      },
    })
  return { clock, wrapSessions }
}

const NOT_WITHIN = (what: string, ms: number) => `UnavailableError: ${what}: not within ${ms} ms`

Late('if no time is left, the work does not begin', async () => {
  const { clock, pass } = lateClock()
  const arrivedAt = clock.now()
  let begun = 0
  const work = async (): Promise<number> => ++begun
  pass(3_999)
  assert.is(await withinSince(clock, arrivedAt, 4_000, 'work', work), 1)
  pass(1)
  assert.is(await rejection(withinSince(clock, arrivedAt, 4_000, 'work', work)), NOT_WITHIN('work', 4_000))
  assert.is(begun, 1)
})

Late('the remaining time limits the work', async () => {
  const { clock, pass } = lateClock()
  const arrivedAt = clock.now()
  pass(3_000)
  const refused = rejection(withinSince(clock, arrivedAt, 4_000, 'work', () => new Promise(() => {})))
  assert.is((clock.nextTimerAt() ?? 0) - arrivedAt, 1_000)
  clock.advance(1_000)
  assert.is(await refused, NOT_WITHIN('work', 4_000))
})

Late('all calls of one turn of the loop have the same time of arrival', async () => {
  const { clock, pass } = lateClock()
  const arrivedNow = arrivals(clock)
  const first = arrivedNow()
  pass(5_000)
  assert.is(arrivedNow(), first)
  await new Promise(resolve => setImmediate(resolve))
  assert.is(arrivedNow(), first + 5_000)
})

Late('calls that are handed over after a standstill may have arrived at its beginning', async () => {
  const { clock } = lateClock()
  let lateMs = 10_000
  const arrivedNow = arrivals(clock, { lateMs: () => lateMs })
  assert.is(arrivedNow(), clock.now() - 10_000)
  lateMs = 0
  assert.is(arrivedNow(), clock.now() - 10_000)
  await new Promise(resolve => setImmediate(resolve))
  assert.is(arrivedNow(), clock.now())
})

Late(
  'a call that is handed over after a standstill is 503 before its work; the next one is handled',
  async () => {
    let [lateMs, accepted] = [0, 0]
    const loop = { lateMs: () => lateMs, accepted: () => void accepted++ }
    await withServer({ loop }, async server => {
      const session = await server.create()
      const connect = () => server.call('GET', session.app, { headers: appHeaders() })
      lateMs = 4_000
      const refused = await connect()
      assert.equal([refused.status, refused.headers['retry-after']], [503, '2'])
      assert.is((await server.rowOf(session)).version, 1)
      lateMs = 3_999
      assert.is((await connect()).status, 200)
      assert.ok(accepted > 0)
    })
  },
)

Late('a submission may have waited for less than 15 s, the time limit of its outcome', () => {
  let lateMs = 0
  return withServer({ loop: { lateMs: () => lateMs, accepted() {} } }, async server => {
    const session = await server.create()
    await server.call('GET', session.app, { headers: appHeaders() })
    const submit = () =>
      server.call('POST', `${session.app}/proofs`, {
        headers: appHeaders(),
        body: { proofs: [], indices: [] },
      })
    lateMs = 15_000
    assert.is((await submit()).status, 503)
    assert.is((await server.rowOf(session)).version, 2)
    lateMs = 3_999
    assert.is((await submit()).status, 200)
  })
})

Late(
  'a submission whose session is found late gets 503, nothing changes, and a repetition is handled',
  () => {
    const finding = { takesMs: 0 }
    return withServer(slowToFind(finding), async server => {
      const session = await server.create()
      await server.call('GET', session.app, { headers: appHeaders() })
      const body = '{"proofs":[],"indices":[]}'
      const headers = Object.entries({ ...appHeaders(), 'Content-Length': String(body.length) })
      const lines = [`POST ${session.app}/proofs HTTP/1.1`, ...headers.map(line => line.join(': '))]
      const whole = [...lines, 'Connection: close', '', body].join('\r\n') // head and body arrive together
      const submit = async () => {
        const { socket, got } = await sent(server.port, whole)
        await once(socket, 'close')
        return got()
      }
      finding.takesMs = 15_000
      assert.match(
        await submit(),
        /^HTTP\/1\.1 503 [\s\S]*\r\nRetry-After: 2\r\n[\s\S]*handling the call: not within 15000 ms/,
      )
      assert.is((await server.rowOf(session)).version, 2)
      finding.takesMs = 0
      assert.match(await submit(), /^HTTP\/1\.1 200 /)
    })
  },
)

Late('the first call of an app does not connect it if its session is found late', () => {
  const finding = { takesMs: 4_000 }
  return withServer(slowToFind(finding), async server => {
    const session = await server.create()
    const connect = () => server.call('GET', session.app, { headers: appHeaders() })
    assert.is((await connect()).status, 503)
    assert.is((await server.rowOf(session)).version, 1)
    finding.takesMs = 3_999
    assert.is((await connect()).status, 200)
  })
})

Late.run()
