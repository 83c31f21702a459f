/** The signing keys of an OpenID provider: published before they sign, rotated once, and kept until their tokens have expired. @module */
import { calculateJwkThumbprint } from 'jose'
import * as assert from 'uvu/assert'
import { type KeyRing, type KeyRingDeps, openKeyRing } from '../../../actors/oidc/key-ring.ts'
import { makeSigningKey } from '../../../actors/oidc/make-key.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { NEVER } from '../../../stores/oidc-store.ts'
import { suite } from '../../suite.ts'
import { errorOf, keyMaker, keysOf, SEALING } from './nodes.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOTICED = 60_000
const TIMES = { signsMs: 30 * DAY, publishedMs: DAY, tokenMs: 2 * HOUR }

function start() {
  const clock = createSimulatedClock(1_780_000_000_000)
  const store = createMemoryStore()
  let made = 0
  const make = keyMaker()
  const makeKey: typeof make = alg => {
    made++
    return make(alg)
  }
  const open = (given: Partial<KeyRingDeps> = {}) =>
    openKeyRing({ ...SEALING, store, clock, algorithms: ['ES256'], times: TIMES, makeKey, ...given })
  return { clock, store, open, made: () => made }
}

function kidsOf(ring: KeyRing): readonly string[] {
  return ring.signingKeys().map(({ kid }) => kid)
}

const Ring = suite('signing keys of an OpenID provider')

Ring('the first node makes a current and a next key, and later nodes use the same', async () => {
  const { open, made } = start()
  const [a, b] = [await open(), await open()]
  assert.equal(kidsOf(a), ['ES256 1', 'ES256 2'])
  assert.equal(b.signingKeys(), a.signingKeys())
  assert.is(made(), 2)
})

Ring('two nodes that start at once on an empty store have the same keys', async () => {
  const { open } = start()
  const rings = await Promise.all([open(), open()])
  assert.equal(kidsOf(rings[0]), kidsOf(rings[1]))
  assert.is(kidsOf(rings[0]).length, 2)
})

Ring(
  'a key signs for its time; then the next one, which was published, signs, and a new one is published',
  async () => {
    const { open, clock } = start()
    const ring = await open()
    clock.advance(TIMES.signsMs - 1)
    await ring.refresh()
    assert.equal(kidsOf(ring), ['ES256 1', 'ES256 2'])
    clock.advance(1)
    await ring.refresh()
    assert.equal(kidsOf(ring), ['ES256 2', 'ES256 3', 'ES256 1'])
  },
)

Ring('a next key does not sign before it was published long enough', async () => {
  const { open, clock } = start()
  const times = { ...TIMES, signsMs: HOUR }
  const ring = await open({ times })
  clock.advance(DAY - 1)
  await ring.refresh()
  assert.is(kidsOf(ring)[0], 'ES256 1')
  clock.advance(1)
  await ring.refresh()
  assert.is(kidsOf(ring)[0], 'ES256 2')
})

Ring('a former key stays published until the last token that it signed has expired', async () => {
  const { open, clock } = start()
  const ring = await open()
  clock.advance(TIMES.signsMs)
  await ring.refresh()
  clock.advance(TIMES.tokenMs + NOTICED - 1)
  await ring.refresh()
  assert.ok(kidsOf(ring).includes('ES256 1'))
  clock.advance(1)
  await ring.refresh()
  assert.equal(kidsOf(ring), ['ES256 2', 'ES256 3'])
})

Ring('two nodes that find the rotation due at once rotate once, and both see it', async () => {
  const { open, clock, store } = start()
  const rings = await Promise.all([open(), open()])
  const changes: number[] = []
  for (const [i, ring] of rings.entries()) ring.onChange(() => changes.push(i))
  const [former, next] = kidsOf(rings[0])
  clock.advance(TIMES.signsMs)
  await Promise.all(rings.map(ring => ring.refresh()))
  const [current, , last] = kidsOf(rings[0])
  assert.equal([current, last], [next, former])
  assert.equal(kidsOf(rings[0]), kidsOf(rings[1]))
  assert.equal(changes.sort(), [0, 1])
  assert.is(await store.oidc.count(), 1)
})

Ring(
  'a node sees the rotation of another node at its next refresh, and notifies its listeners once',
  async () => {
    const { open, clock } = start()
    const [a, b] = [await open(), await open()]
    const seen: string[][] = []
    const stop = b.onChange(() => seen.push([...kidsOf(b)]))
    await b.refresh()
    clock.advance(TIMES.signsMs)
    await a.refresh()
    await b.refresh()
    await b.refresh()
    assert.equal(seen, [['ES256 2', 'ES256 3', 'ES256 1']])
    stop()
    clock.advance(TIMES.signsMs)
    await b.refresh()
    assert.is(seen.length, 1)
  },
)

Ring('after a pause of all nodes the published key signs first', async () => {
  const { open, clock } = start()
  await open()
  clock.advance(10 * TIMES.signsMs)
  assert.equal(kidsOf(await open()), ['ES256 2', 'ES256 3', 'ES256 1'])
})

Ring(
  'each algorithm has its keys; an added algorithm gets keys, and the keys of a removed one expire',
  async () => {
    const { open, clock } = start()
    await open()
    const both = await open({ algorithms: ['RS256', 'ES256'] })
    assert.equal(kidsOf(both), ['ES256 1', 'RS256 3', 'ES256 2', 'RS256 4'])
    const one = await open({ algorithms: ['RS256'] })
    assert.equal(kidsOf(one), kidsOf(both))
    clock.advance(TIMES.signsMs)
    await one.refresh()
    assert.equal(kidsOf(one), ['RS256 4', 'RS256 5', 'ES256 1', 'RS256 3'])
    clock.advance(DAY)
    await one.refresh()
    assert.equal(kidsOf(one), ['RS256 4', 'RS256 5'])
  },
)

Ring('the keys are one sealed record that does not expire', async () => {
  const { open, store } = start()
  await open()
  assert.is(await store.oidc.count(), 1)
  assert.is(await store.oidc.dropExpired(NEVER - 1, 9), false)
  const error = await errorOf(open({ keys: keysOf(2) }))
  assert.match(error.message, /expected the storage key with number 1/)
})

Ring('a made key signs with its algorithm, and its id is its thumbprint', async () => {
  const keys = await Promise.all([makeSigningKey('RS256'), makeSigningKey('ES256')])
  assert.equal(
    keys.map(({ kty, alg, use }) => [kty, alg, use]),
    [
      ['RSA', 'RS256', 'sig'],
      ['EC', 'ES256', 'sig'],
    ],
  )
  for (const key of keys) assert.is(key.kid, await calculateJwkThumbprint(key))
  assert.is(Buffer.from(keys[0]?.n ?? '', 'base64url').length, 256)
})

Ring.run()
