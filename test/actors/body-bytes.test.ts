/** Counts the bytes of all request bodies in a node's memory (spec/laws#5). @module */
import { getHeapStatistics } from 'node:v8'
import * as assert from 'uvu/assert'
import { BodyBytes, MOST_BODY_BYTES } from '../../actors/calls/body-bytes.ts'
import { NoRoomForBodyError } from '../../protocol/errors.ts'
import { suite } from '../suite.ts'

const Bytes = suite('the bytes of bodies')
const USUAL = 2 ** 16
const MOST = 10 * USUAL

function fits(bodies: BodyBytes, bytes: number): boolean {
  try {
    bodies.reserve(bytes)()
    return true
  } catch (error) {
    if (error instanceof NoRoomForBodyError) return false
    throw error
  }
}

Bytes('usual bodies may fill the whole limit, and not a byte more', () => {
  const bodies = new BodyBytes(MOST)
  for (let k = 0; k < 9; k++) bodies.reserve(USUAL)
  assert.ok(fits(bodies, USUAL))
  bodies.reserve(USUAL - 1)
  assert.equal([fits(bodies, 1), fits(bodies, 2), fits(bodies, 0)], [true, false, true])
})

Bytes('long bodies may fill half of the limit', () => {
  const bodies = new BodyBytes(MOST)
  assert.equal([fits(bodies, MOST / 2), fits(bodies, MOST / 2 + 1)], [true, false])
  bodies.reserve(MOST / 2)
  assert.equal([fits(bodies, USUAL + 1), fits(bodies, USUAL)], [false, true])
})

Bytes('accepted bodies count, and each is released only once', () => {
  const bodies = new BodyBytes(MOST)
  const release = bodies.hold(MOST)
  const another = bodies.hold(USUAL)
  assert.ok(fits(bodies, 0), 'a call without a body is always accepted')
  assert.not(fits(bodies, 1))
  release()
  release()
  another()
  const again = bodies.reserve(USUAL)
  assert.ok(fits(bodies, MOST / 2 - USUAL))
  assert.not(fits(bodies, MOST / 2 - USUAL + 1))
  again()
})

Bytes('the limit is an eighth of the heap, and at least 32 MiB', () => {
  const eighth = getHeapStatistics().heap_size_limit / 8
  assert.is(MOST_BODY_BYTES, Math.max(2 ** 25, Math.floor(eighth)))
})

Bytes.run()
