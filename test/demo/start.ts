/** A demo on a free port for one test, and the calls that its page makes. @module */
import { pino } from 'pino'
import { createSystemClock } from '../../actors/clock.ts'
import * as random from '../../cli/randomness.ts'
import { startDemo } from '../../demo/demo.ts'
import type { Demo } from '../../demo/options.ts'
import { DEMO_SCHEMES } from '../project.ts'

export const log = pino({ level: 'silent' })

export function startTestDemo(): Promise<Demo> {
  return startDemo({ schemesPath: DEMO_SCHEMES, log, clock: createSystemClock(), random })
}

export type Answer<Body> = { readonly status: number; readonly body: Body }
export type ShopStart = {
  readonly id: string
  readonly sessionPtr: { readonly u: string }
  readonly frontendRequest: { readonly authorization: string }
  readonly request: unknown
}
export type ShopResult = {
  readonly isAccepted: boolean
  readonly title: string
  readonly text: string
  readonly seen: readonly { readonly name: string; readonly value: string | null }[]
  readonly hidden: readonly { readonly names: readonly string[] }[]
  readonly result: { readonly status: string; readonly token?: string }
}
export type PhoneScreen = {
  readonly version: number
  readonly state: {
    readonly screen: string
    readonly host: string
    readonly code?: string
    readonly reason?: string
    readonly canAnswer?: boolean
    readonly items?: readonly { readonly candidates: readonly { readonly cards: readonly unknown[] }[] }[]
    readonly shared?: readonly { readonly name: string; readonly value: string | null }[]
  }
}

/** The calls of the page, from its own origin. */
export function pageOf({ address }: Demo) {
  const origin = address.slice(0, -1)

  async function call<Body>(
    path: string,
    method = 'GET',
    body?: unknown,
    headers = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(new URL(path, address), {
      method,
      headers: { Origin: origin, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  /** The next screen of the phone that is one of `wanted`. */
  async function phoneShows(id: string, ...wanted: string[]): Promise<PhoneScreen['state']> {
    for (let after = 0; ; ) {
      const { body } = await call<PhoneScreen>(`/demo/phone/${id}?after=${after}`)
      if (wanted.includes(body.state.screen)) return body.state
      after = body.version
    }
  }

  return {
    call,
    phoneShows,
    start: async (scenario: string) => (await call<ShopStart>('/demo/shop/start', 'POST', { scenario })).body,
    scan: async (pointer: unknown) =>
      (await call<{ readonly id: string }>('/demo/phone/scan', 'POST', { pointer })).body.id,
    answer: (id: string, choices: readonly number[]) => call(`/demo/phone/${id}/answer`, 'POST', { choices }),
    refuse: (id: string) => call(`/demo/phone/${id}/refuse`, 'POST'),
    result: async (id: string) => (await call<ShopResult>(`/demo/shop/result/${id}`)).body,
  }
}
