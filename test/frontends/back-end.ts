/** The back end of the web site: the functions of `irma-backend`, and the answers of the session server that it forwards. @module */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PROJECT } from '../project.ts'
import { TOKEN } from './session-server.ts'

/** The answer to the start of a session. */
export type Package = {
  readonly sessionPtr: { readonly u: string }
  readonly token: string
  readonly frontendRequest: { readonly authorization: string }
}

export type Result = {
  readonly status: string
  readonly token: string
  readonly proofStatus?: string
  readonly disclosed?: readonly (readonly { readonly id: string; readonly rawvalue: string | null }[])[]
  readonly nextSession?: string
}

/** The used part of `irma-backend`, which has no types. */
export type Backend = {
  startSession(request: object | string): Promise<Package>
  cancelSession(token: string): Promise<void>
  getSessionResult(token: string): Promise<Result>
  getSessionResultJwt(token: string): Promise<string>
  getSessionStatus(token: string): Promise<string>
  getServerPublicKey(): Promise<string>
  subscribeStatusEvents(token: string, tell: (error: unknown, status?: string) => void): void
}

const load = createRequire(join(PROJECT, 'package.json'))
const IrmaBackend: new (url: string, options?: object) => Backend = load('@privacybydesign/irma-backend')

export function backendOf(url: string, options: object = { serverToken: TOKEN }): Backend {
  return new IrmaBackend(url, options)
}
