/** A frontend's side of a session (spec 4.4): follows it, and turns pairing on. @module */
import type { FrontendStatus, SessionOptions } from '../protocol/frontend-messages.ts'
import type { SessionPackage } from '../protocol/session-package.ts'
import type { WireStatus } from '../protocol/wire/answers.ts'
import { asking, type Fetch, ServerRefusal } from './calls.ts'
import { type FinalStatus, type WaitOptions, waitFor } from './wait.ts'

/** What a page gets of the answer to `start`: not the token, which belongs to the requestor. */
export type FrontendPart = Pick<SessionPackage, 'sessionPtr' | 'frontendRequest'>

export type FrontendOptions = {
  /** of the server (`context_base`), where it is not the profile's */
  readonly contextBase?: string
  /** in place of the global one */
  readonly fetch?: Fetch
}

export type FrontendTold = FrontendStatus & { readonly status: WireStatus }

export type Frontend = {
  /** what a QR code of the session holds */
  readonly qrCode: string
  status(): Promise<FrontendTold>
  /** as `wait` of a requestor */
  wait(options?: WaitOptions<FrontendTold>): Promise<FinalStatus>
  /** Turns pairing on or off, until the wallet app connects.
   *  @returns the code that the user types here, while it is on */
  setPairing(method: 'pin' | 'none'): Promise<SessionOptions>
  /** The user has typed the code: the wallet app may go on. */
  pairingCompleted(): Promise<void>
  cancel(): Promise<void>
}

/** After pairing was completed. */
const GOES_ON: readonly WireStatus[] = ['CONNECTED', 'DONE']
const CONTEXTS = { svc: 'https://svc.example', irma: 'https://irma.app' } as const

export function createFrontend(
  { sessionPtr, frontendRequest }: FrontendPart,
  options: FrontendOptions = {},
): Frontend {
  const { fetch = globalThis.fetch } = options
  const { contextBase = CONTEXTS[sessionPtr.irmaqr === undefined ? 'svc' : 'irma'] } = options
  const ask = asking(fetch)
  const frontend = `${sessionPtr.u}/frontend`
  const headers = { Authorization: frontendRequest.authorization }
  const status = async (signal?: AbortSignal): Promise<FrontendTold> =>
    JSON.parse(await ask('GET', `${frontend}/status`, { headers, signal }))
  const source = { fetch, url: `${frontend}/statusevents`, headers, read: (text: string) => JSON.parse(text) }
  return {
    qrCode: JSON.stringify(sessionPtr),
    status: () => status(),
    wait: (wanted = {}) => waitFor<FrontendTold>(source, status, wanted),
    async setPairing(pairingMethod) {
      const body = { '@context': `${contextBase}/ld/request/frontendoptions/v1`, pairingMethod }
      return JSON.parse(await ask('POST', `${frontend}/options`, { headers, body: JSON.stringify(body) }))
    },
    async pairingCompleted() {
      try {
        await ask('POST', `${frontend}/pairingcompleted`, { headers })
      } catch (error) {
        // an attempt whose answer was lost may have done it
        const isDone = error instanceof ServerRefusal && error.isRepeat && error.type === 'UNEXPECTED_REQUEST'
        if (!isDone || !GOES_ON.includes((await status()).status)) throw error
      }
    },
    async cancel() {
      await ask('DELETE', sessionPtr.u)
    },
  }
}
