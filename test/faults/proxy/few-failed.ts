/** Limits the calls that may fail at the client while a node fails behind a proxy of `deploy/`. @module */
import * as assert from 'uvu/assert'
import { tellAtEnd } from '../../suite.ts'
import { CLIENTS, type Played, type PlayOptions, play } from './play.ts'
import type { ProxyName } from './proxies.ts'

/** Maximum number of failures in one message. */
const MOST_SHOWN = 20
/** Maximum plays of one fault. A machine that stalls for seconds makes both nodes answer 503, and their clients fail. A faulty proxy loses calls in each play. */
const MOST_PLAYS = 3

/** Plays each fault. A fault that broke a rule is played again.
 *  @throws if a fault breaks a rule in all of its plays */
export async function assertFewFail({ faults, ...options }: PlayOptions): Promise<void> {
  let left = faults
  let broken: readonly string[] = []
  for (let plays = 0; plays < MOST_PLAYS && left.length > 0; plays++) {
    const played = await play({ ...options, faults: left })
    for (const each of played) tellAtEnd(counts(options.proxy, each))
    const failed = played.filter(each => brokenRules(options.proxy, each) !== '')
    left = failed.map(({ fault }) => fault)
    broken = failed.map(each => brokenRules(options.proxy, each))
  }
  assert.is(broken.join('\n'), '')
}

/** At most 1 call in 1,000 may fail. Caddy sends a body only once. Each client may therefore lose one POST in each round, which it then repeats.
 *  @returns empty if the fault kept the rules; else the broken rules, with the failed calls */
function brokenRules(proxy: ProxyName, played: Played): string {
  const { calls, failures, lost, rounds } = played
  const counted = proxy === 'nginx' ? failures : failures.filter(call => !hasBody(call))
  const broken = [
    counted.length * 1_000 > calls && 'expected at most 1 failed call in 1,000',
    lost.length > 0 && 'expected a repeat that succeeds',
    failures.length > CLIENTS * rounds && 'expected at most one failed call of each client in each round',
  ].filter(rule => rule !== false)
  if (broken.length === 0) return ''
  return `${broken.join(', ')}, got ${counts(proxy, played)}:\n${failures.slice(0, MOST_SHOWN).join('\n')}`
}

function counts(proxy: ProxyName, { fault, calls, failures, lost }: Played): string {
  const posts = failures.filter(hasBody).length
  return `${proxy}, a node ${fault}: ${calls} calls, ${failures.length} failed (${posts} of them POST), ${lost.length} failed again when repeated`
}

/** @param call in words */
const hasBody = (call: string): boolean => call.startsWith('POST')
