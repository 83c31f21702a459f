/** `npm run mutants`: changes the program in one place at a time, and checks that a test then fails. Prints the score of each chart and of each folder, and every mutant
 *  that survived.
 *
 *  * `--chart session` and `--folder http/app` choose a part, `--name TEXT` mutants whose names contain it.
 *  * `--count N` limits their number. `--seed N` chooses them, and the new targets of transitions.
 *  * `--resume` continues an interrupted run.
 *  * `--processes N` is the number of concurrent processes.
 *  * `--max-sec N` limits the time that the tests near one mutant take without it.
 *  * `--survivors` repeats the survivors of the last run.
 *  * `--unlisted` leaves out the mutants that equal/ lists, which take the longest.
 *  * `--list` only prints the mutants.
 *  * `--write` stores the best tests of each file in killers.json, to be tried first. @module */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { runProgram, WrongOptionError, wholeNumber } from '../program.ts'
import { PROJECT } from '../project.ts'
import { allMutants } from './all-mutants.ts'
import { baselineOf, sourceOf } from './baseline.ts'
import { chosenMutants } from './choice.ts'
import { linesWithoutMutant } from './equal.ts'
import { KILLERS, Killers, readKillers } from './known-killers.ts'
import { nearTests } from './near.ts'
import { scoreLines } from './score.ts'
import { type Tried, tryMutants } from './try-mutants.ts'

const RESULTS = join(PROJECT, 'dist.mutants/results.jsonl')
/** Keeps the results of the previous run, in case a new run is started by mistake. */
const RESULTS_BEFORE = join(PROJECT, 'dist.mutants/results-before.jsonl')

function optionsGiven() {
  const { values } = parseArgs({
    options: {
      chart: { type: 'string' },
      folder: { type: 'string' },
      name: { type: 'string' },
      seed: { type: 'string', default: '1' },
      count: { type: 'string' },
      processes: { type: 'string', default: '2' },
      'max-sec': { type: 'string', default: '60' },
      resume: { type: 'boolean', default: false },
      survivors: { type: 'boolean', default: false },
      unlisted: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  })
  return {
    ...values,
    seed: wholeNumber('--seed', values.seed, 0),
    count: values.count === undefined ? undefined : wholeNumber('--count', values.count, 1),
    processes: wholeNumber('--processes', values.processes, 1),
    maxMs: wholeNumber('--max-sec', values['max-sec'], 1) * 1_000,
  }
}

/** A line for each tried mutant. If a mutant has several lines, the last one counts. */
function lastResults(): Map<string, Tried> {
  if (!existsSync(RESULTS)) return new Map()
  const lines = readFileSync(RESULTS, 'utf8').split('\n').filter(Boolean)
  return new Map(lines.map(line => JSON.parse(line) as Tried).map(tried => [tried.name, tried])) // this program wrote the line
}

async function run(): Promise<void> {
  const { processes, maxMs, ...values } = optionsGiven()
  const before = lastResults()
  const all = allMutants(values.seed)
  const mutants = chosenMutants(all, before, values)
  if (values.list)
    return console.log(mutants.map(({ name, line }) => `${name} (line ${line ?? '-'})`).join('\n'))
  mkdirSync(dirname(RESULTS), { recursive: true })
  const results = new Map(values.resume || values.survivors ? before : [])
  if (values.survivors && mutants.length === 0)
    throw new WrongOptionError('--survivors: expected an earlier run with a surviving mutant, got none')
  if (!values.resume && !values.survivors && existsSync(RESULTS)) renameSync(RESULTS, RESULTS_BEFORE)
  const todo = values.survivors ? mutants : mutants.filter(({ name }) => !results.has(name))
  console.log(`${mutants.length} mutants, seed ${values.seed}, ${todo.length} to try`)
  const candidates = nearTests([...new Set(todo.map(({ file }) => sourceOf(file)))])
  const baseline =
    todo.length === 0 ? null : await baselineOf(all, candidates, processes, line => console.log(line))
  const killers = new Killers(readKillers())
  for (const { name, file } of all) killers.noteFailure(file, results.get(name)?.killedBy ?? null)
  let number = 0
  await tryMutants(todo, {
    candidates,
    baseline,
    killers,
    processes,
    maxMs,
    note(mutant, tried) {
      results.set(mutant.name, tried)
      appendFileSync(RESULTS, `${JSON.stringify(tried)}\n`)
      number += 1
      const outcome = tried.killedBy === null ? 'SURVIVED' : `killed by ${tried.killedBy}`
      console.log(`${number}/${todo.length} ${mutant.name} (line ${mutant.line ?? '-'}): ${outcome}`)
    },
  })
  if (values.write) writeFileSync(KILLERS, `${JSON.stringify(killers.listed(), null, 2)}\n`)
  const { lines, isGood } = scoreLines(mutants, results)
  const stale = linesWithoutMutant(all.map(({ name }) => name)).map(line => `equal/: ${line} fits no mutant`)
  for (const line of [...stale, ...lines]) console.log(line)
  process.exitCode = isGood && stale.length === 0 ? 0 : 1
}

await runProgram('mutants', run)
