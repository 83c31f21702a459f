/** Keys of timestamp servers (spec/cryptography#8.3 rule 2). @module */
import * as assert from 'uvu/assert'
import { timestampKeys } from '../../actors/effects/timestamp-keys.ts'
import type { Timestamp } from '../../crypto/timestamp.ts'
import { type OutgoingAnswer, OutgoingError } from '../../ports/outgoing.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { deferred } from './node.ts'

const NOW = Date.UTC(2026, 5, 1)
const SERVER = 'https://stamps.example/irma'
const KEY = Uint8Array.from({ length: 32 }, (_, i) => i)
const ADDRESS = `${SERVER}/checkPublicKey?alg=ed25519&pk=${Buffer.from(KEY).toString('hex')}`

const stamp: Timestamp = {
  timeSec: NOW / 1_000,
  serverUrl: 'https://somewhere.else.example',
  alg: 'ed25519',
  signature: new Uint8Array(64),
  publicKey: KEY,
  hashing: null,
}

/** @param answer gives the answer to every request, or fails */
function asking(answer: () => Promise<OutgoingAnswer>) {
  const clock = createSimulatedClock(NOW)
  const asked: string[] = []
  const get = (url: string): Promise<OutgoingAnswer> => {
    asked.push(url)
    return answer()
  }
  const isTrusted = timestampKeys({ outgoing: { get }, clock })
  return {
    clock,
    asked,
    isTrusted: (changes: Partial<Timestamp> = {}, server = SERVER) =>
      isTrusted(server, { ...stamp, ...changes }),
  }
}

function trusted(untilAt: number, isTrusted = true): () => Promise<OutgoingAnswer> {
  const Expires = new Date(untilAt).toISOString()
  return async () => ({ status: 200, text: JSON.stringify({ Trusted: isTrusted, Expires }) })
}

const Keys = suite('keys of timestamp servers')

Keys('the server of the scheme is asked, not the one that the timestamp names', async () => {
  const { asked, isTrusted } = asking(trusted(NOW + 60_000))
  assert.is(await isTrusted(), true)
  assert.is(await isTrusted({}, `${SERVER}/`), true)
  assert.equal(asked, [ADDRESS], 'an address with and without a slash at its end is the same')
})

Keys('a positive answer is kept until its Expires, then the server is asked again', async () => {
  const { asked, isTrusted, clock } = asking(trusted(NOW + 60_000))
  assert.is(await isTrusted(), true)
  clock.advance(59_999)
  assert.is(await isTrusted(), true)
  assert.is(asked.length, 1)
  clock.advance(1)
  assert.is(await isTrusted(), true, 'the key was trusted at the time of the timestamp')
  assert.is(asked.length, 2)
})

/** Asks about `count` other keys, one after the other. */
async function askOthers(isTrusted: ReturnType<typeof asking>['isTrusted'], count: number): Promise<void> {
  for (let i = 1; i <= count; i++) {
    const publicKey = new Uint8Array(32)
    new DataView(publicKey.buffer).setUint32(0, i)
    await isTrusted({ publicKey })
  }
}

Keys('1,000 positive answers are kept, and the least recently used one is evicted', async () => {
  const { asked, isTrusted } = asking(trusted(NOW + 60_000))
  await isTrusted()
  await askOthers(isTrusted, 999)
  await isTrusted()
  assert.is(asked.length, 1_000)
  await askOthers(isTrusted, 1_000)
  assert.is(asked.length, 1_001)
  await isTrusted()
  assert.equal([asked.length, asked.at(-1)], [1_002, ADDRESS])
})

Keys('an answer that has already expired evicts no other', async () => {
  let untilAt = NOW + 60_000
  const { asked, isTrusted } = asking(() => trusted(untilAt)())
  await isTrusted()
  await askOthers(isTrusted, 999)
  untilAt = NOW
  assert.is(await isTrusted({}, 'https://other.example'), true)
  await isTrusted()
  assert.is(asked.length, 1_001)
})

Keys('answers are kept separately for each key and server', async () => {
  const { asked, isTrusted } = asking(trusted(NOW + 60_000))
  await isTrusted()
  await isTrusted({ publicKey: new Uint8Array(32) })
  await isTrusted({}, 'https://other.example')
  assert.is(new Set(asked).size, 3)
})

Keys('a timestamp that is later than Expires is not trusted; at Expires it is', async () => {
  const { isTrusted } = asking(trusted(NOW + 60_000))
  assert.is(await isTrusted({ timeSec: NOW / 1_000 + 60 }), true)
  assert.is(await isTrusted({ timeSec: NOW / 1_000 + 61 }), false)
})

Keys('a negative answer is not kept', async () => {
  const { asked, isTrusted } = asking(trusted(NOW + 60_000, false))
  assert.equal([await isTrusted(), await isTrusted()], [false, false])
  assert.is(asked.length, 2)
})

Keys('no server is asked about another algorithm, or about bytes that are no key', async () => {
  const { asked, isTrusted } = asking(trusted(NOW + 60_000))
  for (const changes of [{ alg: 'xmssmt' }, { alg: '' }, { publicKey: new Uint8Array(31) }])
    assert.is(await isTrusted(changes), false)
  assert.equal(asked, [])
})

Keys('simultaneous questions about one key wait for one answer of the server', async () => {
  const { promise, resolve } = deferred<OutgoingAnswer>()
  const { asked, isTrusted } = asking(() => promise)
  const both = Promise.all([isTrusted(), isTrusted()])
  resolve(await trusted(NOW)())
  assert.equal([await both, asked.length], [[true, true], 1])
})

const BAD: Record<string, OutgoingAnswer> = {
  'another status': { status: 404, text: '{"Trusted":true,"Expires":"2030-01-01T00:00:00Z"}' },
  'a redirect': { status: 302, text: '' },
  'no JSON': { status: 200, text: '<html>' },
  'JSON that is no object': { status: 200, text: 'null' },
  'no Expires': { status: 200, text: '{"Trusted":true}' },
  'an Expires that is no time': { status: 200, text: '{"Trusted":true,"Expires":"later"}' },
  'an Expires without a time zone': { status: 200, text: '{"Trusted":true,"Expires":"2030-01-01T00:00:00"}' },
  'a Trusted that is no boolean': {
    status: 200,
    text: '{"Trusted":"true","Expires":"2030-01-01T00:00:00Z"}',
  },
}
for (const [title, answer] of Object.entries(BAD))
  Keys(`an answer with ${title} makes no key trusted, and is not kept`, async () => {
    const { asked, isTrusted } = asking(async () => answer)
    assert.equal([await isTrusted(), await isTrusted()], [false, false])
    assert.is(asked.length, 2)
  })

Keys('RFC 3339 with an offset and nanoseconds is read', async () => {
  const text = '{"Trusted":true,"Expires":"2026-06-01T02:00:01.123456789+02:00"}'
  const { isTrusted } = asking(async () => ({ status: 200, text }))
  assert.is(await isTrusted({ timeSec: NOW / 1_000 + 1 }), true)
  assert.is(await isTrusted({ timeSec: NOW / 1_000 + 2 }), false)
})

Keys('without an answer of the server no key is trusted, and the server is asked again', async () => {
  const { asked, isTrusted } = asking(() => Promise.reject(new OutgoingError('no')))
  assert.equal([await isTrusted(), await isTrusted()], [false, false])
  assert.is(asked.length, 2)
})

Keys('an internal error is thrown, and does not count as an answer', async () => {
  const { isTrusted } = asking(() => Promise.reject(new TypeError('a bug')))
  assert.is(await rejection(isTrusted()), 'TypeError: a bug')
})

Keys.run()
