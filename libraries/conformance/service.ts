/** The tested server, as its requestor, its frontend and its wallet app use it. @module */
import { parseUrl } from '../../ports/parse-url.ts'
import { contextOf } from '../../protocol/contexts.ts'
import type { Profile } from '../../protocol/profiles.ts'
import type { SessionType } from '../../protocol/request.ts'
import type { Answer } from './answer.ts'
import { type AnswerOptions, type AppDeps, answerAs, type PlayedSession } from './app.ts'
import { type CallDeps, type Calls, createCalls, type RequestHeaders } from './calls.ts'
import { expectThat, NotTriedError, outcomeOf } from './expect.ts'
import { at, parsed } from './json.ts'
import type { OtherServers } from './other-servers.ts'
import type { Offer, Subject } from './subject.ts'

/** The requestor, and its method of authentication. */
export type Requestor = {
  readonly method: 'none' | 'token' | 'signed'
  /** headers and body for `POST /session` */
  body(
    type: SessionType,
    request: object,
  ): Promise<{ readonly headers: RequestHeaders; readonly body: string }>
  /** signs a JWT with these claims, `iat` and `iss`; only for signed requests */
  sign(claims: object): Promise<string>
}

export type Target = AppDeps &
  CallDeps & {
    /** the address of requestors, without a slash at the end */
    readonly server: string
    readonly profile: Profile
    readonly requestor: Requestor
    readonly subject: Subject
    /** null: the server is not asked to issue */
    readonly offer: Offer | null
    /** null: the server cannot call this process */
    readonly others: OtherServers | null
    /** true: rows that take five minutes are tried too */
    readonly isLong: boolean
    wait(ms: number): Promise<void>
  }

/** A started session; all members are secret. */
export type Session = {
  readonly token: string
  readonly type: SessionType
  /** response of `POST /session` */
  readonly package: unknown
  readonly requestor: string
  /** `u` of the pointer */
  readonly app: string
  readonly frontend: string
  readonly authorization: RequestHeaders
  /** content of the QR code */
  readonly pointer: string
}

/** A session after the wallet answered it, with its result. */
export type AnsweredSession = PlayedSession & { readonly session: Session; readonly result: unknown }

export type Service = Target &
  Calls & {
    /** a request of this type in the form of requestors */
    request(type: SessionType, members?: object): object
    disclosure(members?: object): object
    /** an entry of `credentials` */
    credential(members?: object): object
    offered(): Offer
    post(request: object, headers?: RequestHeaders): Promise<Answer>
    create(request?: object): Promise<Session>
    get(url: string, headers?: RequestHeaders): Promise<Answer>
    status(session: Session): Promise<unknown>
    result(session: Session): Promise<unknown>
    /** the first call of an app that supports these versions */
    connect(session: Session, lowest?: string, highest?: string): Promise<Answer>
    /** a further call of the same app */
    asApp(session: Session, method: string, end: string, body?: unknown): Promise<Answer>
    /** a call of the frontend */
    asFrontend(session: Session, end: string, body?: unknown): Promise<Answer>
    turnOnPairing(session: Session): Promise<Answer>
    answer(session: Session, options?: AnswerOptions): Promise<PlayedSession>
    /** a session with the usual answer and its result, shared by all trials that only read it */
    ordinary(type: SessionType): Promise<AnsweredSession>
  }

/** Time for which a shared session is used. A server deletes it after five minutes. */
const USED_FOR_MS = 3 * 60_000

/** The authorization with which the app of the trials binds a session to itself. */
const APP = 'an app that tries the server'

export function createService(target: Target): Service {
  const calls = createCalls(target)
  const requests = requestsOf(target)
  const requestor = sessionsOf(target, calls, requests.request)
  const ordinary = new Map<SessionType, { played: Promise<AnsweredSession>; untilAt: number }>()
  const playOrdinary = async (type: SessionType): Promise<AnsweredSession> => {
    const session = await requestor.create(requests.request(type))
    const played = await requestor.answer(session)
    expectThat(played.outcome.status === 'success', `${type}: a session that succeeds`, wordsOf(played))
    return { ...played, session, result: await requestor.result(session) }
  }
  return {
    ...target,
    ...calls,
    ...requests,
    ...requestor,
    ...exchanges(target, calls),
    ordinary(type) {
      const known = ordinary.get(type)
      if (known !== undefined && target.clock.wallNow() < known.untilAt) return known.played
      const played = playOrdinary(type)
      ordinary.set(type, { played, untilAt: target.clock.wallNow() + USED_FOR_MS })
      return played
    },
  }
}

/** The requests of requestors. */
function requestsOf({ profile, subject, offer }: Target) {
  const offered = (): Offer => {
    if (offer !== null) return offer
    throw new NotTriedError('nothing may be issued: --issue TYPE=VALUES names what the server can issue')
  }
  const credential: Service['credential'] = (members = {}) => {
    const { type, attributes } = offered()
    return { credential: type.id, attributes, ...members }
  }
  const request: Service['request'] = (type, members = {}) => ({
    '@context': contextOf(profile.contextBase, type),
    ...(type === 'issuing' ? { credentials: [credential()] } : { disclose: [[[subject.attribute.id]]] }),
    ...(type === 'signing' && { message: 'I agree' }),
    ...members,
  })
  return { offered, credential, request, disclosure: (members?: object) => request('disclosing', members) }
}

/** Starts sessions and reads their results. */
function sessionsOf(target: Target, { call }: Calls, request: Service['request']) {
  const type = (asked: object): SessionType => typeOf(asked, target.profile)
  const post: Service['post'] = async (asked, headers) => {
    const sent = await target.requestor.body(type(asked), asked)
    return call('POST', `${target.server}/session`, { ...sent, headers: { ...sent.headers, ...headers } })
  }
  const create: Service['create'] = async (asked = request('disclosing')) =>
    sessionOf(await post(asked), type(asked), target)
  const answer: Service['answer'] = async (session, options = {}) => {
    const played = await answerAs(target, session.pointer, options)
    const { outcome } = played
    if (outcome.status === 'failed' && outcome.reason === 'no-timestamp')
      throw new NotTriedError('the timestamp server that the schemes name gives no timestamp')
    return played
  }
  const get: Service['get'] = (url, headers = {}) => call('GET', url, { headers })
  const result: Service['result'] = async ({ requestor }) => {
    const told = await get(`${requestor}/result`)
    expectThat(told.status === 200, 'GET result: 200', outcomeOf(told))
    return told.json
  }
  const status: Service['status'] = async ({ requestor }) => (await get(`${requestor}/status`)).json
  return { post, create, answer, get, result, status }
}

/** The calls of apps and frontends. */
function exchanges({ profile }: Target, { call }: Calls) {
  const asFrontend: Service['asFrontend'] = ({ frontend, authorization }, end, body) =>
    call('POST', `${frontend}/${end}`, { headers: authorization, body })
  const connect: Service['connect'] = ({ app }, lowest = '2.4', highest = '2.8') => {
    const versions = { [profile.minVersionHeader]: lowest, [profile.maxVersionHeader]: highest }
    return call('GET', app, { headers: { ...versions, Authorization: APP } })
  }
  const asApp: Service['asApp'] = ({ app }, method, end, body) =>
    call(method, `${app}${end}`, { headers: { Authorization: APP }, body })
  const options = {
    '@context': contextOf(profile.contextBase, 'frontendOptions'),
    pairingMethod: 'pin',
  }
  return {
    connect,
    asApp,
    asFrontend,
    turnOnPairing: (session: Session) => asFrontend(session, 'options', options),
  }
}

const TYPES = ['disclosing', 'signing', 'issuing'] as const

/** The type of a request, also if the request is invalid in other ways. */
function typeOf(asked: object, { contextBase }: Profile): SessionType {
  const request = at(asked, 'request') ?? asked
  const named = at(request, '@context') ?? at(request, 'type')
  return TYPES.find(type => named === type || named === contextOf(contextBase, type)) ?? 'disclosing'
}

/** Reads the response to a session request. A missing permission is not a mismatch, so the trial ends with `NotTriedError`. */
function sessionOf(answer: Answer, type: SessionType, { server, profile }: Target): Session {
  const isForbidden = answer.status === 403 && at(answer.json, 'error') === 'UNAUTHORIZED'
  if (isForbidden && type !== 'disclosing')
    throw new NotTriedError(`this requestor may not begin such a session (${type})`)
  const { json } = answer
  expectThat(answer.status === 200, `POST /session (${type}): 200`, outcomeOf(answer))
  const [token, u] = [at(json, 'token'), at(json, 'sessionPtr', 'u')]
  const authorization = at(json, 'frontendRequest', 'authorization')
  const isPackage =
    typeof token === 'string' &&
    typeof u === 'string' &&
    parseUrl(u) !== null &&
    typeof authorization === 'string' &&
    at(json, 'sessionPtr', profile.pointerField) !== undefined
  expectThat(
    isPackage,
    `POST /session: token, sessionPtr with u and ${profile.pointerField}, frontendRequest with authorization`,
    'something else',
  )
  return {
    token,
    type,
    package: json,
    app: u,
    frontend: `${u}/frontend`,
    requestor: `${server}/session/${token}`,
    authorization: { Authorization: authorization },
    pointer: JSON.stringify(at(json, 'sessionPtr')),
  }
}

/** The outcome of a session of the wallet, as text. */
export function wordsOf({ outcome }: PlayedSession): string {
  return outcome.status === 'failed' ? `${outcome.reason}: ${outcome.message}` : outcome.status
}

/** The wallet's last call to this endpoint: status, and both bodies as JSON. */
export function callOf(
  { calls }: Pick<PlayedSession, 'calls'>,
  method: string,
  end: string,
): { readonly status: number; readonly sent: unknown; readonly got: unknown } {
  const found = calls.findLast(call => call.method === method && call.path.endsWith(end))
  expectThat(found !== undefined, `a wallet that calls ${method} ...${end}`, 'none')
  return { status: found.status, sent: parsed(found.body), got: parsed(found.text) }
}
