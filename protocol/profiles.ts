/** The two wire profiles, each a record of plain values. Code reads single values and never compares the name of the profile. @module */

export type ProfileName = 'svc' | 'irma'

export type Profile = {
  readonly name: ProfileName
  /** path prefix of the wallet app and frontend endpoints, without a slash at the end */
  readonly prefix: string
  /** member of a session pointer that holds the session type */
  readonly pointerField: 'svcqr' | 'irmaqr'
  readonly minVersionHeader: string
  readonly maxVersionHeader: string
  readonly keyshareUsernameHeader: string
  /** base of every `@context`; the option `context_base` replaces it */
  readonly contextBase: string
  /** the statuses that the `timeout` of a request bounds: all open ones, or only the first (spec/decisions#d3) */
  readonly timeoutBounds: 'open' | 'initialized'
  /** maximum stay in a status that no `timeout` bounds, and the default of `timeout` (spec/decisions#d3) */
  readonly defaultTimeoutMs: number
  /** lowest version whose first GET must have an `Authorization` header; null: none (spec/decisions#d15) */
  readonly authorizationFrom: string | null
  /** rule for several credential types in one inner conjunction (spec/decisions#d10) */
  readonly innerConjunctionRule: 'one-type-with-several' | 'one-non-singleton'
  /** several keyshare schemes in one issuance (spec/decisions#d13) */
  readonly severalKeyshareSchemes: 'refused' | 'served'
  /** members of an extended session request in a request that is not extended */
  readonly strayOptions: 'refused' | 'ignored'
  readonly minProtocolVersion: string
  /** `description` of a remote error: the exact cause, or the text of existing servers for its type */
  readonly errorDescriptions: 'exact' | 'by-type'
  /** form of `error` in a session result (spec/decisions#d19) */
  readonly resultError: 'string' | 'object'
  /** `sub` of the result JWT of a disclosure (spec/decisions#d21) */
  readonly disclosureResultSubject: 'verification_result' | 'disclosing_result'
  /** frontend options without `pairingMethod` */
  readonly missingPairingMethod: 'none' | 'unchanged'
  /** callbacks of a server without a JWT key */
  readonly callbacksWithoutKey: 'unsigned' | 'unsupported'
  /** form of the result of a legacy request (spec/session-server#q5) */
  readonly legacyResult: 'legacy' | 'modern'
  /** answer to opening the event stream of a finished session */
  readonly finishedStream: 'no-content' | 'unexpected-request'
  /** `options` of the client session request while pairing is disabled (spec/interface#2.9, spec/decisions#d12) */
  readonly optionsWithoutPairing: 'left-out' | 'sent'
  /** `status` of the result that is sent to `nextSession.url` before the session ends (spec/interface#2.8) */
  readonly chainedStatus: 'DONE' | 'CONNECTED'
  /** the compared part of `host`, `host_perms`, the host of `url` and the `Host` header (spec/interface#2.3, #5.1) */
  readonly comparedHost: 'name' | 'name-and-port'
  /** `validity` of a credential in the app's request (spec/interface#2.5): rounded by the server, or as requested and rounded by the app */
  readonly sentValidity: 'whole-weeks' | 'as-requested'
  /** HEAD is answered on every path with GET, or only on paths that are not session endpoints */
  readonly head: 'everywhere' | 'beside-sessions'
  /** status for a body that is too long, compressed, or, in a call of a requestor, of an unsupported content type */
  readonly unreadBody: 'own-status' | 'bad-request'
  /** whether 404 and 405 below the prefix have a description */
  readonly unknownPath: 'described' | 'bare'
}

const MINUTE_MS = 60_000

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  svc: {
    name: 'svc',
    prefix: '/svc',
    pointerField: 'svcqr',
    minVersionHeader: 'X-Svc-Minprotocolversion',
    maxVersionHeader: 'X-Svc-Maxprotocolversion',
    keyshareUsernameHeader: 'X-Svc-Keyshare-Username',
    contextBase: 'https://svc.example',
    timeoutBounds: 'open',
    defaultTimeoutMs: 5 * MINUTE_MS,
    authorizationFrom: null,
    innerConjunctionRule: 'one-type-with-several',
    severalKeyshareSchemes: 'refused',
    strayOptions: 'refused',
    minProtocolVersion: '2.4',
    errorDescriptions: 'exact',
    resultError: 'string',
    disclosureResultSubject: 'verification_result',
    missingPairingMethod: 'none',
    callbacksWithoutKey: 'unsigned',
    legacyResult: 'legacy',
    finishedStream: 'no-content',
    optionsWithoutPairing: 'left-out',
    chainedStatus: 'DONE',
    comparedHost: 'name',
    sentValidity: 'whole-weeks',
    head: 'everywhere',
    unreadBody: 'own-status',
    unknownPath: 'described',
  },
  irma: {
    name: 'irma',
    prefix: '/irma',
    pointerField: 'irmaqr',
    minVersionHeader: 'X-IRMA-MinProtocolVersion',
    maxVersionHeader: 'X-IRMA-MaxProtocolVersion',
    keyshareUsernameHeader: 'X-IRMA-Keyshare-Username',
    contextBase: 'https://irma.app',
    timeoutBounds: 'initialized',
    defaultTimeoutMs: 15 * MINUTE_MS,
    authorizationFrom: '2.8',
    innerConjunctionRule: 'one-non-singleton',
    severalKeyshareSchemes: 'served',
    strayOptions: 'ignored',
    minProtocolVersion: '2.8',
    errorDescriptions: 'by-type',
    resultError: 'object',
    disclosureResultSubject: 'disclosing_result',
    missingPairingMethod: 'unchanged',
    callbacksWithoutKey: 'unsupported',
    legacyResult: 'modern',
    finishedStream: 'unexpected-request',
    optionsWithoutPairing: 'sent',
    chainedStatus: 'CONNECTED',
    comparedHost: 'name-and-port',
    sentValidity: 'as-requested',
    head: 'beside-sessions',
    unreadBody: 'bad-request',
    unknownPath: 'bare',
  },
}
