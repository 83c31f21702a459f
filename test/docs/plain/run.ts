/** `npm run plain -- [PATH ...]`: prints the counts, and the worst sentences of each part with their places. The exit status is 1 if a part exceeds its limit, or if
 *  a path leads to no file. @module */
import { Command } from 'commander'
import { runProgram } from '../../program.ts'
import { PROJECT } from '../../project.ts'
import { type Count, countPlainness, LIMITS, PARTS, type Part, perThousand } from './plain-english.ts'

/** The number of sentences that are printed for each part. */
const PRINTED = 20

const command = new Command('npm run plain --')
  .description(
    'Counts the sentences that a reader may have to read twice. Ends with 1 if a part has too many.',
  )
  .argument('[paths...]', 'files and folders, from the root of the project; default: all')
  .parse()

await runProgram('plain', async () => {
  const counts = countPlainness(PROJECT, command.args.length > 0 ? command.args : undefined)
  for (const part of PARTS) printPart(part, counts[part])
})

function printPart(part: Part, count: Count): void {
  const { sentences, findings } = count
  const per = perThousand(count)
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
