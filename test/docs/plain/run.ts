/** `npm run plain -- [PATH ...]`: prints the counts, and the worst sentences of each part with their places. The exit status is 1 if a part exceeds its limit.
 *  @module */
import { PROJECT } from '../../project.ts'
import { countPlainness, LIMITS, PARTS, perThousand } from './plain-english.ts'

/** The number of sentences that are printed for each part. */
const PRINTED = 20

const paths = process.argv.slice(2)
const counts = countPlainness(PROJECT, paths.length > 0 ? paths : undefined)
for (const part of PARTS) {
  const { sentences, findings } = counts[part]
  const per = perThousand(counts[part])
  console.log(
    `${part}: ${findings.length} of ${sentences} sentences, ${per} in 1,000 (limit ${LIMITS[part]})`,
  )
  const worstFirst = findings.toSorted(
    (a, b) => b.rules.length - a.rules.length || b.sentence.length - a.sentence.length,
  )
  for (const { place, rules, sentence } of worstFirst.slice(0, PRINTED))
    console.log(`  ${place} [${rules.join(', ')}] ${sentence}`)
  if (per > LIMITS[part]) process.exitCode = 1
}
