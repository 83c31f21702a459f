/** `npm run cluster -- --store postgres --minutes 30 --seed 1`: a long run of the cluster. Exits with 1 if the checker finds anything; the history stays in `--history
 *  FILE`.
 *  @module */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runProgram, WrongOptionError, wholeNumber } from '../../program.ts'
import { killFacts } from '../kill-facts.ts'
import { runCluster } from './run-cluster.ts'
import { CLUSTER_STORES, type StoreName } from './stores.ts'

const MINUTE_MS = 60_000
function isStore(name: string): name is StoreName {
  return name in CLUSTER_STORES
}

function optionsGiven() {
  const { values } = parseArgs({
    options: {
      store: { type: 'string', default: 'sqlite' },
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string', default: `${randomInt(2 ** 31)}` },
      clients: { type: 'string', default: '50' },
      history: { type: 'string' },
    },
  })
  const { store } = values
  if (!isStore(store))
    throw new WrongOptionError(
      `--store: expected one of ${Object.keys(CLUSTER_STORES).join(', ')}, got "${store}"`,
    )
  return {
    store,
    file: values.history,
    seed: wholeNumber('--seed', values.seed, 0),
    clients: wholeNumber('--clients', values.clients, 1),
    minutes: wholeNumber('--minutes', values.minutes, 1),
  }
}

async function run(): Promise<void> {
  const { minutes, ...options } = optionsGiven()
  console.log(`store ${options.store}, ${minutes} minutes, ${options.clients} clients, seed ${options.seed}`)
  const facts = await killFacts()
  try {
    const { violations, counts } = await runCluster({ ...options, facts, lastsMs: minutes * MINUTE_MS })
    for (const [what, count] of Object.entries(counts)) console.log(`${what}: ${count}`)
    for (const violation of violations) console.log(violation)
    process.exitCode = violations.length === 0 ? 0 : 1
  } finally {
    await facts.end()
  }
}

await runProgram('cluster', run)
