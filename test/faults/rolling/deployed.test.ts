/** Two nodes behind nginx or Caddy with the files of `deploy/`, unchanged. They are restarted one after the other under load, each as soon as the previous one is ready.
 *  For a longer run with the counts:
 *  `ROUNDS=10 node dist/test/faults/rolling/deployed.test.js` after a build. @module */
import { hasTool } from '../../deploy/tools.ts'
import { numberGiven } from '../../number-given.ts'
import { hasPostgres } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { assertFewFail } from '../proxy/few-failed.ts'

const ROUNDS = numberGiven('ROUNDS', 2)
const faults = ['stopped and started again']

const Deployed = suite('a rolling restart behind a proxy of deploy/')

for (const proxy of ['nginx', 'caddy'] as const) {
  const missing = [isMissing('PostgreSQL', hasPostgres), isMissing(proxy, hasTool(proxy))]
  const test = missing.includes(true) ? Deployed.skip : Deployed
  test(`${proxy}: at most 1 call in 1,000 fails while each node is restarted, ${ROUNDS} times`, () =>
    assertFewFail({ proxy, rounds: 2 * ROUNDS, lastsMs: 0, calls: 0, faults }))
}

Deployed.run()
