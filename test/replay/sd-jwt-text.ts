/** SD-JWTs in answers. The recorded ones and ours have other salts, digests, orders and signatures, so they are compared by their content. Ours must also hold: the
 *  signature by the first certificate, the digests, and the key of the app. @module */
import { verify, X509Certificate } from 'node:crypto'
import { writeJson } from '../../protocol/json.ts'
import { digestOf } from '../../protocol/sd-jwt/sd-jwt.ts'
import type { Exchange } from './transcript.ts'

const SD_JWT = /"([\w-]+\.[\w-]+\.[\w-]+~[\w~-]*)"/g

export type SdJwtText = {
  /** JSON, byte for byte */
  readonly header: string
  readonly payload: string
  /** [salt, name, value] */
  readonly disclosures: readonly (readonly string[])[]
  readonly digests: readonly string[]
  readonly isSigned: boolean
}

/** @returns the SD-JWTs in the text of an answer */
export function sdJwtsIn(text: string): readonly SdJwtText[] {
  return [...text.matchAll(SD_JWT)].map(([, sdJwt = '']) => readSdJwt(sdJwt))
}

export function readSdJwt(sdJwt: string): SdJwtText {
  const [jwt = '', ...rest] = sdJwt.split('~')
  const [head = '', body = '', signature = ''] = jwt.split('.')
  const header = decoded(head)
  const [leaf = ''] = JSON.parse(header).x5c
  const { publicKey } = new X509Certificate(Buffer.from(leaf, 'base64'))
  const encoded = rest.slice(0, -1)
  return {
    header,
    payload: decoded(body),
    disclosures: encoded.map(text => JSON.parse(decoded(text))),
    digests: encoded.map(digestOf),
    isSigned: verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    ),
  }
}

function decoded(part: string): string {
  return Buffer.from(part, 'base64url').toString()
}

/** The answer with the content of each SD-JWT in its place: without salts, digests, the order of attributes, and the second of its issue. */
export function withoutSdJwtRandomness(text: string): string {
  return text.replace(SD_JWT, (_, sdJwt: string) => {
    const { header, payload, disclosures } = readSdJwt(sdJwt)
    const values = disclosures.map(([, name, value]) => JSON.stringify([name, value])).sort()
    const settled = payload.replace(/"_sd":\[[^\]]*\]/, `"_sd":[${values}]`).replace(/"iat":\d+/, '"iat":0')
    return writeJson(`${header}.${settled}`) // escaped like every other text of an answer
  })
}

/** @returns the problems of the SD-JWTs in our answer, one line each */
export function problemsOfSdJwts({ body = '' }: Exchange, answer: string, nowSec: number): string[] {
  const sdJwts = sdJwtsIn(answer)
  if (sdJwts.length === 0) return []
  const keys: readonly Readonly<Record<string, string>>[] = JSON.parse(body).keybinding_pub_keys
  const facts = sdJwts.flatMap(({ header, payload, disclosures, digests, isSigned }, i) => {
    const { _sd = [], cnf, iat } = JSON.parse(payload)
    const sent = keys[i] ?? {}
    const right: Readonly<Record<string, boolean>> = {
      'exactly the members alg, typ and x5c': /^\{"alg":"ES256","typ":"dc\+sd-jwt","x5c":\[[^\]]+\]\}$/.test(
        header,
      ),
      'a signature by the first certificate': isSigned,
      'a digest for each disclosure': JSON.stringify(digests) === JSON.stringify(_sd),
      'digests in their order': JSON.stringify(digests.toSorted()) === JSON.stringify(digests),
      'salts of 16 bytes': disclosures.every(([salt = '']) => Buffer.from(salt, 'base64url').length === 16),
      'the key of the app': Object.entries(cnf.jwk).every(([name, value]) => sent[name] === value),
      'the time of the answer': Math.abs(iat - nowSec) <= 1,
    }
    return Object.entries(right).map(([expected, isRight]) =>
      isRight ? '' : `sdjwts[${i}]: expected ${expected}`,
    )
  })
  const salts = sdJwts.flatMap(({ disclosures }) => disclosures.map(([salt = '']) => salt))
  const isFresh = new Set(salts).size === salts.length
  return [
    ...facts.filter(line => line !== ''),
    ...(isFresh ? [] : ['sdjwts: expected a salt for each disclosure']),
  ]
}
