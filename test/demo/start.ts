/** A demo on free ports for one test, and the calls of its page. @module */
import { pino } from 'pino'
import type { Comparison } from '../../demo/comparison.ts'
import { startDemo } from '../../demo/demo.ts'
import type { AccountView } from '../../demo/keyshare/account.ts'
import type { Demo, DemoOptions } from '../../demo/options.ts'
import type { OwnPhoneView } from '../../demo/own-phone/routes.ts'
import type { PhoneState } from '../../demo/phone-view.ts'
import type { Programs } from '../../demo/programs.ts'
import type { SiteAnswer } from '../../demo/site-answer.ts'
import { siteFetch } from '../../demo/site-fetch.ts'
import { siteHosts } from '../../demo/site-hosts.ts'
import type { Step } from '../../demo/steps.ts'
import type { StepView } from '../../demo/tour.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { DEMO_SCHEMES } from '../project.ts'

export const log = pino({ level: 'silent' })

/** Another port than in the demo scheme, which may be in use on a machine that runs tests. */
export const OPTIONS: DemoOptions = {
  ...{
    schemesPath: DEMO_SCHEMES,
    log,
    clock: createSystemClock(),
    random: systemRandomness,
    timestampPort: 0,
  },
}

export function startTestDemo(): Promise<Demo> {
  return startDemo(OPTIONS)
}

export type Answer<Body> = { readonly status: number; readonly body: Body }
export type SiteStart = {
  readonly id: string
  readonly sessionPtr: { readonly u: string }
  readonly frontendRequest: { readonly authorization: string }
  readonly link: string
  readonly request: object
  readonly programs: Programs
}
export type Tour = {
  readonly steps: readonly StepView[]
  readonly stamps: { readonly wanted: string; readonly address: string; readonly isAsNamed: boolean }
  readonly ownPhone: OwnPhoneView | null
  readonly inspector: string
}
export type Card = {
  readonly name: string
  readonly isRevoked: boolean
  readonly attributes: readonly { readonly value: string | null }[]
}
type Screens<Name> = Extract<PhoneState, { readonly screen: Name }>

type Call = <Body>(path: string, method?: string, body?: unknown, headers?: object) => Promise<Answer<Body>>

export type SiteTold = SiteAnswer & {
  readonly step: Step
  readonly comparison: Comparison | null
}

/** Calls from the origin of the page, which reach the web sites by their names. */
function callsOf({ address }: Demo): Call {
  const origin = address.slice(0, -1)
  const fetchByName = siteFetch(origin, siteHosts(origin).all)
  return async (path, method = 'GET', body, headers = {}) => {
    const response = await fetchByName(new URL(path, address), {
      method,
      headers: { Origin: origin, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}

/** Waits until the phone shows the screen `wanted`.
 *  @throws if the session ends otherwise */
async function nextScreen<Name extends PhoneState['screen']>(
  call: Call,
  id: string,
  wanted: Name,
): Promise<Screens<Name>> {
  for (let after = 0; ; ) {
    const { body } = await call<{ readonly version: number; readonly state: PhoneState }>(
      `/demo/phone/${id}?after=${after}`,
    )
    const { state } = body
    if (state.screen === wanted) return state as Screens<Name> // by its name
    if (state.screen === 'failed') throw new Error(`expected ${wanted}, got: ${state.reason}`)
    if (state.screen === 'done' || state.screen === 'refused')
      throw new Error(`expected ${wanted}, got ${state.screen}`)
    after = body.version
  }
}

/** The calls of the page. */
export function pageOf(demo: Demo) {
  const call = callsOf(demo)
  const phoneShows = <Name extends PhoneState['screen']>(id: string, wanted: Name) =>
    nextScreen(call, id, wanted)
  const start = async (step: Step) => (await call<SiteStart>('/demo/site/start', 'POST', { step })).body
  const open = async (pointer: string) =>
    (await call<{ readonly id: string }>('/demo/phone/open', 'POST', { pointer })).body.id
  const answer = (id: string, choices: readonly number[]) =>
    call(`/demo/phone/${id}/answer`, 'POST', { choices })
  const result = async (id: string) => (await call<SiteTold>(`/demo/site/result/${id}`)).body

  /** Plays a session of the step until the phone asks. */
  async function ask(step: Step) {
    const started = await start(step)
    const phone = await open(JSON.stringify(started.sessionPtr))
    return { ...started, phone, question: await phoneShows(phone, 'consent') }
  }

  /** Asks the same question again, after the session `id`, until the phone asks. */
  async function again(step: Step, id: string) {
    const { body } = await call<SiteStart>('/demo/site/start', 'POST', { step, after: id })
    const phone = await open(JSON.stringify(body.sessionPtr))
    return { ...body, phone, question: await phoneShows(phone, 'consent') }
  }

  /** Revokes the credential that the session has issued. */
  const revoke = (id: string) => call(`/demo/site/revoke/${id}`, 'POST')

  /** Plays a whole session of one question. */
  async function complete(step: Step, choices: readonly number[]) {
    const { id, phone } = await ask(step)
    await answer(phone, choices)
    return { id, done: await phoneShows(phone, 'done'), told: await result(id) }
  }

  const cancelled = (id: string) => call(`/demo/site/cancelled/${id}`, 'POST')

  return {
    ...{ call, phoneShows, start, open, answer, result, ask, again, revoke, complete },
    cancelled,
    /** like the page: it notifies the site, and ends the session */
    async cancel({ id, sessionPtr }: SiteStart) {
      await cancelled(id)
      await call(sessionPtr.u, 'DELETE')
    },
    refuse: (id: string) => call(`/demo/phone/${id}/refuse`, 'POST'),
    tour: async () => (await call<Tour>('/demo/tour')).body,
    cards: async () => (await call<Card[]>('/demo/phone/cards')).body,
  }
}

/** The PIN of the phone, as the page creates and enters it. */
export function pinOf({ call, ask, answer, phoneShows, result }: ReturnType<typeof pageOf>) {
  return {
    setUp: async (pin: string) =>
      (await call<AccountView>('/demo/phone/account/set-up', 'POST', { pin, email: '' })).body,
    /** Plays the step with a PIN, with these PINs entered one after the other. */
    async logIn(...pins: readonly string[]) {
      const { id, phone } = await ask('pin')
      await answer(phone, [0])
      for (const pin of pins) {
        await phoneShows(phone, 'pin')
        await call(`/demo/phone/${phone}/pin`, 'POST', { pin })
      }
      return { id, done: await phoneShows(phone, 'done'), told: await result(id) }
    },
  }
}
