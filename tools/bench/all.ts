/** Every limit of `tools/bench/guard/limits.ts`, with the currently measured value. @module */
import { runAll } from './guard/figures.ts'
import { benchesOf, judge, LIMITS } from './guard/limits.ts'
import { nodeMajor } from './guard/node-major.ts'

/** With --json it prints one line per limit. */
export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const kept = judge(LIMITS, await runAll(benchesOf(LIMITS)), nodeMajor())
  if (json) for (const each of kept) console.log(JSON.stringify(each))
  else console.table(kept)
}
