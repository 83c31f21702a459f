/** The names of the web sites of the tour, one per site; the phone shows them as the requestor. Browsers resolve every name under `localhost` to this computer,
 *  without a name server. @module */
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
  sites: 'login-desk',
}

export type SiteHosts = {
  /** name and port of the web site of a step, for the header `Host` */
  of(step: Step): string
  readonly all: readonly string[]
}

/** @param address address of all web sites */
export function siteHosts(address: string): SiteHosts {
  const { port } = new URL(address)
  const of = (step: Step): string => `${NAMES[step]}.localhost${port === '' ? '' : `:${port}`}`
  return { of, all: STEPS.map(of) }
}
