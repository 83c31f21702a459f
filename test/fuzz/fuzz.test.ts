/** 20,000 inputs for every parser and every endpoint, after the kept ones. `npm run fuzz` tries more. `FUZZ_SEED` chooses the inputs, and `FUZZ_INPUTS` their number. */
import * as assert from 'uvu/assert'
import { numberGiven, seedGiven } from '../number-given.ts'
import { suite, tellAtEnd } from '../suite.ts'
import { keptInputs } from './corpus.ts'
import { type Finding, fuzz } from './fuzz.ts'
import { fuzzedServers } from './http/all.ts'
import { PARSERS, SUBMISSIONS } from './parsers/all.ts'
import { tryKept } from './try-kept.ts'

const Fuzzing = suite('fuzzing')

const seed = seedGiven('FUZZ_SEED', 1_000_000)
const inputs = numberGiven('FUZZ_INPUTS', 20_000)
/** The percentage of calls over HTTP. A call takes several times as long as a parser. */
const HTTP = 25

/** In the form of a kept input. */
function wordsOf({ target, why, input, number }: Finding): string {
  return `input ${number}: ${JSON.stringify({ target, why, input })}`
}

Fuzzing(`FUZZ_SEED=${seed}: no input shows a fault, and no session, delivery or memory is left`, async () => {
  const servers = await fuzzedServers(HTTP)
  try {
    const groups = [{ ...PARSERS, share: 98 - HTTP }, SUBMISSIONS, servers]
    const targets = groups.flatMap(group => group.targets)
    const kept = await tryKept(targets)
    assert.equal(kept.faults, [])
    assert.is(kept.count, keptInputs().length, 'each kept input has its target')
    const { findings, counts } = await fuzz(groups, { seed, inputs, interval: inputs })
    assert.equal(findings.map(wordsOf), [])
    tellAtEnd(`fuzzing: seed ${seed}, ${inputs} inputs for ${counts.size} targets, ${kept.count} kept inputs`)
  } finally {
    await servers.close()
  }
})

Fuzzing.run()
