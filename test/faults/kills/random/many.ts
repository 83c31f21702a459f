/** `node dist/test/faults/kills/random/many.js [kills] [seed]`: kills the server that often at random moments, in both profiles, and prints the counts. Exits with 1 on
 *  the first broken law. @module */
import { randomInt } from 'node:crypto'
import { PROFILES } from '../../../../protocol/profiles.ts'
import { killFacts } from '../../kill-facts.ts'
import { randomKills } from './random.ts'

const [kills = '100', seed = `${randomInt(2 ** 31)}`] = process.argv.slice(2)
const profiles = Object.values(PROFILES)
console.log(`${kills} kills, seed ${seed}`)
const facts = await killFacts()
try {
  for (const { name } of profiles) {
    const count = Math.ceil(Number(kills) / profiles.length)
    const tally = await randomKills({ facts, profile: name, count, seed: Number(seed) })
    console.log(`${name}: ${[...tally].map(([what, times]) => `${what} ${times}`).join(', ')}`)
  }
} finally {
  await facts.end()
}
