/** What a run through a proxy of `deploy/` comes to. @module */
import * as assert from 'uvu/assert'
import { tellAtEnd } from '../../suite.ts'
import { CLIENTS, type Played } from './play.ts'
import type { ProxyName } from './proxies.ts'

/** The most failures that an error shows. */
const MOST_SHOWN = 20

/** Of a call, in words. */
const hasBody = (call: string): boolean => call.startsWith('POST')

/** Holds that at most 1 call in 1,000 failed. Caddy sends a body once, so its client repeats a POST that was on its way when the node failed: at most one of each client. */
export function assertFewFailed(proxy: ProxyName, played: readonly Played[]): void {
  for (const { fault, calls, failures, lost } of played)
    tellAtEnd(
      `${proxy}, a node ${fault}: ${calls} calls, ${failures.length} failed (${failures.filter(hasBody).length} of them POST), ${lost.length} failed again when repeated`,
    )
  const failures = played.flatMap(each => each.failures)
  const calls = played.reduce((sum, each) => sum + each.calls, 0)
  const toSave = proxy === 'nginx' ? failures : failures.filter(call => !hasBody(call))
  const shown = failures.slice(0, MOST_SHOWN).join('\n')
  assert.ok(toSave.length * 1_000 <= calls, `${toSave.length} of ${calls} calls failed:\n${shown}`)
  assert.equal(
    played.flatMap(each => each.lost),
    [],
  )
  for (const { fault, failures, rounds } of played)
    assert.ok(
      failures.length <= CLIENTS * rounds,
      `a node ${fault}: more than one call of each client failed:\n${shown}`,
    )
}
