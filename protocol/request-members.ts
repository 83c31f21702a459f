/** The composite members of a session request, each read and checked by itself. @module */
import { MAX_PROOFS } from '../crypto/proof-list.ts'
import type { RawDisclose } from './disjunction.ts'
import { type CredentialTypeId, parseCredentialTypeId } from './ids.ts'
import type { JsonValue } from './json.ts'
import { MAX_BATCH_SIZE } from './sd-jwt/sd-jwt.ts'
import {
  isObject,
  type JsonObject,
  readInteger,
  readList,
  readMap,
  readObject,
  readString,
  ShapeError,
} from './shape.ts'

/** By decimal index in the outer list of `disclose`, then by language code. */
export type Labels = Readonly<Record<string, Readonly<Record<string, string>> | null>>

/** A credential type whose instances must be proved unrevoked as of at most `toleranceSec` ago. */
export type NonRevocationRequest = { readonly credential: CredentialTypeId; readonly toleranceSec: number }

export type CredentialRequest = {
  readonly credential: CredentialTypeId
  /** as requested, not yet rounded; null: the default */
  readonly validityAtSec: number | null
  /** by attribute name; an attribute that is left out is issued as absent */
  readonly attributes: Readonly<Record<string, string>>
  /** empty: none; never sent to the app */
  readonly revocationKey: string
  /** Counter of the issuer's key, and the names of the random blind attributes that the app expects (spec/session-server#q11). In a request that is not prepared, they
   *  are the sender's values, which are ignored. */
  readonly keyCounter: number
  readonly randomBlindIds: readonly string[]
  /** Number of SD-JWTs that the app gets beside the credential, each bound to a key of its own. Left out: none. */
  readonly sdJwtBatchSize?: number
}

/** Maximum counter: the metadata attribute has two bytes for it. */
export const MAX_KEY_COUNTER = 0xffff

export type TypeSpecificMembers =
  | { readonly type: 'disclosing' }
  | { readonly type: 'signing'; readonly message: string }
  | { readonly type: 'issuing'; readonly credentials: readonly CredentialRequest[] }

/** Reads the members of one type of request. These checks precede the rules of disjunctions. */
export function readSpecific(
  json: JsonObject,
  type: TypeSpecificMembers['type'],
  disclose: RawDisclose,
): TypeSpecificMembers {
  switch (type) {
    case 'disclosing':
      if (disclose.flat().every(inner => inner.length === 0))
        throw new ShapeError(
          'Disclosure request had no attributes: disclose: expected at least one, got none',
        )
      return { type }
    case 'signing': {
      const message = readString(json.message, 'message')
      if (message === '') throw new ShapeError('Signature request had empty message')
      return { type, message }
    }
    case 'issuing': {
      const credentials = readList(json.credentials, 'credentials')
      if (credentials.length === 0)
        throw new ShapeError('Empty issuance request: credentials: expected at least one, got none')
      // each credential takes a proof in the answer
      if (credentials.length > MAX_PROOFS)
        throw new ShapeError(`credentials: expected at most ${MAX_PROOFS}, got ${credentials.length}`)
      return { type, credentials: credentials.map(readCredentialRequest) }
    }
  }
}

function readCredentialRequest(json: JsonValue, index: number): CredentialRequest {
  const what = `credentials[${index}]`
  const { credential, validity, attributes, revocationKey, keyCounter, randomblindIDs, sdJwtBatchSize } =
    readObject(json, what)
  const batchSize = readInteger(sdJwtBatchSize, `${what}.sdJwtBatchSize`, MAX_BATCH_SIZE)
  return {
    credential: parseCredentialTypeId(readString(credential, `${what}.credential`)),
    validityAtSec:
      validity === undefined || validity === null
        ? null
        : readInteger(validity, `${what}.validity`, Number.MAX_SAFE_INTEGER),
    attributes: readTexts(attributes, `${what}.attributes`),
    revocationKey: readString(revocationKey, `${what}.revocationKey`),
    keyCounter: readInteger(keyCounter, `${what}.keyCounter`, MAX_KEY_COUNTER),
    randomBlindIds: readList(randomblindIDs, `${what}.randomblindIDs`).map((name, i) =>
      readString(name, `${what}.randomblindIDs[${i}]`),
    ),
    ...(batchSize > 0 && { sdJwtBatchSize: batchSize }),
  }
}

/** Reads texts by name. A `null` value is the empty text, as with existing servers. An attribute that is left out is absent. */
function readTexts(json: JsonValue | undefined, what: string): Record<string, string> {
  const texts = Object.entries(readMap(json, what)).map(([name, text]) => [name, readString(text, what)])
  return Object.fromEntries(texts)
}

/** The name of a member that is an index in `disclose`. */
export const LABEL_INDEX = /^(0|[1-9][0-9]*)$/

export function readLabels(json: JsonValue | undefined): Labels {
  const labels = Object.entries(readMap(json, 'labels')).map(([index, label]) => {
    if (!LABEL_INDEX.test(index))
      throw new ShapeError(`labels: expected indices in disclose as member names, got something else`)
    return [index, label === null ? null : readTexts(label, `labels.${index}`)]
  })
  return Object.fromEntries(labels)
}

/** A host with an optional port, and no characters that separate other parts of a URL. Otherwise a pattern could match a host that differs from the one in the
 *  session pointer. */
export const HOST = /^(?:[\w.-]+|\[[\dA-Fa-f:.]+\])(?::[0-9]{1,5})?$/

export function readHost(json: JsonValue | undefined): string {
  const host = readString(json, 'host')
  if (host !== '' && !HOST.test(host))
    throw new ShapeError(
      'host: expected a host name, with its port unless it is the usual one, got another text',
    )
  return host
}

/** Reads a list of identifiers, or a map from identifier to tolerance. Each type may occur once. */
export function readNonRevocation(json: JsonValue | undefined): NonRevocationRequest[] {
  if (isObject(json))
    return Object.entries(json).map(([id, entry]) => ({
      credential: parseCredentialTypeId(id),
      toleranceSec: readInteger(
        readMap(entry, `revocation.${id}`).tolerance,
        `revocation.${id}.tolerance`,
        Number.MAX_SAFE_INTEGER,
      ),
    }))
  const listed = readList(json, 'revocation').map((id, i) =>
    parseCredentialTypeId(readString(id, `revocation[${i}]`)),
  )
  return [...new Set(listed)].map(credential => ({ credential, toleranceSec: 0 }))
}
