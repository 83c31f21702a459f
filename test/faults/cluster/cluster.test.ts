/** Several nodes on one store, as processes that are killed, paused and cut off from it, while clients play sessions and logins: the checker finds nothing wrong in the
 *  history. It takes a minute for each store, and is skipped unless `CLUSTER_SECONDS` gives the duration of the faults. For a longer run: `npm run cluster`. @module */
import * as assert from 'uvu/assert'
import { numberGiven, seedGiven } from '../../number-given.ts'
import { isMissing } from '../../project.ts'
import { suite, tellAtEnd } from '../../suite.ts'
import { killFacts } from '../kill-facts.ts'
import { runCluster } from './run-cluster.ts'
import { CLUSTER_STORES, type StoreName } from './stores.ts'

const SECONDS = numberGiven('CLUSTER_SECONDS', 0, 0)
const SEED = seedGiven('SEED', 2 ** 31)
/** The stores to test; all by default. */
const { STORES = Object.keys(CLUSTER_STORES).join() } = process.env
const CLIENTS = 50
const LEAST_SESSIONS = 20

const Cluster = suite('a cluster of real processes')

for (const name of Object.keys(CLUSTER_STORES) as readonly StoreName[]) {
  if (!STORES.split(',').includes(name)) continue
  const { needs, isThere, nodes } = CLUSTER_STORES[name]
  const isLeftOut = SECONDS === 0 || isMissing(needs, isThere)
  const test = isLeftOut ? Cluster.skip : Cluster
  test(`${name}, ${nodes === 1 ? 'one node' : `${nodes} nodes`}: no law is broken while nodes are killed, paused and cut off`, async () => {
    const facts = await killFacts()
    try {
      const run = { facts, store: name, seed: SEED, lastsMs: SECONDS * 1_000, clients: CLIENTS }
      const { violations, counts } = await runCluster(run)
      const told = Object.entries(counts).map(([what, count]) => `${what} ${count}`)
      tellAtEnd(`cluster on ${name}, seed ${SEED}: ${told.join(', ')}`)
      assert.equal(violations, [])
      assert.ok((counts.sessions ?? 0) >= LEAST_SESSIONS, `expected sessions, got ${counts.sessions}`)
    } finally {
      await facts.end()
    }
  })
}

Cluster.run()
