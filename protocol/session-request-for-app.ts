/** The session request for a wallet app (spec/interface#2.9, spec/session-server#7.1 and #7.2), in the form of each protocol version. Members are in the order of the
 *  wire; empty ones are left out. It never contains revocation keys, or attributes that earlier sessions of a chain disclosed. @module */
import { wholeWeeks } from '../crypto/metadata.ts'
import { contextOf } from './contexts.ts'
import type { AttributeRequest, InnerConjunction } from './disjunction.ts'
import { sessionOptions } from './frontend-messages.ts'
import { legacyDisclose } from './legacy-form.ts'
import type { Profile } from './profiles.ts'
import type { ExtendedRequest, SessionRequest } from './request.ts'
import type { CredentialRequest } from './request-members.ts'
import { type SentUpdates, writeRevocation } from './sent-updates.ts'
import { hasConjunctions, hasPairing } from './server-versions.ts'
import { formatVersion, type ProtocolVersion } from './versions.ts'

/** The number 1 in Base64: the context of every session, which has no use (spec/interface#2.9). */
const CONTEXT_ONE = 'AQ=='

export type RequestFacts = {
  /** Base64, as stored with the session */
  readonly nonce: string
  readonly protocolVersion: ProtocolVersion
  readonly devMode: boolean
  readonly profile: Pick<Profile, 'contextBase' | 'optionsWithoutPairing' | 'sentValidity'>
  readonly sent: SentUpdates
}

/** The answer to `/request`, and part of the client session request.
 *  @param extended prepared; below version 2.5 one for which `hasLegacyForm` is true */
export function sessionRequestForApp(extended: ExtendedRequest, facts: RequestFacts): object {
  const { request, isLegacy } = extended
  if (!hasConjunctions(facts.protocolVersion)) return legacyRequestForApp(request, facts)
  const { clientReturnUrl, augmentReturnUrl, host, disclose, labels, skipExpiryCheck } = request
  return {
    '@context': contextOf(facts.profile.contextBase, request.type),
    context: CONTEXT_ONE,
    nonce: facts.nonce,
    protocolVersion: formatVersion(facts.protocolVersion),
    revocation: writeRevocation(request.nonRevocation, facts.sent),
    type: isLegacy ? request.type : undefined,
    devMode: facts.devMode || undefined,
    clientReturnUrl: clientReturnUrl || undefined,
    augmentReturnUrl: augmentReturnUrl || undefined,
    host: host || undefined,
    disclose: unlessEmpty(disclose.map(disjunction => disjunction.map(writeInner))),
    labels: sortedLabels(labels),
    skipExpiryCheck: unlessEmpty(skipExpiryCheck),
    message: request.type === 'signing' ? request.message : undefined,
    credentials: request.type === 'issuing' ? writeCredentials(request.credentials, facts) : undefined,
  }
}

/** The form without conjunctions (spec/session-server#8). */
function legacyRequestForApp(request: SessionRequest, facts: RequestFacts): object {
  const { nonce, protocolVersion } = facts
  const head = {
    context: CONTEXT_ONE,
    nonce,
    protocolVersion: formatVersion(protocolVersion),
    type: request.type,
  }
  switch (request.type) {
    case 'disclosing':
      return { ...head, content: legacyDisclose(request) }
    case 'signing':
      return { ...head, content: legacyDisclose(request), message: request.message }
    case 'issuing':
      return {
        ...head,
        credentials: writeCredentials(request.credentials, facts),
        disclose: legacyDisclose(request),
      }
  }
}

function unlessEmpty<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list
}

function writeInner(inner: InnerConjunction): unknown[] {
  return inner.map(({ type, value, notNull }: AttributeRequest) =>
    value === null && !notNull ? type : { type, value: value ?? undefined, notNull: notNull || undefined },
  )
}

function writeCredentials(credentials: readonly CredentialRequest[], { profile }: RequestFacts): object[] {
  const isRounded = profile.sentValidity === 'whole-weeks'
  return credentials.map(each => {
    const { validityAtSec } = each
    return writeCredential(
      each,
      isRounded && validityAtSec !== null ? wholeWeeks(validityAtSec) : validityAtSec,
    )
  })
}

function writeCredential(request: CredentialRequest, validityAtSec: number | null): object {
  const { credential, keyCounter, attributes, revocationKey, randomBlindIds, sdJwtBatchSize } = request
  return {
    validity: validityAtSec ?? undefined,
    keyCounter: keyCounter || undefined,
    credential,
    attributes: new Map(Object.entries(attributes)),
    revocationSupported: revocationKey !== '' || undefined,
    randomblindIDs: unlessEmpty(randomBlindIds),
    sdJwtBatchSize,
  }
}

function sortedLabels(labels: SessionRequest['labels']): ReadonlyMap<string, unknown> | undefined {
  const entries = Object.entries(labels)
  if (entries.length === 0) return undefined
  return new Map(
    entries.map(([index, text]) => [index, text === null ? null : new Map(Object.entries(text))]),
  )
}

/** The answer to the first GET. From version 2.8 on it has `options` while pairing is enabled, in some profiles always (spec/decisions#d12). It has the request while
 *  pairing is disabled. Below 2.8 it is the bare request, and there is no pairing.
 *  @param facts.pairingCode four digits, secret; null: pairing is off */
export function clientSessionRequest(
  extended: ExtendedRequest,
  facts: RequestFacts & { readonly pairingCode: string | null },
): object {
  const { profile, pairingCode, protocolVersion } = facts
  const { contextBase, optionsWithoutPairing } = profile
  const hasOptions = pairingCode !== null || optionsWithoutPairing === 'sent'
  const request = pairingCode === null ? sessionRequestForApp(extended, facts) : undefined
  if (request !== undefined && !hasPairing(protocolVersion)) return request
  return {
    '@context': contextOf(contextBase, 'client'),
    protocolVersion: formatVersion(protocolVersion),
    options: hasOptions ? sessionOptions(contextBase, pairingCode) : undefined,
    request,
  }
}
