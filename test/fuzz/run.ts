/** `npm run fuzz`: tries inputs at every parser and every endpoint, and keeps those that show a fault in `test/attacks/corpus/`. It ends with 1 when one did.
 *
 *  * `--inputs N` is the number of inputs, 100,000 by default.
 *  * `--seed N` chooses them; left out: a random seed, which is printed.
 *  * `--only WORD` tries the targets whose names contain the word.
 *  * `--http SHARE` is the percentage of calls over HTTP, 40 by default. @module */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runProgram, WrongOptionError, wholeNumber } from '../program.ts'
import { keep } from './corpus.ts'
import { fuzz, type Group } from './fuzz.ts'
import { fuzzedServers } from './http/all.ts'
import { PARSERS, SUBMISSIONS } from './parsers/all.ts'
import { tryKept } from './try-kept.ts'
import { UsualTime } from './usual-time.ts'

const INTERVAL = 20_000

await runProgram('fuzz', async () => {
  const { values } = parseArgs({
    options: {
      inputs: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
      only: { type: 'string', default: '' },
      http: { type: 'string', default: '40' },
    },
  })
  const inputs = wholeNumber('--inputs', values.inputs, 1)
  const seed = wholeNumber('--seed', values.seed, 0)
  const servers = await fuzzedServers(wholeNumber('--http', values.http, 0))
  try {
    const groups = chosenOf([{ ...PARSERS, share: 98 - servers.share }, SUBMISSIONS, servers], values.only)
    console.log(`seed ${seed}, ${inputs} inputs, ${groups.flatMap(({ targets }) => targets).length} targets`)
    const kept = await tryKept(groups.flatMap(({ targets }) => targets))
    for (const { file, fault } of kept.faults) console.log(`FOUND    ${file}: ${fault}`)
    const startedAt = performance.now()
    const { findings, counts } = await fuzz(groups, {
      seed,
      inputs,
      interval: Math.min(INTERVAL, Math.ceil(inputs / 2)),
      usual: new UsualTime(),
      onFinding: ({ target, why, input, number }) =>
        console.log(`FOUND    input ${number}: ${target}: ${why}, kept in ${keep({ target, why, input })}`),
      onInterval: done =>
        console.log(
          `${done} inputs, ${Math.round((performance.now() - startedAt) / 1_000)} s, heap ${heapOf(servers.heaps)} MiB`,
        ),
    })
    for (const [name, count] of [...counts].sort()) console.log(`${String(count).padStart(8)} ${name}`)
    console.log(
      `seed ${seed}: ${inputs} inputs and ${kept.count} kept ones, ${findings.length + kept.faults.length} findings`,
    )
    process.exitCode = findings.length + kept.faults.length > 0 ? 1 : 0
  } finally {
    await servers.close()
  }
})

function heapOf(heaps: readonly number[]): number {
  return Math.round((heaps.at(-1) ?? 0) / 2 ** 20)
}

function chosenOf(groups: readonly Group[], word: string): readonly Group[] {
  const chosen = groups
    .map(group => ({ ...group, targets: group.targets.filter(({ name }) => name.includes(word)) }))
    .filter(({ targets }) => targets.length > 0)
  if (chosen.length === 0)
    throw new WrongOptionError(`--only: expected a part of the name of a target, got "${word}"`)
  return chosen
}
