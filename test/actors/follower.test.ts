/** A follower without a server: the pause after a failure, the updates that it accepts, the events that it requests, and the party that it blames. @module */
import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { FollowError, Follower, type FollowerDeps } from '../../actors/revocation/follower.ts'
import { KnownAccumulators } from '../../actors/revocation/known.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { firstUpdate, resign, revoke } from '../../crypto/revocation/authority.ts'
import { OutgoingError } from '../../ports/outgoing.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { issuerOf } from '../../protocol/ids.ts'
import { encodeEvents, encodeUpdates } from '../../protocol/revocation-cbor.ts'
import { writeUpdate } from '../../protocol/revocation-json.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { StoreError } from '../../stores/store-error.ts'
import { rejection } from '../faults/rejection.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { withChanges, withRevocation } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { BADGE, credential, NOW_SEC, there } from './authority.ts'

const SERVER = 'https://authority.example'
const schemes = await loadSchemes(DEMO_SCHEMES)
const fails = (): Promise<never> => Promise.reject(new OutgoingError('no connection'))
const lost = new StoreError('store: lost')
const ours = new TypeError('a mistake of this program')

const keys = {
  key: there(schemes.publicKey(issuerOf(BADGE), 0)),
  privateKey: there(schemes.privateKey(issuerOf(BADGE), 0)),
}
/** Two accumulators of the issuer: before and after one revocation. */
const first = firstUpdate({ ...keys, nowSec: NOW_SEC }, randomBytes)
const [firstEvent] = first.events
const second = revoked(first, [2n ** 127n - 1n])

/** The update that follows after a revocation. */
function revoked({ signed, events }: RevocationUpdate, e: readonly bigint[]): RevocationUpdate {
  const revocations = { ...keys, signed, lastEvent: there(events.at(-1)), e, nowSec: NOW_SEC }
  return revoke(chooseArithmetic('auto'), revocations, randomBytes)
}

function following(changes: Partial<FollowerDeps> = {}, store = createMemoryStore()) {
  const clock = createSimulatedClock(NOW_SEC * 1_000)
  const reports: FollowError[] = []
  const follower = new Follower({
    known: new KnownAccumulators(BADGE, { store, schemes }),
    clock,
    outgoing: { getBytes: fails, postBytes: fails },
    listenTo: async function* () {},
    pool: { issueWitness: fails },
    servers: [SERVER],
    updateCount: 1,
    isServer: false,
    stop: new AbortController().signal,
    report: failure => reports.push(failure),
    worked: () => {},
    ...changes,
  })
  const indices = async () =>
    (await store.revocation.events(BADGE, 0, { min: 0, max: 9 })).map(({ index }) => index)
  return { follower, clock, store, reports, indices }
}

/** A follower whose own store fails to read. */
function losing(changes: Partial<FollowerDeps>) {
  const store = createMemoryStore()
  const revocation = withRevocation(store, { load: () => Promise.reject(lost) })
  const known = new KnownAccumulators(BADGE, { store: withChanges(store, { revocation }), schemes })
  return following({ ...changes, known })
}

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
}

const Failing = suite('a follower of a server that fails')

for (const hours of [-2, 0, 2])
  Failing(
    `makes no call to the server for 10 s, also when the clock is set by ${hours} hours meanwhile`,
    async () => {
      const { follower, clock } = following()
      await follower.refresh()
      clock.setWall(hours * 3_600_000)
      clock.advance(9_999)
      assert.ok(follower.hasJustFailed())
      clock.advance(1)
      assert.not.ok(follower.hasJustFailed())
    },
  )

Failing('reports a stream that the server breaks', async () => {
  const failure = await thrownBy(
    following({
      async *listenTo() {
        yield* []
        await fails()
      },
    }).follower.listen(),
  )
  assert.instance(failure, FollowError)
  const { asked, server, message } = failure as FollowError
  assert.equal([asked, server, message], ['stream', SERVER, 'no connection'])
})

Failing('reports a server that has an update, and not the events before it', async () => {
  const getBytes = async (url: string) =>
    url.includes('/update/')
      ? { status: 200, bytes: encodeUpdates(new Map([[0, second]])) }
      : { status: 404, bytes: encodeEvents(first.events) }
  const { follower, reports, indices } = following({
    isServer: true,
    outgoing: { getBytes, postBytes: fails },
  })
  await follower.refresh()
  assert.equal(
    reports.map(({ server, message }) => [server, message]),
    [[SERVER, 'expected an answer with status 200, got 404']],
  )
  assert.equal(await indices(), [])
})

Failing.run()

const Own = suite('a follower that fails itself')

Own('does not report the server when its own store fails', async () => {
  const listenTo = async function* () {
    yield JSON.stringify(writeUpdate(first))
  }
  const getBytes = async () => ({ status: 200, bytes: encodeUpdates(new Map([[0, first]])) })
  const { follower, reports } = losing({ listenTo, outgoing: { getBytes, postBytes: fails } })
  assert.is(await thrownBy(follower.refresh()), lost)
  assert.is(await thrownBy(follower.listen()), lost)
  assert.equal(reports, [])
  assert.not(follower.hasJustFailed())
})

Own('does not report the server for an internal error', async () => {
  const postBytes = () => Promise.reject(ours)
  const issueWitness = async () => ({ u: 1n, e: 2n ** 127n - 1n, signed: first.signed })
  const listenTo = async function* () {
    yield* []
    throw ours
  }
  const outgoing = { getBytes: fails, postBytes }
  const { follower } = following({ listenTo, outgoing, pool: { issueWitness } })
  await follower.take(0, first, SERVER)
  assert.is(await thrownBy(follower.issue(credential('k'))), ours)
  assert.is(await thrownBy(follower.listen()), ours)
})

Own.run()

const Taking = suite('updates that a follower accepts')

for (const [ms, isLatest] of [
  [120_000, true],
  [120_001, false],
] as const)
  Taking(
    `an update that was signed ${ms} ms ago ${isLatest ? 'counts' : 'does not count'} as the latest`,
    async () => {
      const { follower, clock } = following()
      clock.advance(ms)
      await follower.take(0, first, SERVER)
      assert.is(follower.refreshedAt(0), isLatest ? NOW_SEC * 1_000 + ms : null)
    },
  )

Taking('an update under a key that the schemes do not have is ignored', async () => {
  const { follower, store } = following()
  await follower.take(9, { ...first, signed: { ...first.signed, keyCounter: 9 } }, SERVER)
  assert.equal(await store.revocation.loadAll(BADGE), [])
  assert.is(follower.refreshedAt(9), null)
})

Taking('events from before an update count only if its accumulator follows from them', async () => {
  let events = [{ ...there(firstEvent), e: 3n }]
  const asked: string[] = []
  const getBytes = async (url: string) => {
    asked.push(url)
    return { status: 200, bytes: encodeEvents(events) }
  }
  const { follower, indices } = following({ isServer: true, outgoing: { getBytes, postBytes: fails } })
  assert.match(
    await rejection(follower.take(0, second, SERVER)),
    /^RevocationDataError: events: expected each event to follow its predecessor/,
  )
  assert.equal(await indices(), [])
  events = [there(firstEvent)]
  await follower.take(0, second, SERVER)
  assert.equal(await indices(), [0, 1])
  assert.equal(new Set(asked), new Set([`${SERVER}/revocation/${BADGE}/events/0/0/16`]))
})

Taking('events of a requested interval that are stored already stay unchanged', async () => {
  const e = Array.from({ length: 32 }, () => 2n ** 127n - 1n)
  const many = revoked(first, e)
  const more = revoked(many, e.slice(0, 2))
  const wrong = [{ ...there(firstEvent), e: 3n }]
  const getBytes = async (url: string) => ({
    status: 200,
    bytes: encodeEvents(url.endsWith('/0/32') ? wrong : more.events),
  })
  const { follower, store } = following({ isServer: true, outgoing: { getBytes, postBytes: fails } })
  for (const update of [first, many, { ...more, events: more.events.slice(1) }])
    await follower.take(0, update, SERVER)
  assert.is((await store.revocation.load(BADGE, 0))?.index, 34)
})

Taking(
  'a follower that serves no other party does not request the events before its first update',
  async () => {
    const { follower, indices } = following()
    await follower.take(0, second, SERVER)
    assert.equal(await indices(), [1])
  },
)

Taking('no events are requested if none is missing', async () => {
  const { follower, indices } = following({ isServer: true })
  await follower.take(0, first, SERVER)
  await follower.take(0, second, SERVER)
  await follower.take(
    0,
    { signed: resign(second.signed, { ...keys, nowSec: NOW_SEC + 1 }), events: [] },
    SERVER,
  )
  assert.equal(await indices(), [0, 1])
})

Taking('without a server in the settings, no stream is opened', async () => {
  const heard: string[] = []
  const listenTo = async function* (url: string) {
    yield* []
    heard.push(url)
  }
  await following({ servers: [], listenTo }).follower.listen()
  assert.equal(heard, [])
})

Taking.run()
