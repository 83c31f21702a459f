/** Checks if a domain accepts mail (spec/keyshare-server#13.2): by its MX records, or without any by its own addresses. If a name server
 *  answers that the domain does not exist, this answer is believed. Without an answer the state is unknown. @module */
import { Resolver } from 'node:dns/promises'
import type { Clock } from './clock.ts'
import { timeLimit } from './limit.ts'

/** `unknown`: no name server gave a usable answer. */
export type DomainState = 'takes mail' | 'takes none' | 'unknown'

export type DomainCheck = (domain: string) => Promise<DomainState>

/** The DNS queries, as `Resolver` of Node provides them. */
export type Dns = {
  resolveMx(name: string): Promise<readonly { readonly exchange: string; readonly priority: number }[]>
  resolve4(name: string): Promise<readonly string[]>
  resolve6(name: string): Promise<readonly string[]>
}

/** The maximum time for all queries about one domain; it is shorter than the time limit of an HTTP request. */
const CHECK_MS = 3_000
/** The maximum number of domains that are checked at once. The state of further ones is unknown. */
const MAX_AT_ONCE = 50
/** The maximum number of mail hosts of a domain whose addresses are queried. */
const MAX_HOSTS = 5
/** Codes of the answers "no such name" and "no such records for this name". */
const NO_NAME = 'ENOTFOUND'
/** The code for a name that DNS cannot hold: repeating the query is useless. */
const BAD_NAME = 'EBADNAME'
const NO_DATA = 'ENODATA'

/** Calls about one domain share its queries. A domain counts until its last query has ended, also when the time has elapsed. */
export function domainCheck(clock: Clock, dns: Dns = systemDns()): DomainCheck {
  const running = new Map<string, Promise<DomainState>>()
  const begin = (domain: string): Promise<DomainState> => {
    const checked = check(domain, dns).finally(() => running.delete(domain))
    running.set(domain, checked)
    return checked
  }
  return async domain => {
    const checked = running.get(domain) ?? (running.size < MAX_AT_ONCE ? begin(domain) : null)
    if (checked === null) return 'unknown'
    using limit = timeLimit(clock, CHECK_MS)
    const late = new Promise<DomainState>(resolve =>
      limit.signal.addEventListener('abort', () => resolve('unknown')),
    )
    return await Promise.race([checked, late])
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
  // an empty name means that the domain accepts no mail
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
    return code === NO_NAME || code === BAD_NAME ? 'no such name' : 'unknown'
  }
}
