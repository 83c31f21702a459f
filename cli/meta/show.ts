/** Prints a metadata attribute in words, in the lines of the existing command (spec/schemes-and-cli#16.8). @module */
import { bitLength, integerOf } from '../../crypto/bytes.ts'
import { decodeAnyMetadata, type Metadata } from '../../crypto/metadata.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { issuerOf } from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { CredentialType } from '../../schemes/types.ts'
import { schemesOfCommand } from '../../server/files/schemes-folder.ts'
import type { MetaFlags } from './flags.ts'
import { timeInZone } from './time-in-zone.ts'

type Shown = {
  readonly metadata: Metadata
  readonly isValid: boolean
  readonly type: CredentialType | undefined
  readonly key: IssuerPublicKey | undefined
}

const BASE64 = /^(?=.)(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/
const LABEL_LENGTH = 16

/** @returns the attribute, or the mistake */
export function attributeIn(text: string): bigint | string {
  if (/^\d+$/.test(text)) return BigInt(text)
  if (BASE64.test(text)) return integerOf(Buffer.from(text, 'base64'))
  return `ATTRIBUTE: expected a decimal number, or Base64, got ${JSON.stringify(text.slice(0, 80))}`
}

/** @throws {Error} for a longer number, and without schemes */
export async function showMetadata(attribute: bigint, flags: MetaFlags): Promise<void> {
  const metadata = decodeAnyMetadata(attribute)
  const schemes = await loadSchemes(schemesOfCommand(flags.schemesPath ?? flags.irmaconf))
  const type = schemes.credentialTypeByHash(metadata.credentialTypeHash)
  const key = type && schemes.publicKey(issuerOf(type.id), metadata.keyCounter)
  const isValid = createSystemClock().wallNow() < metadata.expiresAtSec * 1_000
  const shown = { metadata, isValid, type, key }
  process.stdout.write(flags.json ? `${JSON.stringify(asJson(shown))}\n` : inLines(shown))
}

function inLines({ metadata, isValid, type, key }: Shown): string {
  const line = (label: string, value: unknown): string => `${label.padEnd(LABEL_LENGTH)}: ${value}\n`
  const hash = Buffer.from(metadata.credentialTypeHash, 'hex').toString('base64')
  return [
    type ? line('Identifier', type.id) : `Unknown credential type, hash: ${hash}\n`,
    line('Signed', timeInZone(metadata.signingDateSec)),
    line('Expires', timeInZone(metadata.expiresAtSec)),
    line('IsValid', isValid),
    line('Version', metadata.version),
    ...(type ? [line('KeyCounter', metadata.keyCounter)] : []),
    ...(key ? [line('KeyExpires', timeInZone(key.expiresAtSec)), line('KeyModulusBitlen', bitsOf(key))] : []),
    '\n',
    line('CredentialType', JSON.stringify(type ? typeAsThere(type) : null, null, 2)),
  ].join('')
}

/** The members that the existing command begins with, then the others of a description. */
function typeAsThere({ id, name, isSingleton, description, deprecatedSinceSec, ...rest }: CredentialType) {
  const [scheme, issuer, credential] = id.split('.')
  return {
    ID: credential,
    Name: name,
    IssuerID: issuer,
    SchemeManagerID: scheme,
    IsSingleton: isSingleton,
    Description: description,
    RevocationServers: rest.revocationServers,
    RevocationUpdateCount: rest.revocationUpdateCount,
    DeprecatedSince: deprecatedSinceSec,
    Dependencies: rest.dependencies,
  }
}

function asJson({ metadata, isValid, type, key }: Shown) {
  return {
    credentialType: type?.id ?? null,
    hash: metadata.credentialTypeHash,
    signedAtSec: metadata.signingDateSec,
    expiresAtSec: metadata.expiresAtSec,
    isValid,
    version: metadata.version,
    keyCounter: metadata.keyCounter,
    keyExpiresAtSec: key?.expiresAtSec ?? null,
    keyBits: key ? bitsOf(key) : null,
  }
}

function bitsOf({ n }: IssuerPublicKey): number {
  return bitLength(n)
}
