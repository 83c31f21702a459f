/** Runs one benchmark: `node dist/tools/bench/run.js NAME [--json]`, where bench/NAME.ts exports `run`. With --json it prints one line. @module */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'

export type Benchmark = { readonly run: (options: { readonly json: boolean }) => Promise<void> }

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
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
await benchmark.run(values)
