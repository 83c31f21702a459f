/** Credentials of the demo schemes, signed here with the issuers' own private keys: what fills a wallet until issuance exists.
 *  All of one made-up person. @module */
import { encodeAttribute } from '../crypto/attribute.ts'
import { encodeMetadata } from '../crypto/metadata.ts'
import { type RandomBytes, randomInteger } from '../crypto/random.ts'
import { signAttributes } from '../crypto/signature.ts'
import { attributeNameOf, issuerOf, parseCredentialTypeId } from '../protocol/ids.ts'
import type { CredentialType } from '../schemes/types.ts'
import type { NewCredential } from './complete.ts'
import { WalletError } from './errors.ts'
import type { Wallet, WalletDeps } from './wallet.ts'

const YEAR_SEC = 365 * 24 * 3600
const VALIDITY_SEC = 5 * YEAR_SEC
/** two shares of 255 bits each (cryptography 13); one of them is random enough for a demonstration */
const RANDOM_BLIND_BITS = 255

export type DemoCredential = {
  readonly type: string
  /** by attribute name; optional attributes that are left out are absent, random blind ones get a random number */
  readonly attributes: Readonly<Record<string, string>>
  /** absent: signed now, for five years */
  readonly signedAtSec?: number
  readonly expiresAtSec?: number
}

/** Two addresses, so that there is a choice, one of them without the optional part; and one credential that has expired. */
export const DEMO_CREDENTIALS: readonly DemoCredential[] = [
  {
    type: 'svc-demo.gov.idcard',
    attributes: {
      initials: 'A.M.',
      familyname: 'de Vries',
      over18: 'yes',
      nationality: 'NL',
      docnumber: 'SPECI2014',
    },
  },
  {
    type: 'svc-demo.gov.address',
    attributes: {
      street: 'Voorstraat',
      housenumber: '12',
      addition: 'bis',
      zipcode: '3512 AN',
      city: 'Utrecht',
    },
  },
  {
    type: 'svc-demo.gov.address',
    attributes: { street: 'Duinweg', housenumber: '7', zipcode: '8899 BC', city: 'Vlieland' },
  },
  { type: 'svc-demo.gov.registration', attributes: { number: '999990342', over18: 'yes' } },
  {
    type: 'svc-demo.uni.student',
    attributes: { university: 'Voorbeeld', studentnumber: 's1234567', level: 'master' },
  },
  {
    type: 'svc-demo.uni.ballot',
    attributes: { election: 'University council', url: 'https://vote.example.test' },
  },
  { type: 'svc-demo.fast.note', attributes: { text: 'hello', extra: 'world' } },
  { type: 'svc-demo.fast.lot', attributes: { draw: 'Spring' } },
  {
    type: 'svc-demo.old.relic',
    attributes: { value: 'silver' },
    signedAtSec: Date.UTC(2018, 0, 4) / 1000,
    expiresAtSec: Date.UTC(2019, 0, 3) / 1000,
  },
]

/** Sign credentials with the private keys of their issuers and add them to an open wallet.
 *  @throws {WalletError} if a type or a private key is not among the schemes, or an attribute is unknown or lacks; nothing is added then */
export async function addDemoCredentials(
  wallet: Wallet,
  deps: WalletDeps,
  credentials: readonly DemoCredential[] = DEMO_CREDENTIALS,
): Promise<void> {
  await wallet.receive(secretKey => credentials.map(credential => issue(credential, secretKey, deps)))
}

function issue(credential: DemoCredential, secretKey: bigint, deps: WalletDeps): NewCredential {
  const { schemes, arithmetic, clock, randomBytes } = deps
  const id = parseCredentialTypeId(credential.type)
  const type = schemes.credentialType(id)
  const privateKey = schemes.latestPrivateKey(issuerOf(id))
  const key = privateKey && schemes.publicKey(issuerOf(id), privateKey.counter)
  if (!type || !privateKey || !key)
    throw new WalletError(`${id}: expected the demo schemes and their private keys`)
  const signedAtSec = credential.signedAtSec ?? Math.floor(clock.now() / 1000)
  const metadata = encodeMetadata({
    issuedAtSec: signedAtSec,
    expiresAtSec: credential.expiresAtSec ?? signedAtSec + VALIDITY_SEC,
    keyCounter: privateKey.counter,
    credentialType: id,
  })
  const attributes = [metadata, ...encodeAll(type, credential.attributes, randomBytes)]
  return {
    attributes,
    signature: signAttributes(arithmetic, { key, privateKey, secretKey, attributes }, randomBytes),
  }
}

function encodeAll(
  type: CredentialType,
  values: Readonly<Record<string, string>>,
  randomBytes: RandomBytes,
): bigint[] {
  const unknown = Object.keys(values).filter(
    name => !type.attributes.some(({ id }) => attributeNameOf(id) === name),
  )
  if (unknown.length > 0) throw new WalletError(`${type.id}: unknown attribute ${unknown[0]}`)
  return type.attributes.map(({ id, isOptional, isRandomBlind, isRevocation }) => {
    if (isRandomBlind) return randomInteger(RANDOM_BLIND_BITS, randomBytes)
    if (isRevocation) return 0n // a type with revocation, an instance without (cryptography 5.2)
    const value = values[attributeNameOf(id)] ?? null
    if (value === null && !isOptional) throw new WalletError(`${id}: expected a value`)
    return encodeAttribute(value)
  })
}
