/** Two nodes behind nginx or Caddy with the files of `deploy/`, unchanged. While a node is stopped, killed, frozen or cut off from its store, at most 1 call in 1,000 fails
 *  at the
 *  client. For a longer run with the counts: `ROUNDS=2 CALLS=2000 node dist/test/faults/proxy/faults.test.js` after a build. @module */
import { hasTool } from '../../deploy/tools.ts'
import { numberGiven } from '../../number-given.ts'
import { hasPostgres } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { assertFewFail } from './few-failed.ts'
import { FAULTS } from './service.ts'

const ROUNDS = numberGiven('ROUNDS', 1)
const LASTS_MS = numberGiven('LASTS_MS', 7_000)
const CALLS = numberGiven('CALLS', 400)
const faults = Object.keys(FAULTS)

const Proxied = suite('a node that fails behind a proxy of deploy/')

for (const proxy of ['nginx', 'caddy'] as const) {
  const missing = [isMissing('PostgreSQL', hasPostgres), isMissing(proxy, hasTool(proxy))]
  const test = missing.includes(true) ? Proxied.skip : Proxied
  test(`${proxy}: at most 1 call in 1,000 fails at the client during each fault`, () =>
    assertFewFail({ proxy, rounds: ROUNDS, lastsMs: LASTS_MS, calls: CALLS, faults }))
}

Proxied.run()
