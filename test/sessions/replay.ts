/** Replays recorded sessions without HTTP and without a chart, except for submissions in signature and issuance sessions. Every message is read and written by protocol/
 *  and sessions/, with the demo schemes and real arithmetic. @module */
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { fromBase64 } from '../../crypto/bytes.ts'
import { verifyProofs } from '../../crypto/proof-list.ts'
import { timestampNonce } from '../../crypto/timestamp.ts'
import { InvalidRequestError, RemoteError, remoteErrorObject } from '../../protocol/errors.ts'
import { writeJson } from '../../protocol/json.ts'
import { PROFILES, type ProfileName } from '../../protocol/profiles.ts'
import { type ExtendedRequest, parseSessionRequestText } from '../../protocol/request.ts'
import { NOTHING_SENT } from '../../protocol/sent-updates.ts'
import { serverSessionResponse } from '../../protocol/server-session-response.ts'
import { serverVersions } from '../../protocol/server-versions.ts'
import { sessionPackage } from '../../protocol/session-package.ts'
import { clientSessionRequest, sessionRequestForApp } from '../../protocol/session-request-for-app.ts'
import {
  negotiate,
  type ProtocolVersion,
  parseVersion,
  parseVersionHeaders,
} from '../../protocol/versions.ts'
import type { Schemes } from '../../schemes/types.ts'
import { acceptRequest } from '../../sessions/accept-request.ts'
import { checkSubmission } from '../../sessions/check-submission.ts'
import type { CheckServices } from '../../sessions/checked-submission.ts'
import { withReturnToken } from '../../sessions/prepare-request.ts'
import { type SessionOutcome, sessionResult } from '../../sessions/result.ts'
import { bodyText, type Exchange, type Transcript, transcript } from '../protocol/recorded.ts'
import { acceptFactsOfTest, CHECKING } from './facts-of-test.ts'

/** Tokens that the recorded server drew. */
type Drawn = { readonly requestorToken: string; readonly clientToken: string; readonly frontendToken: string }
type Session = Drawn & {
  readonly extended: ExtendedRequest
  nonce: string
  version: ProtocolVersion
  status: string
  outcome: SessionOutcome | null
}

export type Answer = { readonly status: number; readonly text: string }

const EVERYTHING = {
  disclosePerms: ['*'],
  signPerms: ['*'],
  issuePerms: ['*'],
  revokePerms: [],
  hostPerms: [],
}
const NOBODY = { name: '', disclosePerms: [], signPerms: [], issuePerms: [], revokePerms: [], hostPerms: [] }
const arithmetic = chooseArithmetic('auto')
/** The timestamp server trusts every key. */
const SERVICES: CheckServices = {
  verify: async list => verifyProofs(arithmetic, list),
  isTrustedStamp: async () => true,
  timestampNonce: async stamped => timestampNonce(stamped, arithmetic),
  noteFirstVersion: () => undefined,
}

export class Replay {
  readonly #recorded: Transcript
  readonly #profileName: ProfileName
  readonly #schemes: Schemes
  readonly #floor: ProtocolVersion
  readonly #sessions: Session[] = []

  constructor(name: string, profile: ProfileName, schemes: Schemes, floor = '2.8') {
    this.#floor = parseVersion(floor)
    this.#recorded = transcript(name, profile)
    this.#profileName = profile
    this.#schemes = schemes
  }

  get exchanges(): readonly Exchange[] {
    return this.#recorded.exchanges
  }

  /** @returns our answer, or null for an exchange without these messages */
  async answer(exchange: Exchange): Promise<Answer | null> {
    try {
      const body = await this.#handle(exchange)
      return body === null ? null : { status: 200, text: writeJson(body) }
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      return { status: error.status, text: writeJson(remoteErrorObject(error)) }
    }
  }

  #handle(exchange: Exchange): object | string | null | Promise<object | string> {
    const { method, path } = exchange.request
    if (method === 'POST' && path === '/session') return this.#create(exchange)
    const session = this.#sessions.find(
      each => path.includes(each.clientToken) || path.includes(each.requestorToken),
    )
    if (session === undefined) return null
    const last = path.split('/').pop()
    const { type } = session.extended.request
    if (method === 'GET' && last === 'result') return type === 'disclosing' ? this.#result(session) : null
    if (method === 'GET' && (last === '' || last === session.clientToken))
      return this.#connect(session, exchange)
    if (method === 'GET' && last === 'request') return this.#request(session)
    return method === 'POST' && last === 'proofs' && type !== 'signing'
      ? this.#judge(session, exchange)
      : null
  }

  #create({ request, response }: Exchange): object {
    const profile = PROFILES[this.#profileName]
    const { url } = this.#recorded.server
    const parsed = parseSessionRequestText(bodyText(request), profile)
    const facts = acceptFactsOfTest({
      schemes: this.#schemes,
      profile,
      globals: EVERYTHING,
      urlHost: new URL(url).host,
      augmentAllowed: true,
      mayPostResults: true,
      nowSec: this.#recorded.recordedAt,
      canIssueRevocable: () => true,
    })
    const extended = acceptRequest(parsed, NOBODY, facts)
    const drawn = drawnTokens(response?.body)
    this.#sessions.push({
      ...drawn,
      extended: withReturnToken(extended, drawn.requestorToken),
      nonce: '',
      version: parseVersion('2.8'),
      status: 'INITIALIZED',
      outcome: null,
    })
    return sessionPackage(extended, { ...drawn, url, profile })
  }

  #connect(session: Session, { request, response }: Exchange): object {
    const headers = request.headers ?? {}
    const server = serverVersions(session.extended, { floor: this.#floor, isPairing: false })
    const client = parseVersionHeaders(
      headers['x-irma-minprotocolversion'],
      headers['x-irma-maxprotocolversion'],
    )
    session.version = negotiate({ client, server })
    const answered = Object(response?.body)
    session.nonce = answered.nonce ?? Object(answered.request).nonce ?? ''
    const pairingCode: string | undefined = Object(answered.options).pairingCode
    return clientSessionRequest(session.extended, {
      ...this.#facts(session),
      pairingCode: pairingCode ?? null,
    })
  }

  #request(session: Session): object {
    return sessionRequestForApp(session.extended, this.#facts(session))
  }

  #facts({ nonce, version }: Session) {
    const profile = PROFILES[this.#profileName]
    return { nonce, protocolVersion: version, devMode: true, profile, sent: NOTHING_SENT }
  }

  async #judge(session: Session, exchange: Exchange): Promise<object | string> {
    const { extended, version } = session
    if (extended.request.type === 'issuing') throw new InvalidRequestError()
    try {
      const { contextBase } = PROFILES[this.#profileName]
      const submitted = {
        extended,
        body: bodyText(exchange.request),
        nonce: fromBase64(session.nonce),
        nowSec: this.#recorded.recordedAt,
        schemes: this.#schemes,
        contextBase,
        protocolVersion: version,
        ...CHECKING,
      }
      const { judgement: outcome } = await checkSubmission(submitted, SERVICES)
      Object.assign(session, { outcome, status: 'DONE' })
      return serverSessionResponse({ proofStatus: outcome.proofStatus }, session.version)
    } catch (error) {
      session.status = 'CANCELLED'
      session.outcome = error instanceof RemoteError ? { error: remoteErrorObject(error) } : null
      throw error
    }
  }

  #result({ requestorToken, status, outcome, extended }: Session): object {
    const { request, isLegacy } = extended
    const profile = PROFILES[this.#profileName]
    return sessionResult({ requestorToken, status, type: request.type, outcome, profile, isLegacy })
  }
}

function drawnTokens(body: unknown): Drawn {
  const { token, sessionPtr, frontendRequest } = Object(body)
  return {
    requestorToken: token ?? '-',
    clientToken: sessionPtr?.u.split('/').pop() ?? '-',
    frontendToken: frontendRequest?.authorization ?? '-',
  }
}
