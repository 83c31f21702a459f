/** Wallets with given credentials, created without a session: the issuers' private keys sign the credentials here, with any date. @module */
import { encodeAttribute } from '../../crypto/attribute.ts'
import { encodeMetadata } from '../../crypto/metadata.ts'
import { type RandomBytes, randomInteger } from '../../crypto/random.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import { attributeNameOf, issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import type { CredentialType } from '../../schemes/types.ts'
import { createFolder } from '../wallet/folder.ts'
import { SECRET_KEY_BITS, type StoredCredential } from '../wallet/stored.ts'
import { openWallet, type Wallet, type WalletDeps } from '../wallet/wallet.ts'
import { signAttributes } from './sign-attributes.ts'

const YEAR_SEC = 365 * 24 * 3600
const VALIDITY_SEC = 5 * YEAR_SEC
const RANDOM_BLIND_BITS = 255

export type HeldCredential = {
  readonly type: string
  /** By attribute name: a text, or the integer to sign. Optional attributes that are left out are absent. Random blind attributes get a random number. */
  readonly attributes: Readonly<Record<string, string | bigint>>
  /** left out: signed now, valid for five years */
  readonly signedAtSec?: number
  readonly expiresAtSec?: number
  /** left out: the credential cannot be revoked */
  readonly witness?: Witness
}

/** @param dir a path that does not exist yet */
export async function walletWith(
  dir: string,
  credentials: readonly HeldCredential[],
  deps: WalletDeps,
  developerMode = true,
): Promise<Wallet> {
  const secretKey = randomInteger(SECRET_KEY_BITS, deps.randomBytes)
  const signed = credentials.map((credential, i) => sign(String(i), credential, secretKey, deps))
  const folder = await createFolder(dir, { developerMode, secretKey, credentials: signed, accounts: [] })
  await folder.close()
  return openWallet(dir, deps)
}

function sign(
  id: string,
  held: HeldCredential,
  secretKey: bigint,
  { schemes, arithmetic, clock, randomBytes }: WalletDeps,
): StoredCredential {
  const credentialType = parseCredentialTypeId(held.type)
  const type = schemes.credentialType(credentialType)
  const privateKey = schemes.latestPrivateKey(issuerOf(credentialType))
  const key = privateKey && schemes.publicKey(issuerOf(credentialType), privateKey.counter)
  if (!type || !privateKey || !key) throw new Error(`${held.type}: expected its scheme with a private key`)
  const issuedAtSec = held.signedAtSec ?? Math.floor(clock.wallNow() / 1000)
  const expiresAtSec = held.expiresAtSec ?? issuedAtSec + VALIDITY_SEC
  const metadata = encodeMetadata({
    issuedAtSec,
    expiresAtSec,
    keyCounter: privateKey.counter,
    credentialType,
  })
  const { witness } = held
  const attributes = [metadata, ...encodeAll(type, held, randomBytes)]
  const input = { key, privateKey, secretKey, attributes }
  const signature = signAttributes(arithmetic, input, randomBytes)
  return { id, attributes, signature, ...(witness && { revocation: { witness, isRevoked: false } }) }
}

function encodeAll(
  { attributes }: CredentialType,
  { attributes: values, witness }: HeldCredential,
  randomBytes: RandomBytes,
): bigint[] {
  return attributes.map(({ id, isRandomBlind, isRevocation }) => {
    if (isRandomBlind) return randomInteger(RANDOM_BLIND_BITS, randomBytes)
    if (isRevocation) return witness?.e ?? 0n
    const value = values[attributeNameOf(id)] ?? null
    return typeof value === 'bigint' ? value : encodeAttribute(value)
  })
}
