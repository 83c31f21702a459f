/** `npm run simulate -- --seed 7 --seeds 1000 --sessions 60`: plays that many seeds, starting with the given one. It exits with 1 at the first broken law, and prints a
 *  script that is shortened as far as possible. @module */
import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runProgram, wholeNumber } from '../program.ts'
import { planOf } from './plan.ts'
import { reportOf } from './report.ts'
import { simulate } from './simulate.ts'

await runProgram('simulate', async () => {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '1' },
      sessions: { type: 'string', default: '60' },
      /** users of the keyshare server */
      accounts: { type: 'string', default: '0' },
      /** prints the failing script without shortening it */
      'no-shrink': { type: 'boolean', default: false },
    },
  })
  const [first, seeds] = [wholeNumber('--seed', values.seed, 0), wholeNumber('--seeds', values.seeds, 1)]
  const [sessions, accounts] = [
    wholeNumber('--sessions', values.sessions, 0),
    wholeNumber('--accounts', values.accounts, 0),
  ]

  const total = new Map<string, number>()
  const before = process.cpuUsage()
  let events = 0
  for (let seed = first; seed < first + seeds; seed++) {
    const plan = planOf(seed, sessions, accounts)
    const simulated = await simulate(plan)
    events += simulated.events
    for (const [what, count] of Object.entries(simulated.counts))
      total.set(what, (total.get(what) ?? 0) + count)
    if (seeds === 1)
      console.log(`history ${createHash('sha256').update(JSON.stringify(simulated.history)).digest('hex')}`)
    if (simulated.violations.length === 0) continue
    console.log(`seed ${seed}: ${await reportOf(plan, !values['no-shrink'])}`)
    process.exitCode = 1
    break
  }
  const { user, system } = process.cpuUsage(before)
  const perMinute = ((total.get('sessions') ?? 0) * 60_000_000) / (user + system)
  console.log(Object.fromEntries([...total, ['steps', events]]))
  console.log(`${Math.round(perMinute)} sessions a minute of CPU time`)
})
