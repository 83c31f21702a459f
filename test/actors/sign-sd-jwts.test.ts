/** Signing SD-JWTs does not block the event loop, and it ends when its claim ends. @module */
import { generateKeyPairSync } from 'node:crypto'
import * as assert from 'uvu/assert'
import { signSdJwts } from '../../actors/effects/sign-sd-jwts.ts'
import { TURN_MS } from '../../actors/workers/turn-budget.ts'
import type { SdJwtToSign } from '../../protocol/sd-jwt/sd-jwt.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const EACH: SdJwtToSign = {
  issuer: { url: 'https://issuer.example', x5c: ['AQ=='], privateKey },
  vct: 'svc-demo.gov.idcard',
  issuedAtSec: 5,
  expiresAtSec: 9,
  key: { crv: 'P-256', kty: 'EC', x: 'x', y: 'y' },
  attributes: { a: 'b' },
}
const random = { bytes: (count: number) => new Uint8Array(count) }
const forever = new AbortController().signal

/** Notes the expected duration of each piece, and does it at once. */
function noted() {
  const pieces: number[] = []
  async function run<Result>(ms: number, work: () => Result): Promise<Result> {
    pieces.push(ms)
    return work()
  }
  return { pieces, run }
}

const Signing = suite('signing of SD-JWTs in turns')

Signing('each SD-JWT is a piece of its own, shorter than a turn', async () => {
  const turns = noted()
  const signed = await signSdJwts(Array<SdJwtToSign>(20).fill(EACH), { turns, random }, forever)
  assert.is(signed.length, 20)
  assert.is(turns.pieces.length, 20)
  assert.ok(turns.pieces.every(ms => ms > 0 && ms < TURN_MS))
})

Signing('nothing is signed after the claim has ended', async () => {
  const ended = new AbortController()
  const { pieces, run } = noted()
  const turns = {
    async run<Result extends { readonly tookMs: number }>(ms: number, work: () => Result): Promise<Result> {
      if (pieces.length === 2) ended.abort(new Error('the claim has ended'))
      return run(ms, work)
    },
  }
  const work = signSdJwts(Array<SdJwtToSign>(20).fill(EACH), { turns, random }, ended.signal)
  assert.match(await rejection(work), /the claim has ended/)
  assert.is(pieces.length, 3)
})

Signing.run()
