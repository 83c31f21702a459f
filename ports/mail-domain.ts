/** Whether mail for a domain can arrive (`spec/keyshare-server.md` 13.2): by its MX records, or without any by its own addresses. A name server that says
 *  that there is no such domain is believed; one that does not answer says nothing. @module */
import { Resolver } from 'node:dns/promises'
import type { Clock } from './clock.ts'
import { timeLimit } from './limit.ts'

/** `unknown`: nobody who could know has answered. */
export type DomainState = 'takes mail' | 'takes none' | 'unknown'

export type DomainCheck = (domain: string) => Promise<DomainState>

/** What is asked of DNS, as `Resolver` of Node has it. */
export type Dns = {
  resolveMx(name: string): Promise<readonly { readonly exchange: string; readonly priority: number }[]>
  resolve4(name: string): Promise<readonly string[]>
  resolve6(name: string): Promise<readonly string[]>
}

/** The longest time for all that is asked about one domain: shorter than a call of HTTP may be handled. */
const CHECK_MS = 3_000
/** The most mail hosts of a domain whose addresses are asked for. */
const MAX_HOSTS = 5
/** The codes by which a name server says that there is no such name, or nothing of that kind under it. */
const NO_NAME = 'ENOTFOUND'
const NO_DATA = 'ENODATA'

export function domainCheck(clock: Clock, dns: Dns = systemDns()): DomainCheck {
  return async domain => {
    using limit = timeLimit(clock, CHECK_MS)
    const late = new Promise<DomainState>(resolve =>
      limit.signal.addEventListener('abort', () => resolve('unknown')),
    )
    return await Promise.race([check(domain, dns), late])
  }
}

function systemDns(): Dns {
  return new Resolver({ timeout: CHECK_MS / 2, tries: 2 })
}

async function check(domain: string, dns: Dns): Promise<DomainState> {
  const hosts = await answerOf(dns.resolveMx(domain))
  if (hosts === 'unknown') return 'unknown'
  if (hosts === 'no such name') return 'takes none'
  if (hosts.length === 0) return hasAddress(domain, dns)
  // an empty name is how a domain says that it takes no mail
  const names = hosts
    .toSorted((a, b) => a.priority - b.priority)
    .flatMap(({ exchange }) => (exchange === '' || exchange === '.' ? [] : [exchange]))
  const states = await Promise.all(names.slice(0, MAX_HOSTS).map(name => hasAddress(name, dns)))
  if (states.includes('takes mail')) return 'takes mail'
  return states.includes('unknown') ? 'unknown' : 'takes none'
}

async function hasAddress(name: string, dns: Dns): Promise<DomainState> {
  const answers = await Promise.all([answerOf(dns.resolve4(name)), answerOf(dns.resolve6(name))])
  if (answers.some(answer => Array.isArray(answer) && answer.length > 0)) return 'takes mail'
  return answers.includes('unknown') ? 'unknown' : 'takes none'
}

async function answerOf<Found>(
  asking: Promise<readonly Found[]>,
): Promise<readonly Found[] | 'no such name' | 'unknown'> {
  try {
    return await asking
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === NO_DATA) return []
    return code === NO_NAME ? 'no such name' : 'unknown'
  }
}
