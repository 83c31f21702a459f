/** `npm run cluster -- --store postgres --minutes 30 --seed 1`: a long run of the cluster. Ends with 1 if the checker finds anything; the history stays in `--history FILE`.
 *  @module */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { killFacts } from '../kill-facts.ts'
import { runCluster } from './run-cluster.ts'
import { CLUSTER_STORES, type StoreName } from './stores.ts'

const MINUTE_MS = 60_000
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: `${randomInt(2 ** 31)}` },
    clients: { type: 'string', default: '50' },
    history: { type: 'string' },
  },
})

function isStore(name: string): name is StoreName {
  return name in CLUSTER_STORES
}

const { store } = values
if (!isStore(store))
  throw new Error(`--store: expected one of ${Object.keys(CLUSTER_STORES).join(', ')}, got "${store}"`)
const [seed, clients, lastsMs] = [values.seed, values.clients, values.minutes].map(Number)
console.log(`store ${store}, ${values.minutes} minutes, ${clients} clients, seed ${seed}`)
const facts = await killFacts()
try {
  const { violations, counts } = await runCluster({
    ...{ facts, store, seed: seed ?? 0, clients: clients ?? 0, lastsMs: (lastsMs ?? 0) * MINUTE_MS },
    file: values.history,
  })
  for (const [what, count] of Object.entries(counts)) console.log(`${what}: ${count}`)
  for (const violation of violations) console.log(violation)
  process.exitCode = violations.length === 0 ? 0 : 1
} finally {
  await facts.end()
}
