/** Comparisons with a secret. The first class differs in its first byte, the second one in its last byte alone. A comparison that leaves early takes longer for the
 *  second class. Mailed links and codes of sessions are found by a hash of their token in the store, so that no code compares them. @module */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { isPin, isTokenId, newSecrets } from '../../../accounts/secrets.ts'
import { isSameBytes } from '../../../crypto/bytes.ts'
import { isSameSecret } from '../../../http/secrets.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import { verifyRequestJwt } from '../../../sessions/request-jwt.ts'
import type { Case, Work } from './measure.ts'

/** Number of inputs in each class. */
const INPUTS = 64
const LENGTH = 32

/** Copies of the secret with another byte at the place. */
function wrongAt(secret: Uint8Array, at: number): Uint8Array[] {
  return Array.from({ length: INPUTS }, () => {
    const wrong = Uint8Array.from(secret)
    wrong[at] = (wrong[at] ?? 0) ^ 1
    return wrong
  })
}

type Compare = (sent: Uint8Array) => unknown

function comparison(name: string, secret: Uint8Array, compare: Compare, facts: Partial<Case> = {}): Case {
  const worksAt = (at: number): Work[] => wrongAt(secret, at).map(sent => () => compare(sent))
  return {
    name,
    kind: 'secret',
    share: 1,
    calls: 20,
    works: [worksAt(0), worksAt(secret.length - 1)],
    ...facts,
  }
}

/** The same for secrets that are texts. */
function textComparison(name: string, secret: string, compare: (sent: string) => unknown): Case {
  const worksAt = (at: number): Work[] =>
    wrongAt(Buffer.from(secret), at).map(bytes => {
      const sent = Buffer.from(bytes).toString()
      return () => compare(sent)
    })
  return { name, kind: 'secret', share: 1, calls: 20, works: [worksAt(0), worksAt(secret.length - 1)] }
}

/** The control: it leaves at the first byte that differs. */
function leavesEarly(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

const token = 'a'.repeat(40)
const pin = 'x'.repeat(44)
const tokenId = randomBytes(LENGTH)
const secrets = newSecrets(pin, { mk: 5n, tokenId, deviceKey: null })
const bytes = randomBytes(LENGTH)
const key = createSecretKey(randomBytes(LENGTH))

/** A JWT whose MAC is wrong in one byte. The time of the claims is the same for both classes. */
function macs(): Case {
  const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url')
  const signed = `${part({ alg: 'HS256' })}.${part({ iss: 'shop', iat: 0 })}`
  const mac = createHmac('sha256', key).update(signed).digest()
  const requestors = [{ name: 'shop', method: 'hmac', key }] as const
  const facts = { nowSec: 0, maxRequestAgeSec: 300, profile: PROFILES.svc }
  const worksAt = (at: number): Work[] =>
    wrongAt(mac, at).map(wrong => {
      const jwt = `${signed}.${Buffer.from(wrong).toString('base64url')}`
      return () => verifyRequestJwt(jwt, requestors, facts, () => null).catch(() => {})
    })
  return {
    name: 'MAC of a signed request',
    kind: 'secret',
    // a call does much more than compare, so the difference is small beside it
    share: 5,
    calls: 1,
    works: [worksAt(0), worksAt(mac.length - 1)],
  }
}

export const COMPARISONS: readonly Case[] = [
  comparison('control: a comparison that leaves early', bytes, sent => leavesEarly(sent, bytes), {
    kind: 'control',
    calls: 50,
  }),
  textComparison('token of a requestor, a frontend, an app or a form', token, sent =>
    isSameSecret(sent, token),
  ),
  textComparison('PIN', pin, sent => isPin(secrets, sent)),
  comparison('token id of a login', tokenId, sent => isTokenId(secrets, sent)),
  comparison('challenge, device key', bytes, sent => isSameBytes(sent, bytes)),
  macs(),
]
