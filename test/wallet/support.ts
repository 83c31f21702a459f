/** Helpers for the suites of the wallet: demo schemes, credentials without a signature, requests in a short form. @module */
import { encodeAttribute } from '../../crypto/attribute.ts'
import { encodeMetadata } from '../../crypto/metadata.ts'
import type { DisclosureQuery } from '../../libraries/wallet/candidates.ts'
import { type Credential, recognise } from '../../libraries/wallet/credential.ts'
import {
  type AttributeRequestId,
  attributeNameOf,
  parseAttributeTypeId,
  parseCredentialTypeId,
  type SchemeId,
} from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { Schemes } from '../../schemes/types.ts'
import { DEMO_SCHEMES } from '../project.ts'

export const schemes = await loadSchemes(DEMO_SCHEMES)

/** A time of the recorded sessions. */
export const NOW_SEC = 1_795_260_818
export const WEEK_SEC = 604_800

type Dates = { readonly signedAtSec?: number; readonly expiresAtSec?: number }

/** A credential with an invalid signature, sufficient for a search for candidates. Attributes that are not given are null. */
export function unsigned(
  id: string,
  type: string,
  values: Readonly<Record<string, string>>,
  dates: Dates = {},
): Credential {
  const credentialType = schemes.credentialType(parseCredentialTypeId(type))
  if (!credentialType) throw new Error(`unknown type ${type}`)
  const metadata = encodeMetadata({
    issuedAtSec: dates.signedAtSec ?? NOW_SEC,
    expiresAtSec: dates.expiresAtSec ?? NOW_SEC + 52 * WEEK_SEC,
    keyCounter: type.startsWith('svc-demo.uni.') ? 1 : 0,
    credentialType: type,
  })
  const attributes = credentialType.attributes.map(attribute =>
    encodeAttribute(values[attributeNameOf(attribute.id)] ?? null),
  )
  const stored = { id, attributes: [metadata, ...attributes], signature: { A: 1n, e: 1n, v: 1n } }
  const credential = recognise(stored, schemes)
  if (!credential) throw new Error(`${type} is not recognised`)
  return credential
}

type ShortAttribute =
  | string
  | { readonly type: string; readonly value?: string | null; readonly notNull?: boolean }
export type ShortDisclose = readonly (readonly (readonly ShortAttribute[])[])[]

/** `disclose` in the form of requestors; the prefix `svc-demo.` of ids is omitted here. */
export function asking(
  disclose: ShortDisclose,
  skip: readonly string[] = [],
  nonRevocation: readonly string[] = [],
): DisclosureQuery {
  return {
    disclose: disclose.map(disjunction =>
      disjunction.map(conjunction =>
        conjunction.map(short => {
          const { type, value = null, notNull = false } = typeof short === 'string' ? { type: short } : short
          return { type: idOf(type), value, notNull }
        }),
      ),
    ),
    skipExpiryCheck: skip.map(short => parseCredentialTypeId(`svc-demo.${short}`)),
    nonRevocation: nonRevocation.map(short => ({
      credential: parseCredentialTypeId(`svc-demo.${short}`),
      toleranceSec: 0,
    })),
  }
}

function idOf(short: string): AttributeRequestId {
  const id = `svc-demo.${short}`
  return id.split('.').length === 3 ? parseCredentialTypeId(id) : parseAttributeTypeId(id)
}

/** The demo schemes with other timestamp servers, by scheme. Keyshare servers are removed unless `keyshareServers` is true. */
export function schemesWith(
  servers: Readonly<Record<string, string>>,
  { keyshareServers = false } = {},
): Schemes {
  return {
    ...schemes,
    credentialType: id => schemes.credentialType(id),
    credentialTypeByHash: hash => schemes.credentialTypeByHash(hash),
    publicKey: (issuer, counter) => schemes.publicKey(issuer, counter),
    latestPrivateKey: issuer => schemes.latestPrivateKey(issuer),
    scheme: (id: SchemeId) => {
      const scheme = schemes.scheme(id)
      const keyshareServer = keyshareServers ? scheme?.keyshareServer : ''
      return scheme && { ...scheme, keyshareServer: keyshareServer ?? '', timestampServer: servers[id] ?? '' }
    },
  }
}
