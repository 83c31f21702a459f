/** A sample of mutants, chosen by a seed: the tests near each mutant find it, or it is listed as equal. `npm run mutants` tries all mutants. */
import * as assert from 'uvu/assert'
import { numberGiven } from '../number-given.ts'
import { suite } from '../suite.ts'
import { allMutants } from './all-mutants.ts'
import { sourceOf } from './baseline.ts'
import { EQUAL, equalLine, linesWithoutMutant } from './equal.ts'
import { Killers, readKillers } from './known-killers.ts'
import { nearTests } from './near.ts'
import { shuffledBySeed } from './seed.ts'
import { tryMutants } from './try-mutants.ts'

const Sample = suite('sample of mutants')

const SEED = numberGiven('MUTANTS_SEED', 1, 0)
const COUNT = 20

const all = allMutants(SEED)
const killers = readKillers()

Sample(`${COUNT} mutants, chosen by seed, are found by tests near them`, async () => {
  const findable = all.filter(({ name, file }) => sourceOf(file) in killers && equalLine(name) === null)
  const sample = shuffledBySeed(findable, ({ name }) => name, SEED).slice(0, COUNT)
  const survivors: string[] = []
  await tryMutants(sample, {
    candidates: nearTests(),
    baseline: null,
    killers: new Killers(killers),
    processes: 2,
    maxMs: Number.POSITIVE_INFINITY,
    note: ({ name }, { killedBy }) => void (killedBy === null && survivors.push(name)),
  })
  console.log(`${COUNT} of ${all.length} mutants were tried, seed ${SEED}: ${COUNT - survivors.length} found`)
  assert.equal(survivors, [], 'survivors; npm run mutants -- --name NAME prints details')
})

Sample('every line of the list of equal mutants fits one', () => {
  assert.equal(linesWithoutMutant(all.map(({ name }) => name)), [])
})

Sample('every line of the list of equal mutants has a reason', () => {
  assert.equal(
    EQUAL.filter(({ reason }) => reason.length < 20),
    [],
  )
})

Sample.run()
