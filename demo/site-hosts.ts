/** The names of the web sites of the tour, one for each: what a phone shows of who asks. Browsers look for every name under `localhost` on this
 *  computer itself, so that no name server is asked for them. @module */
import { STEPS, type Step } from './steps.ts'

const NAMES: Readonly<Record<Step, string>> = {
  cards: 'city-counter',
  login: 'course-pages',
  either: 'reading-room',
  contract: 'harbour-rooms',
  library: 'city-library',
  chain: 'museum-night',
  mobile: 'corner-shop',
  revoked: 'street-market',
  twice: 'film-club',
  pin: 'savings-circle',
}

export type SiteHosts = {
  /** name and port of the web site of a step: the `Host` of a call to it */
  of(step: Step): string
  readonly all: readonly string[]
}

/** @param address where all of them listen */
export function siteHosts(address: string): SiteHosts {
  const { port } = new URL(address)
  const of = (step: Step): string => `${NAMES[step]}.localhost${port === '' ? '' : `:${port}`}`
  return { of, all: STEPS.map(of) }
}
