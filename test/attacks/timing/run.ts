/** `npm run timing`: measures whether the time of comparisons and powers depends on their secrets, by dudect's method. It ends with 1 if one does, or if the
 *  control is not found: the machine was too busy then, and the other figures mean nothing.
 *
 *  * `--measurements N` is the number for a comparison, 20,000 by default. Powers get a fifth.
 *  * `--only WORD` measures the cases whose names contain the word, and the control. @module */
import { parseArgs } from 'node:util'
import { runProgram, WrongOptionError, wholeNumber } from '../../program.ts'
import { COMPARISONS } from './comparisons.ts'
import { type Case, LIMIT, type Measured, measuredTwice } from './measure.ts'
import { powersOfSecrets } from './powers.ts'

/** The last words of a line, and whether the run fails. */
function verdictOf({ kind }: Case, { t }: Measured): readonly [words: string, fails: boolean] {
  const isFound = Math.abs(t) >= LIMIT
  if (kind === 'public') return [isFound ? 'depends, and may' : 'no difference', false]
  if (kind === 'control') return isFound ? ['found, as it must be', false] : ['NOT FOUND', true]
  return isFound ? ['DEPENDS ON THE SECRET', true] : ['no difference', false]
}

await runProgram('timing', async () => {
  const { values } = parseArgs({
    options: { measurements: { type: 'string', default: '20000' }, only: { type: 'string', default: '' } },
  })
  const measurements = wholeNumber('--measurements', values.measurements, 1)
  const cases = [...COMPARISONS, ...powersOfSecrets()].filter(
    ({ name, kind }) => kind === 'control' || name.includes(values.only),
  )
  if (!cases.some(({ name, kind }) => kind !== 'control' || name.includes(values.only)))
    throw new WrongOptionError(`--only: expected a part of the name of a case, got "${values.only}"`)
  let failed = 0
  for (const each of cases) {
    const measured = measuredTwice(each, measurements)
    const [words, fails] = verdictOf(each, measured)
    if (fails) failed += 1
    const { t, share, measurements: count } = measured
    console.log(
      `${each.name.padEnd(52)} ${String(count).padStart(6)} times  t ${t.toFixed(1).padStart(7)}  below ${(100 * share).toFixed(0).padStart(3)} %  ${words}`,
    )
  }
  console.log(`${cases.length} cases, ${failed} failed; |t| from ${LIMIT} on shows a difference`)
  process.exitCode = failed > 0 ? 1 : 0
})
