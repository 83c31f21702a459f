/** Recorded submissions of wallet apps, each with the session that it answers in the form that the app received, for `checkSubmission` with real arithmetic.
 *  @module */
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { fromBase64 } from '../../crypto/bytes.ts'
import { verifyProofs } from '../../crypto/proof-list.ts'
import { readAccumulator } from '../../crypto/revocation/accumulator.ts'
import { timestampNonce } from '../../crypto/timestamp.ts'
import { RemoteError } from '../../protocol/errors.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { type ExtendedRequest, parseSessionRequestText } from '../../protocol/request.ts'
import { readUpdate } from '../../protocol/revocation-json.ts'
import type { SentUpdate, SentUpdates } from '../../protocol/sent-updates.ts'
import { parseVersion } from '../../protocol/versions.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { checkSubmission, type SubmissionToCheck } from '../../sessions/check-submission.ts'
import type { CheckedSubmission, CheckServices } from '../../sessions/checked-submission.ts'
import { DEMO_SCHEMES, readVector } from '../project.ts'
import { bodyText, type Exchange } from '../protocol/recorded.ts'
import { CHECKING } from './facts-of-test.ts'

export const schemes = await loadSchemes(DEMO_SCHEMES)
export const arithmetic = chooseArithmetic('auto')

type RecordedExchange = Exchange & { readonly party: string; readonly to: string; readonly atMs: number }
type Recording = { readonly recordedAt: number; readonly exchanges: readonly RecordedExchange[] }

export type Submission = {
  /** number of its exchange */
  readonly n: number
  readonly note: string
  /** the session's client token */
  readonly session: string
  readonly input: SubmissionToCheck
  readonly services: CheckServices
  /** null if only our own answer counts */
  readonly response: Exchange['response']
  /** the recorded session result */
  readonly result: unknown
}

/** @param file below test/vectors, without `.json` */
export function submissions(file: string): Submission[] {
  const recording = readVector(`${file}.json`) as Recording // the form is described in test/vectors/README.md
  const { exchanges } = recording
  return exchanges
    .filter(({ request }) => request.method === 'POST' && /\/(proofs|commitments)$/.test(request.path))
    .flatMap(exchange => {
      const session = exchange.request.path.split('/').at(-2) ?? ''
      const delivered = deliveredRequest(exchanges, session)
      if (delivered === null) return []
      return {
        n: exchange.n,
        note: exchange.note ?? '',
        session,
        input: {
          ...deliveredToCheck(delivered),
          body: bodyText(exchange.request),
          nowSec: nowOf(exchange, recording),
        },
        services: recordedServices(exchanges.slice(exchanges.indexOf(exchange))),
        response: exchange.response,
        result: resultOf(exchanges, session),
      }
    })
}

/** The submission of a file with a single one.
 *  @throws if the file has none or several */
export function onlySubmission(file: string): Submission {
  const [first, ...others] = submissions(file)
  if (first === undefined || others.length > 0) throw new Error(`${file}: expected one submission`)
  return first
}

function nowOf({ atMs }: RecordedExchange, { recordedAt }: Recording): number {
  return recordedAt + Math.floor(atMs / 1000)
}

type Delivered = Readonly<Record<string, unknown>>

/** The request in the form that the app received: prepared, with key counters, names of random blind attributes and the validity. */
function deliveredRequest(exchanges: readonly RecordedExchange[], session: string): Delivered | null {
  const bodies = exchanges
    .filter(({ request, response }) => request.path.includes(session) && response?.status === 200)
    .filter(({ request }) => request.method === 'GET')
    .map(({ response }) => Object(response?.body))
  return bodies.map(body => body.request ?? body).find(body => typeof body.nonce === 'string') ?? null
}

/** @param delivered a request as an app received it, in profile `irma` */
export function deliveredToCheck(delivered: Delivered): Omit<SubmissionToCheck, 'body' | 'nowSec'> {
  const extended: ExtendedRequest = parseSessionRequestText(JSON.stringify(delivered), PROFILES.irma)
  return {
    extended,
    nonce: fromBase64(String(delivered.nonce)),
    schemes,
    contextBase: PROFILES.irma.contextBase,
    protocolVersion: parseVersion(String(delivered.protocolVersion)),
    ...CHECKING,
    nonRevocation: { ...CHECKING.nonRevocation, sent: updatesIn(delivered) },
  }
}

/** The updates that the app received from an authority. */
function updatesIn({ revocation = {} }: Delivered): SentUpdates {
  const byType = Object.entries<Delivered>(Object(revocation)).map(([type, { updates }]) => {
    const byKey = Object.entries(Object(updates)).map(([counter, update]): [number, SentUpdate] => {
      const { signed } = readUpdate(update as JsonValue, 'update') // recorded JSON
      return [Number(counter), { index: readAccumulator(signed).index, refreshedAtSec: null, update: {} }]
    })
    return [parseCredentialTypeId(type), new Map(byKey)] as const
  })
  return new Map(byType)
}

/** The timestamp server gives the recorded answers.
 *  @param later exchanges from the submission on */
function recordedServices(later: readonly RecordedExchange[]): CheckServices {
  const asked = later.find(({ party, to }) => party === 'server' && to === 'timestamp')
  const { Trusted = true, Expires = '2046-01-01T00:00:00Z' } = Object(asked?.response?.body)
  return {
    verify: async list => verifyProofs(arithmetic, list),
    isTrustedStamp: async (server, { timeSec }) =>
      server === 'http://127.0.0.1:8190/' && Trusted === true && Date.parse(Expires) >= timeSec * 1000,
    timestampNonce: async stamped => timestampNonce(stamped, arithmetic),
    noteFirstVersion: () => undefined,
  }
}

function resultOf(exchanges: readonly RecordedExchange[], session: string): unknown {
  const created = exchanges.find(({ response }) =>
    String(Object(response?.body).sessionPtr?.u).endsWith(session),
  )
  const token = String(Object(created?.response?.body).token)
  return exchanges.find(({ request }) => request.path === `/session/${token}/result`)?.response?.body
}

/** The outcome of a submission. */
export type SubmissionOutcome = { readonly told: string; readonly checked: CheckedSubmission | null }

/** @returns the proof status, or the HTTP status and type of the remote error */
export async function judged({
  input,
  services,
}: Pick<Submission, 'input' | 'services'>): Promise<SubmissionOutcome> {
  try {
    const checked = await checkSubmission(input, services)
    return { told: checked.judgement.proofStatus, checked }
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    return { told: `${error.status} ${error.type}`, checked: null }
  }
}

/** The recorded answer in the same words; before version 2.7 it is bare. */
export function recordedAnswer({ response }: Submission): string {
  const body = response?.body
  if (Array.isArray(body)) return 'VALID'
  if (typeof body === 'string') return body
  const { proofStatus, error } = Object(body)
  return proofStatus ?? `${response?.status} ${error}`
}
