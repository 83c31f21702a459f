import { randomInt } from 'node:crypto'
import { suite } from '../../../suite.ts'
import { killFacts } from '../../kill-facts.ts'
import { randomKills } from './random.ts'

const Random = suite('kill -9 at random moments: one answer, or a refusal; no next session without the first')
const facts = await killFacts()
Random.after(facts.end)

for (const [profile, count] of [
  ['svc', 8],
  ['irma', 7],
] as const)
  Random(
    `${profile}: every session ends DONE with one answer, or refused, after ${count} kills`,
    async () => {
      await randomKills({ facts, profile, seed: randomInt(2 ** 31), count })
    },
  )

Random.run()
