/** The frontend's side of a session (spec/interface#4.4): follows its status and turns pairing on. @module */
import { asking, type Fetch, ServerRefusalError } from './calls.ts'
import type { SessionPackage, SessionPointer, SessionStatus } from './results.ts'
import { type FinalStatus, type WaitOptions, waitFor } from './wait.ts'

/** The part of the answer to `start` that a page may have. The token is left out: it belongs to the requestor. */
export type FrontendPart = Pick<SessionPackage, 'sessionPtr' | 'frontendRequest'>

export type FrontendOptions = {
  /** the server's `context_base`, if it differs from the one of the profile */
  readonly contextBase?: string
  /** replaces the global one */
  readonly fetch?: Fetch
}

export type FrontendUpdate = {
  readonly status: SessionStatus
  /** the session that followed */
  readonly nextSession?: SessionPointer
}

/** The options of a session. */
export type SessionOptions = {
  readonly '@context': string
  readonly pairingMethod: 'none' | 'pin'
  /** four digits; secret */
  readonly pairingCode?: string
}

export type Frontend = {
  /** content of the session's QR code */
  readonly qrCode: string
  status(): Promise<FrontendUpdate>
  /** Like `wait` of a requestor. */
  wait(options?: WaitOptions<FrontendUpdate>): Promise<FinalStatus>
  /** Turns pairing on or off. The server allows this until the wallet app connects.
   *  @returns the options; while pairing is on, they contain the code that the user types into this page */
  setPairing(method: 'pin' | 'none'): Promise<SessionOptions>
  /** Confirms that the user typed the right code. The wallet app may then continue. */
  pairingCompleted(): Promise<void>
  cancel(): Promise<void>
}

/** Statuses that a session can have after pairing is completed. */
const GOES_ON: readonly SessionStatus[] = ['CONNECTED', 'DONE']
const CONTEXTS = { svc: 'https://svc.example', irma: 'https://irma.app' } as const

/** @example
 *  const frontend = createFrontend(await (await fetch('/start', { method: 'POST' })).json())
 *  showQrCode(frontend.qrCode)
 *  if ((await frontend.wait()) === 'DONE') location.assign('/welcome') */
export function createFrontend(
  { sessionPtr, frontendRequest }: FrontendPart,
  options: FrontendOptions = {},
): Frontend {
  const { fetch = globalThis.fetch } = options
  const { contextBase = CONTEXTS[sessionPtr.irmaqr === undefined ? 'svc' : 'irma'] } = options
  const ask = asking(fetch)
  const frontend = `${sessionPtr.u}/frontend`
  const headers = { Authorization: frontendRequest.authorization }
  const status = async (signal?: AbortSignal): Promise<FrontendUpdate> =>
    JSON.parse(await ask('GET', `${frontend}/status`, { headers, signal }))
  const source = { fetch, url: `${frontend}/statusevents`, headers, read: (text: string) => JSON.parse(text) }
  return {
    qrCode: JSON.stringify(sessionPtr),
    status: () => status(),
    wait: (wanted = {}) => waitFor<FrontendUpdate>(source, status, wanted),
    async setPairing(pairingMethod) {
      const body = { '@context': `${contextBase}/ld/request/frontendoptions/v1`, pairingMethod }
      return JSON.parse(await ask('POST', `${frontend}/options`, { headers, body: JSON.stringify(body) }))
    },
    async pairingCompleted() {
      try {
        await ask('POST', `${frontend}/pairingcompleted`, { headers })
      } catch (error) {
        // an earlier attempt may have succeeded, although its response was lost
        const isDone =
          error instanceof ServerRefusalError && error.isRepeat && error.type === 'UNEXPECTED_REQUEST'
        if (!isDone || !GOES_ON.includes((await status()).status)) throw error
      }
    },
    async cancel() {
      await ask('DELETE', sessionPtr.u)
    },
  }
}
