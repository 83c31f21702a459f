/** The two wire profiles: one record of plain values each. Whoever needs one reads the value; nobody asks which profile is on. @module */

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
  /** base of every `@context`; the option `context-base` replaces it */
  readonly contextBase: string
  /** what the `timeout` of a request bounds: every open status, or the first alone (D3) */
  readonly timeoutBounds: 'open' | 'initialized'
  /** stay in a status that no `timeout` bounds, and the default of `timeout` (D3) */
  readonly defaultTimeoutMs: number
  /** version from which on the first GET must carry an `Authorization` header; null: never (D15) */
  readonly authorizationFrom: string | null
  /** rule for several credential types in one inner conjunction (D10) */
  readonly innerConjunctionRule: 'one-type-with-several' | 'one-non-singleton'
  /** several keyshare schemes in one issuance (D13) */
  readonly severalKeyshareSchemes: 'refused' | 'served'
  /** members of an extended session request in one that is not extended */
  readonly strayOptions: 'refused' | 'ignored'
  readonly minProtocolVersion: string
  /** `description` of a remote error: what is wrong, or the text that existing servers have for its type */
  readonly errorDescriptions: 'exact' | 'by-type'
  /** form of `error` in a session result (D19) */
  readonly resultError: 'string' | 'object'
  /** `sub` of the result JWT of a disclosure (D21) */
  readonly disclosureResultSubject: 'verification_result' | 'disclosing_result'
  /** frontend options without `pairingMethod` */
  readonly missingPairingMethod: 'none' | 'unchanged'
  /** callbacks of a server without a JWT key */
  readonly callbacksWithoutKey: 'unsigned' | 'unsupported'
  /** form of the result of a legacy request (Q5) */
  readonly legacyResult: 'legacy' | 'modern'
  /** answer to opening the event stream of a finished session */
  readonly finishedStream: 'no-content' | 'unexpected-request'
  /** `options` of the client session request while pairing is disabled (spec 2.9, D12) */
  readonly optionsWithoutPairing: 'left-out' | 'sent'
  /** `status` of the result that is posted to `nextSession.url`, before the session ends (spec 2.8) */
  readonly chainedStatus: 'DONE' | 'CONNECTED'
  /** the part of `host`, `host_perms`, the host of `url` and the `Host` header that is compared (spec 2.3, 5.1) */
  readonly comparedHost: 'name' | 'name-and-port'
  /** `validity` of a credential as the app receives it (spec 2.5): rounded, or as requested and for the app to round */
  readonly sentValidity: 'whole-weeks' | 'as-requested'
  /** HEAD is answered wherever GET is, or where that is no endpoint of sessions */
  readonly head: 'everywhere' | 'beside-sessions'
  /** status of a body that is too long or of another type */
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
