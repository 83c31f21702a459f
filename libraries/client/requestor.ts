/** A requestor's side of a session server: starts sessions, waits for them and reads their results. It runs in Node 20 and later and in browsers. It calls the
 *  global `fetch` and needs only the packages jose and eventsource-parser. @module */
import { authorized, type RequestorAuth, type RequestToAuthorize } from './authorization.ts'
import { type Ask, asking, type Fetch } from './calls.ts'
import type { Exactly, RevocationRequest, SessionRequest } from './messages.ts'
import type { SessionPackage, SessionResult, SessionStatus, SessionToken } from './results.ts'
import { type FinalStatus, type WaitOptions, waitFor } from './wait.ts'

export type RequestorOptions = {
  /** the address of the server, `api_prefix` included */
  readonly url: string
  /** left out: the server accepts sessions without authentication (`no_auth`) */
  readonly auth?: RequestorAuth
  /** replaces the global one */
  readonly fetch?: Fetch
}

export type Requestor = {
  /** @throws {ServerRefusalError} if the server refuses the request */
  start<const R extends SessionRequest>(request: Exactly<R>): Promise<SessionPackage<R>>
  /** Waits for the end of a session by its event stream. Polls every second if the stream fails.
   *  @throws {WaitTimeoutError} after `timeoutMs` @throws the reason of `signal` */
  wait(token: string, options?: WaitOptions<SessionStatus>): Promise<FinalStatus>
  status(token: string): Promise<SessionStatus>
  /** the result so far: `status` says whether the session has ended, `proofStatus` whether its proofs are valid. A token of `start` gives the type of its request.
   *  For a token that was stored as text, name the type: `result<typeof request>(token)`. */
  result<R extends SessionRequest = SessionRequest>(
    token: string | SessionToken<R>,
  ): Promise<SessionResult<R>>
  /** The same result, as a JWT that the server signed. */
  resultJwt(token: string): Promise<string>
  /** the key that verifies signed results, in PEM */
  publicKey(): Promise<string>
  cancel(token: string): Promise<void>
  /** Revokes credentials by their revocation key. */
  revoke(request: RevocationRequest): Promise<void>
}

/** @example
 *  const requestor = createRequestor({ url: 'https://id.example', auth: { method: 'token', token } })
 *  const started = await requestor.start(request)
 *  if ((await requestor.wait(started.token)) === 'DONE') console.log((await requestor.result(started.token)).proofStatus) */
export function createRequestor({ url, auth, fetch = globalThis.fetch }: RequestorOptions): Requestor {
  const base = url.replace(/\/+$/, '')
  const ask = asking(fetch)
  const session = (token: string): string => `${base}/session/${encodeURIComponent(token)}`
  const post = async (path: string, wanted: RequestToAuthorize): Promise<string> =>
    ask('POST', base + path, await authorized(wanted, auth))
  const status = async (token: string, signal?: AbortSignal): Promise<SessionStatus> =>
    JSON.parse(await ask('GET', `${session(token)}/status`, { signal }))
  return {
    status: token => status(token),
    start: async request => sessionIn(JSON.parse(await post('/session', { type: 'session', request }))),
    wait: (token, options = {}) =>
      waitFor(
        { fetch, url: `${session(token)}/statusevents`, read: text => JSON.parse(text), headers: {} },
        signal => status(token, signal),
        options,
      ),
    result: async token => JSON.parse(await ask('GET', `${session(token)}/result`)),
    resultJwt: token => ask('GET', `${session(token)}/result-jwt`),
    publicKey: () => ask('GET', `${base}/publickey`),
    cancel: token => quietly(ask, 'DELETE', session(token)),
    revoke: async request => {
      await post('/revocation', { type: 'revocation', request })
    },
  }
}

/** @throws {TypeError} for an answer that is not one of a session server; its message has no part of the answer, which may hold a token */
function sessionIn<R extends SessionRequest>(answer: unknown): SessionPackage<R> {
  const { token, sessionPtr } = Object(answer)
  if (typeof token === 'string' && sessionPtr instanceof Object) return answer as SessionPackage<R>
  throw new TypeError('expected a session with token and sessionPtr, got another answer')
}

async function quietly(ask: Ask, method: 'DELETE' | 'POST', url: string): Promise<void> {
  await ask(method, url)
}
