/** Compares the ratios of the benchmarks with those in `tools/bench/expected.json`. Fails if one is worse by more than the margin. @module */
import { benchesToCompare, compareWith, readExpected } from './guard/expected.ts'
import { runAll } from './guard/figures.ts'
import { nodeMajor } from './guard/node-major.ts'

/** With --json it prints one line per ratio. */
export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const expected = readExpected()
  const node = nodeMajor()
  const compared = compareWith(expected, await runAll(benchesToCompare(expected, node)), node)
  if (compared.length === 0)
    throw new Error(
      `tools/bench/expected.json: expected ratios for Node ${node}, got none: measure and add them`,
    )
  if (json) for (const each of compared) console.log(JSON.stringify(each))
  else console.table(compared)
  if (compared.some(({ ok }) => !ok)) process.exitCode = 1
}
