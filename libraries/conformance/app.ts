/** A wallet app whose calls are recorded. A trial can replace its submission, or the request that it receives. @module */
import type { RandomBytes } from '../../crypto/random.ts'
import type { Clock } from '../../ports/clock.ts'
import { readBounded } from '../../ports/fetch.ts'
import { answerSession, type SessionHandlers, type SessionOutcome } from '../wallet/session.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { parsed } from './json.ts'

export type AppDeps = {
  readonly wallet: Wallet
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly randomBytes: RandomBytes
}

export type AnswerOptions = Partial<SessionHandlers> & {
  /** returns the body to send instead of a submission */
  readonly tamper?: ((body: unknown) => unknown) | undefined
  /** returns the session request for the wallet instead of the received one */
  readonly deliver?: ((answer: unknown) => unknown) | undefined
}

/** A call of the wallet to the session server, and its response. Secret: it contains proofs and attributes. */
export type AppCall = {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly status: number
  readonly text: string
}
export type PlayedSession = { readonly outcome: SessionOutcome; readonly calls: readonly AppCall[] }

const MAX_ANSWER_BYTES = 2 ** 22
const SUBMISSION = /\/(proofs|commitments)$/

/** Agrees to every question, with the first candidate of each item, unless the options differ.
 *  @param pointer content of a QR code */
export async function answerAs(
  deps: AppDeps,
  pointer: string,
  options: AnswerOptions,
): Promise<PlayedSession> {
  const { tamper, deliver, ...handlers } = options
  const calls: AppCall[] = []
  const recording: typeof fetch = async (input, init = {}) => {
    const { pathname } = new URL(String(input))
    const isChanged = tamper !== undefined && SUBMISSION.test(pathname)
    const body = isChanged ? JSON.stringify(tamper(parsed(String(init.body)))) : init.body
    const response = await deps.fetch(input, { ...init, ...(body && { body }) })
    if (pathname.endsWith('/statusevents')) return response
    const text = (await readBounded(response, MAX_ANSWER_BYTES)).toString('utf8')
    const { method = 'GET' } = init
    const { status, headers } = response
    calls.push({ method, path: pathname, body: String(body ?? ''), status, text })
    const isDelivered = deliver !== undefined && method === 'GET' && status === 200
    const read = isDelivered ? JSON.stringify(deliver(parsed(text))) : text
    return new Response(status === 204 ? null : read, { status, headers })
  }
  const outcome = await answerSession({ ...deps, fetch: recording }, pointer, {
    consent: async ({ candidates: { items, isSatisfiable } }) =>
      isSatisfiable ? { answer: 'disclose', choices: items.map(() => 0) } : { answer: 'refuse' },
    ...handlers,
  })
  return { outcome, calls }
}
