/** The output of the benchmarks with --json, by name, and its figures, by path. @module */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The output of each benchmark; null: it failed, or does not exist. */
export type BenchmarkOutputs = ReadonlyMap<string, unknown>

const RUN = fileURLToPath(new URL(`../run${import.meta.url.slice(-3)}`, import.meta.url))

/** Runs the benchmarks one after another, each in its own process. */
export async function runAll(names: Iterable<string>): Promise<BenchmarkOutputs> {
  const printed = new Map<string, unknown>()
  for (const name of new Set(names)) printed.set(name, await runOne(name))
  return printed
}

async function runOne(name: string): Promise<unknown> {
  const child = spawn(process.execPath, [RUN, name, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  const [code] = await once(child, 'close')
  return code === 0 ? lastLineOf(text) : null
}

function lastLineOf(text: string): unknown {
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')
}

/** @param figure `<benchmark>.<member>...`, such as `issuance.session.ratio`
 *  @returns null: the benchmark did not print such a number */
export function figureOf(printed: BenchmarkOutputs, figure: string): number | null {
  const [name = '', ...members] = figure.split('.')
  let value = printed.get(name)
  for (const member of members) {
    if (typeof value !== 'object' || value === null) return null
    value = Object.entries(value).find(([key]) => key === member)?.[1]
  }
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** The benchmark that prints a figure. */
export function benchOf(figure: string): string {
  return figure.split('.')[0] ?? ''
}
