/** The wallet app's side of a session, over HTTP (spec/interface#2.9, #4.2, #4.3, #5.3, #9). All data of a server are checked, bounded and not trusted. The server is
 *  notified if the session ends without success. @module */
import type { RandomBytes } from '../../crypto/random.ts'
import type { Clock } from '../../ports/clock.ts'
import { comparedHost } from '../../protocol/hosts.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type {
  DisclosureRequest,
  IssuanceRequest,
  SessionRequest,
  SignatureRequest,
} from '../../protocol/request.ts'
import { createCalls, type ServerCalls } from './calls.ts'
import type { Candidate, RequestCandidates } from './candidates.ts'
import { CancelledError, type FailureFacts, type FailureReason, SessionError } from './failure.ts'
import type { AskPin } from './keyshare/login.ts'
import { type SessionKeyshares, walletKeyshares } from './keyshare/session-keyshares.ts'
import type { Offer, OfferedCredential } from './offers.ts'
import { waitForPairing } from './pairing.ts'
import {
  parseSessionPointer,
  readSessionPointer,
  refuseInsecure,
  type SessionPointer,
  type StaticPointer,
} from './pointer.ts'
import { type Choices, chosenCandidates } from './proofs.ts'
import { revocationServers } from './revocation-servers.ts'
import {
  type DeliveredRequest,
  readConnection,
  readDelivered,
  readSubmissionAnswer,
} from './server-messages.ts'
import { startStaticSession } from './static-session.ts'
import { prepareSubmission, type SubmissionChoice } from './submission.ts'
import { untilAborted } from './until-aborted.ts'
import type { Wallet } from './wallet.ts'

/** Maximum number of sessions in one chain; a server could continue it without end. */
const MAX_LINKS = 10

/** The question to the user. In a chained session, `candidates` has additional items for the attributes that earlier sessions disclosed, with one candidate each.
 *  They are disclosed again. */
export type ConsentQuestion = {
  /** host (and port) of the server; nothing else is known of the requestor */
  readonly requestorHost: string
  readonly candidates: RequestCandidates
} & (
  | { readonly kind: 'disclosing'; readonly request: DisclosureRequest }
  /** `message` is signed together with the disclosed attributes. Every reader of the signature sees both. */
  | { readonly kind: 'signing'; readonly request: SignatureRequest; readonly message: string }
  /** `credentials` are received after the requested attributes are disclosed */
  | {
      readonly kind: 'issuing'
      readonly request: IssuanceRequest
      readonly credentials: readonly OfferedCredential[]
    }
)

export type Consent =
  /** Discloses the chosen candidates, and signs the message or receives the credentials of the question. One choice per item; empty if nothing is requested. */
  | { readonly answer: 'disclose'; readonly choices: Choices }
  /** Also the only answer to a request that is not satisfiable: the server must not learn which of the two it was (spec/interface#2.8). */
  | { readonly answer: 'refuse' }

export type SessionHandlers = {
  /** Called once per session, also if the request is not satisfiable (to show what is missing). An error that it throws ends the session and is passed on. */
  readonly consent: (question: ConsentQuestion) => Promise<Consent>
  /** Shows this code of four digits; the user types it into the page with the QR code (spec/interface#5.3). Called at most once, before `consent`. */
  readonly pairing?: (code: string) => void
  /** Asks for the PIN if a keyshare server takes part in the answer. Called after `consent`, and again after a wrong PIN. Without this handler such a session
   *  fails, unless a token of an earlier PIN is still valid. */
  readonly pin?: AskPin
  /** Aborts. The session is cancelled, unless the proofs are already being sent. */
  readonly signal?: AbortSignal
}

export type SessionOutcome = {
  /** number of the session in a chain in which it ended, from 2 on; left out: the first */
  readonly chainLink?: number
  /** the requestor's URL to open next, of any scheme except those that run code or read files; null: none */
  readonly clientReturnUrl: string | null
} & (
  | { readonly status: 'success'; readonly proofStatus: 'VALID' }
  /** the user refused, aborted, or could not answer */
  | { readonly status: 'cancelled' }
  /** `message` is for users, in English and without secrets */
  | ({ readonly status: 'failed'; readonly reason: FailureReason; readonly message: string } & FailureFacts)
)

export type SessionDeps = {
  readonly wallet: Wallet
  readonly fetch: typeof fetch
  /** its timers must keep the process alive during pauses */
  readonly clock: Clock
  readonly randomBytes: RandomBytes
}

/** Answers a session from its pointer to its end, and then the sessions chained to it. Any behaviour of the server is an outcome. It rejects only with the error of
 *  a handler, or with a defect of this program, after it cancelled the session. In a chain, the outcome is that of the last session; earlier sessions stay as they
 *  ended.
 *  @param pointer text of a QR code or link: session pointer JSON of either profile, also of a static session, or one of the supported links */
export async function answerSession(
  deps: SessionDeps,
  pointer: string,
  handlers: SessionHandlers,
): Promise<SessionOutcome> {
  const { wallet, fetch, clock } = deps
  const keyshares = walletKeyshares({ wallet, fetch, clock, signal: handlers.signal }, handlers.pin)
  const follow = (session: Session) => sessionPointerOf(session, parseSessionPointer(pointer))
  return answer(deps, handlers, keyshares, follow)
}

/** Answers the session of a keyshare server's pointer. Its account may not be stored in the wallet yet. */
export async function answerKeyshareSession(
  deps: SessionDeps,
  pointer: SessionPointer,
  handlers: SessionHandlers,
  keyshares: SessionKeyshares,
): Promise<SessionOutcome> {
  return answer(deps, handlers, keyshares, async () => pointer)
}

async function answer(
  deps: SessionDeps,
  handlers: SessionHandlers,
  keyshares: SessionKeyshares,
  follow: (session: Session) => Promise<SessionPointer>,
): Promise<SessionOutcome> {
  const session: Session = { deps, handlers, keyshares, clientReturnUrl: null, link: 1, disclosed: [] }
  try {
    await answerChain(session, await follow(session))
    return { status: 'success', proofStatus: 'VALID', ...endOf(session) }
  } catch (error) {
    if (error instanceof CancelledError) return { status: 'cancelled', ...endOf(session) }
    if (!(error instanceof SessionError)) throw error
    const { reason, facts } = error
    const message =
      session.link === 1 ? error.message : `session ${session.link} of a chain: ${error.message}`
    return { status: 'failed', reason, message, ...facts, ...endOf(session) }
  }
}

function endOf({ link, clientReturnUrl }: Session): Pick<SessionOutcome, 'chainLink' | 'clientReturnUrl'> {
  return { ...(link > 1 && { chainLink: link }), clientReturnUrl }
}

type Session = {
  readonly deps: SessionDeps
  readonly handlers: SessionHandlers
  readonly keyshares: SessionKeyshares
  clientReturnUrl: string | null
  /** number of the session in its chain, from 1 */
  link: number
  /** attributes that the previous session disclosed, those of earlier sessions included */
  disclosed: readonly Candidate[]
}

/** Follows the pointer of a static session once, to the session that it starts. */
async function sessionPointerOf(
  { deps: { wallet, fetch, clock }, handlers: { signal } }: Session,
  pointer: SessionPointer | StaticPointer,
): Promise<SessionPointer> {
  if (pointer.type !== 'redirect') return pointer
  refuseInsecure(pointer, wallet)
  return startStaticSession(pointer, { fetch, clock, signal })
}

/** Answers the sessions of a chain one after another. Each pointer is trusted as little as the first. */
async function answerChain(session: Session, first: SessionPointer): Promise<void> {
  let pointer = first
  for (;;) {
    const next = await answerPointer(session, pointer)
    if (next === null) return
    session.link++
    pointer = readSessionPointer(next)
  }
}

/** @returns the pointer of the next session, as received; null: none */
async function answerPointer(session: Session, pointer: SessionPointer): Promise<JsonValue> {
  const { wallet, fetch, clock, randomBytes } = session.deps
  const { signal } = session.handlers
  session.clientReturnUrl = null
  refuseInsecure(pointer, wallet)
  const authorization = Buffer.from(randomBytes(15)).toString('base64url')
  const calls = createCalls(pointer, authorization, { fetch, clock, signal })
  try {
    if (session.link > MAX_LINKS)
      throw new SessionError('chain-too-long', `expected at most ${MAX_LINKS} sessions in a chain`)
    const delivered = await fetchRequest(session, pointer, calls)
    session.clientReturnUrl = delivered.clientReturnUrl
    const agreed = await askUser(session, pointer, delivered)
    const { deps, keyshares } = session
    const submission = await prepareSubmission({ ...deps, signal, keyshares }, delivered, agreed)
    const answer = readSubmissionAnswer(await calls.submit(submission), agreed.offers.length)
    const { proofStatus } = answer
    if (proofStatus !== 'VALID')
      throw new SessionError('not-valid', `the server found the proofs ${proofStatus}`, { proofStatus })
    await submission.receive(answer)
    session.disclosed = agreed.chosen
    return answer.nextSession
  } catch (error) {
    await calls.cancel()
    throw error
  }
}

async function fetchRequest(
  { deps, handlers }: Session,
  pointer: SessionPointer,
  calls: ServerCalls,
): Promise<DeliveredRequest> {
  const connection = readConnection(await calls.connect(), pointer.profile)
  if (connection.pairingCode !== null) {
    handlers.pairing?.(connection.pairingCode)
    await waitForPairing(calls, deps.clock)
  }
  const delivered = connection.request ?? readDelivered(await calls.request(), connection.profile)
  if (delivered.request.type !== pointer.type)
    throw new SessionError(
      'malformed-answer',
      `expected a request of type ${pointer.type}, got ${delivered.request.type}`,
    )
  return delivered
}

async function askUser(
  session: Session,
  { host, profile }: SessionPointer,
  delivered: DeliveredRequest,
): Promise<SubmissionChoice> {
  const {
    handlers,
    deps: { wallet },
  } = session
  const { request, devMode, offered } = delivered
  if (devMode && !wallet.developerMode)
    throw new SessionError('developer-mode', `${host}: a server in developer mode needs developer mode here`)
  if (request.host !== '' && comparedHost(request.host, profile) !== comparedHost(host, profile))
    throw new SessionError(
      'host-mismatch',
      `expected a request for the host ${host}, got one for another host`,
    )
  const offers = wallet.offers(offered)
  session.keyshares.check(request, offers)
  const candidates = wallet.candidates(request, session.disclosed, await updateWitnesses(session, delivered))
  const question = questionOf(request, { requestorHost: host, candidates }, offers)
  const consent = await untilAborted(handlers.consent(question), handlers.signal)
  if (consent.answer === 'refuse') throw new CancelledError()
  return { chosen: chosenCandidates(candidates, consent.choices), offers }
}

/** Updates the witnesses of all instances of the requested types before the user is asked. The server can then not learn whether the wallet needed older events and
 *  then disclosed nothing.
 *  @returns ids of the instances that could not be updated */
async function updateWitnesses(
  { deps: { wallet, fetch, clock }, handlers: { signal } }: Session,
  { request: { nonRevocation }, updates }: DeliveredRequest,
): Promise<ReadonlySet<string>> {
  if (nonRevocation.length === 0) return new Set()
  using servers = revocationServers({ fetch, clock, signal, developerMode: wallet.developerMode })
  return await wallet.updateWitnesses(
    async ({ id }, counter) => updates.get(id)?.get(counter) ?? null,
    servers.events,
  )
}

function questionOf(
  request: SessionRequest,
  common: Pick<ConsentQuestion, 'requestorHost' | 'candidates'>,
  offers: readonly Offer[],
): ConsentQuestion {
  switch (request.type) {
    case 'disclosing':
      return { kind: request.type, ...common, request }
    case 'signing':
      return { kind: request.type, ...common, request, message: request.message }
    case 'issuing':
      return { kind: request.type, ...common, request, credentials: offers.map(({ view }) => view) }
  }
}
