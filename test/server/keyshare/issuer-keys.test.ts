/** The times at which a keyshare server reads its schemes again, and the keys that it adopts (spec/keyshare-server#8.1). */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { schemeOf } from '../../../protocol/ids.ts'
import { parsePublicKeyId } from '../../../protocol/keyshare/public-key-ids.ts'
import { loadSchemes } from '../../../schemes/load.ts'
import type { NewKeys } from '../../../schemes/new-keys.ts'
import type { Scheme } from '../../../schemes/types.ts'
import { createIssuerKeys } from '../../../server/keyshare/issuer-keys.ts'
import { settle } from '../../actors/node.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { suite } from '../../suite.ts'

const schemes = await loadSchemes(DEMO_SCHEMES)
const KNOWN = parsePublicKeyId('svc-demo.gov-0')
const NEXT = parsePublicKeyId('svc-demo.gov-1')
const MADE_UP = parsePublicKeyId('svc-demo.nobody-5')
const { publicKey } = schemes
const key = publicKey(KNOWN.issuer, 0)
if (key === undefined) throw new Error('expected a key')

/** Issuer keys in a test that ends each reading of the schemes itself. */
function started() {
  const readings: { readonly end: (found: NewKeys) => void; readonly fail: (error: Error) => void }[] = []
  const asked: (readonly string[])[] = []
  const logged: string[] = []
  const clock = createSimulatedClock()
  const write = (...line: readonly unknown[]) =>
    void logged.push(line.map(each => JSON.stringify(each)).join())
  const takers: ((scheme: Scheme) => void)[] = []
  const watch = (hear: (scheme: Scheme) => void): void => void takers.push(hear)
  const keys = createIssuerKeys({
    schemes: { now: schemes, follow: watch },
    clock,
    log: { info: write, warn: write, error: write },
    read: known => {
      asked.push(known)
      return new Promise((end, fail) => void readings.push({ end, fail }))
    },
  })
  const take = (scheme: Scheme): void => {
    for (const hear of takers) hear(scheme)
  }
  return { keys, readings, asked, logged, clock, take }
}

const NOTHING: NewKeys = { keys: [], refused: [] }
const Keys = suite('issuer keys of a keyshare server')

Keys('a request for known keys does not read the schemes', async () => {
  const { keys, readings } = started()
  const looking = keys.lookFor([KNOWN])
  assert.equal([readings.length, keys.publicKey(KNOWN.issuer, 0)], [0, key])
  await looking
})

Keys(
  'requests during a reading share it; for the rest of the minute, requests cause no other one',
  async () => {
    const { keys, readings, clock } = started()
    const waiting = [keys.lookFor([NEXT]), keys.lookFor([MADE_UP]), keys.lookFor([KNOWN, NEXT])]
    assert.is(readings.length, 1)
    readings[0]?.end({ keys: [{ id: NEXT, key: { ...key, counter: 1 } }], refused: [] })
    await Promise.all(waiting)
    assert.is(keys.publicKey(NEXT.issuer, 1)?.counter, 1)
    clock.advance(59_999)
    const refused = keys.lookFor([MADE_UP])
    assert.is(readings.length, 1)
    await refused
    clock.advance(1)
    const again = keys.lookFor([MADE_UP])
    assert.is(readings.length, 2)
    readings[1]?.end(NOTHING)
    await again
  },
)

Keys('a call waits 1 s at most for a reading, which continues and brings its keys later', async () => {
  const { keys, readings, clock } = started()
  let waited = 0
  const look = (): void => void keys.lookFor([NEXT]).then(() => waited++)
  const afterMs = async (ms: number): Promise<number> => {
    clock.advance(ms)
    await settle()
    return waited
  }
  look()
  assert.is(await afterMs(999), 0)
  look()
  assert.equal([await afterMs(1), await afterMs(998), await afterMs(1)], [1, 1, 2])
  assert.is(readings.length, 1)
  readings[0]?.end({ keys: [{ id: NEXT, key: { ...key, counter: 1 } }], refused: [] })
  await settle()
  assert.is(keys.publicKey(NEXT.issuer, 1)?.counter, 1)
})

Keys('while a reading takes longer than a minute, no second one begins', async () => {
  const { keys, readings, clock } = started()
  const waiting = [keys.lookFor([MADE_UP])]
  clock.advance(120_000)
  waiting.push(keys.lookFor([NEXT]))
  assert.is(readings.length, 1)
  readings[0]?.end(NOTHING)
  await Promise.all(waiting)
})

Keys('a known key is not replaced, and the reader leaves it out of its answer', async () => {
  const { keys, readings, asked } = started()
  const looking = keys.lookFor([NEXT])
  assert.ok(asked[0]?.includes('svc-demo.gov-0'))
  readings[0]?.end({ keys: [{ id: KNOWN, key: { ...key, Z: 4n } }], refused: [] })
  await looking
  assert.is(keys.publicKey(KNOWN.issuer, 0), key)
})

Keys('a cause is logged once, and again if it was gone in between', async () => {
  const { keys, readings, logged, clock } = started()
  const ends = [['a'], ['a', 'b'], [], ['a']]
  for (const [i, refused] of ends.entries()) {
    const looking = keys.lookFor([MADE_UP])
    readings[i]?.end({ keys: [], refused })
    await looking
    clock.advance(60_000)
  }
  assert.equal(
    logged.map(line => line.slice(0, 14)),
    ['{"reason":"a"}', '{"reason":"b"}', '{"reason":"a"}'],
  )
})

Keys('a reading that fails is logged and changes nothing', async () => {
  const { keys, readings, logged } = started()
  const looking = keys.lookFor([NEXT])
  readings[0]?.fail(new Error('no thread'))
  await looking
  assert.match(logged.join(), /schemes could not be read again/)
  assert.equal([keys.publicKey(NEXT.issuer, 1), keys.publicKey(KNOWN.issuer, 0)], [undefined, key])
})

Keys('a new version of a scheme adds its keys at once, without a reading, and removes none', () => {
  const { keys, readings, logged, take } = started()
  const scheme = schemes.scheme(schemeOf(KNOWN.issuer))
  const issuer = schemes.issuer(KNOWN.issuer)
  if (!scheme || !issuer) return assert.unreachable('the demo scheme is there')
  const publicKeys = new Map([[1, { ...key, counter: 1 }]])
  take({ ...scheme, issuers: new Map([[issuer.id, { ...issuer, publicKeys }]]) })
  assert.equal(
    [keys.publicKey(NEXT.issuer, 1)?.counter, keys.publicKey(KNOWN.issuer, 0), readings.length],
    [1, key, 0],
  )
  assert.match(logged.join(), /issuer keys added/)
})

Keys.run()
