/** The wallet app of these tests: it answers a session over HTTP, and keeps its calls. @module */
import { randomBytes } from 'node:crypto'
import type { AppCall } from '../../libraries/conformance/app.ts'
import { answerSession, type SessionHandlers, type SessionOutcome } from '../../libraries/wallet/session.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SimulatedClock } from '../../ports/simulated-clock.ts'
import { deps, newWallet } from '../wallet/demo-wallets.ts'
import { agreeToAll } from '../wallet/play.ts'
import type { Json } from './json.ts'
import { inTodaysForm, type OldVersion, olderHeaders } from './older-forms.ts'
import { HELD } from './requests.ts'

export type PlayOptions = Partial<SessionHandlers> & {
  /** the time of the wallet's clock; by default that of the server */
  readonly at?: number
  /** replaces a submission */
  readonly tamper?: (body: Json) => Json
  /** the highest version that the wallet announces */
  readonly version?: OldVersion
}

export type Played = {
  readonly outcome: SessionOutcome
  readonly calls: readonly AppCall[]
  /** the last call to this endpoint; its bodies as JSON */
  call(method: string, end: string): { readonly sent: Json; readonly got: Json; readonly status: number }
}
export type App = {
  readonly wallet: Wallet
  /** @param pointer content of a QR code */
  answer(pointer: string, options: PlayOptions): Promise<Played>
}

/** @param rerouted returns the real address of an address */
export async function createApp(clock: SimulatedClock, rerouted: (url: string) => string): Promise<App> {
  const time: { at: number | null } = { at: null }
  const now = () => time.at ?? clock.now()
  const walletClock = { ...clock, now, wallNow: now }
  const wallet = await newWallet(HELD, true, { ...deps, clock: walletClock })
  return {
    wallet,
    async answer(pointer, options) {
      time.at = options.at ?? null
      return await play(wallet, walletClock, rerouted, pointer, options)
    },
  }
}

async function play(
  wallet: Wallet,
  clock: Clock,
  rerouted: (url: string) => string,
  pointer: string,
  { at: _, tamper, version, ...handlers }: PlayOptions,
): Promise<Played> {
  const calls: AppCall[] = []
  const recording: typeof fetch = async (input, init = {}) => {
    const address = rerouted(String(input))
    const { pathname } = new URL(address)
    const isSubmission = /\/(proofs|commitments)$/.test(pathname)
    const body = tamper && isSubmission ? JSON.stringify(tamper(jsonOf(String(init.body)))) : init.body
    const headers = version ? olderHeaders(init.headers, version) : init.headers
    const response = await fetch(address, { ...init, ...(headers && { headers }), ...(body && { body }) })
    if (pathname.endsWith('/statusevents') || address !== String(input)) return response
    const text = await response.clone().text()
    const { method = 'GET' } = init
    calls.push({ method, path: pathname, body: String(body ?? ''), status: response.status, text })
    return version && response.ok ? new Response(inTodaysForm(pathname, text, version)) : response
  }
  const outcome = await answerSession({ wallet, fetch: recording, clock, randomBytes }, pointer, {
    ...agreeToAll,
    ...handlers,
  })
  return {
    outcome,
    calls,
    call(method, end) {
      const found = calls.findLast(each => each.method === method && each.path.endsWith(end))
      if (!found) throw new Error(`${method} ...${end}: expected a call of the wallet, got none`)
      return { sent: jsonOf(found.body), got: jsonOf(found.text), status: found.status }
    },
  }
}

function jsonOf(text: string): Json {
  return text === '' ? undefined : JSON.parse(text)
}
