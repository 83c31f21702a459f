/** Runs one benchmark: `node dist/tools/bench/run.js NAME [--json]`, where bench/NAME.ts exports `run`. With --json it prints one line. The benchmark `production`
 *  also has `--calls N` and `--seconds N`, for a short run. @module */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'

export type BenchmarkOptions = {
  readonly json: boolean
  /** `production`: number of calls that are measured in parts from the first one on; left out: the number of the benchmark */
  readonly calls?: number
  /** `production`: duration of the closed loop and of the open one after these calls; left out: that of the benchmark */
  readonly seconds?: number
}

export type Benchmark = { readonly run: (options: BenchmarkOptions) => Promise<void> }

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    calls: { type: 'string' },
    seconds: { type: 'string' },
  },
  allowPositionals: true,
})
const [name = ''] = positionals
const ending = import.meta.url.slice(-3)
const file = new URL(`./${name}${ending}`, import.meta.url)
if (!/^[a-z][a-z-]*$/.test(name) || name === 'run' || !existsSync(file)) {
  console.error(`benchmark: expected the name of a file in bench, as "proofs", got "${name}"`)
  process.exit(1)
}
const benchmark: Benchmark = await import(file.href)
await benchmark.run({ json: values.json, ...counted('calls'), ...counted('seconds') })

/** @returns the flag as a number; empty: it is left out */
function counted(flag: 'calls' | 'seconds'): Partial<BenchmarkOptions> {
  const text = values[flag]
  if (text === undefined) return {}
  if (/^[1-9][0-9]{0,8}$/.test(text)) return { [flag]: Number(text) }
  console.error(`benchmark: expected a whole number for --${flag}, got "${text}"`)
  process.exit(1)
}
