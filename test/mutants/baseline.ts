/** The state of the tests without a mutant: whether each test file passes in a copy, how long it takes, and which of the mutated expressions it
 *  reaches. The results are kept between runs. A test file is run again when it or the program has changed. @module */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { PROJECT } from '../project.ts'
import { SERVER_MACHINES } from './chart-mutants.ts'
import { inTurns } from './in-turns.ts'
import { type Edit, edited, type Mutant } from './mutant.ts'
import { OF_HEALTHY, runTests } from './run-tests.ts'
import { builtFiles, DIST, Workshop } from './workshop.ts'

const KEPT = join(PROJECT, 'dist.mutants/baseline.json')

const tested = z.strictObject({
  hash: z.string(),
  ms: z.number(),
  /** the first failure; null if the file passes */
  failure: z.string().nullable(),
  reached: z.array(z.string()),
})
const kept = z.strictObject({ program: z.string(), tests: z.record(z.string(), tested) })
export type Tested = z.output<typeof tested>
export type Baseline = ReadonlyMap<string, Tested>

/** @param candidates test files, below `test/`
 *  @param note called for each test file that was run */
export async function baselineOf(
  mutants: readonly Mutant[],
  candidates: readonly string[],
  processes: number,
  note: (line: string) => void,
): Promise<Baseline> {
  const program = hashOf(builtFiles().filter(name => !name.startsWith('test/')))
  const known = readKept(program)
  const files = candidates.filter(file => known[file]?.hash !== hashOf([`test/${file}`]))
  if (files.length > 0) {
    using workshop = new Workshop(false)
    for (const [file, places] of placesOf(mutants)) watch(workshop, file, places)
    await inTurns(files, processes, async file => {
      const one = await testOnce(workshop, file)
      known[file] = one
      note(`${file}: ${Math.round(one.ms)} ms${one.failure === null ? '' : `, left out: ${one.failure}`}`)
    })
    mkdirSync(dirname(KEPT), { recursive: true })
    // a failed file may pass the next time, so it is run again
    const passing = Object.entries(known).filter(([, { failure }]) => failure === null)
    writeFileSync(KEPT, JSON.stringify({ program, tests: Object.fromEntries(passing) }))
  }
  return new Map(
    candidates.map(file => [file, known[file] ?? { hash: '', ms: 0, failure: 'not run', reached: [] }]),
  )
}

function readKept(program: string): Record<string, Tested> {
  if (!existsSync(KEPT)) return {}
  const { success, data } = kept.safeParse(JSON.parse(readFileSync(KEPT, 'utf8')))
  return success && data.program === program ? data.tests : {}
}

function hashOf(names: readonly string[]): string {
  const hash = createHash('sha256')
  for (const name of [...names].sort()) hash.update(name).update(readFileSync(join(DIST, name)))
  return hash.digest('hex')
}

async function testOnce(workshop: Workshop, file: string): Promise<Tested> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
  const list = join(folder, 'reached')
  writeFileSync(list, '')
  const begin = performance.now()
  const failure = await runTests(workshop.folder, [file], { MUTANTS_REACHED: list }, OF_HEALTHY)
  const ms = performance.now() - begin
  const reached = [...new Set(readFileSync(list, 'utf8').split('\n').filter(Boolean))]
  rmSync(folder, { recursive: true })
  return { hash: hashOf([`test/${file}`]), ms, failure, reached }
}

type MutantSite = NonNullable<Mutant['site']>

/** The name of a place in the reports of test files. */
export function placeName(file: string, { start, end }: MutantSite): string {
  return `${sourceOf(file)}:${start}-${end}`
}

/** The name of the whole file: a test that loads it reaches it. */
function loadedName(file: string): string {
  return `${sourceOf(file)}:loaded`
}

/** The source of a built file. The charts that the server of a mutant imports are copies of those in `machines/`. */
export function sourceOf(file: string): string {
  return file.replace(SERVER_MACHINES, 'machines')
}

/** The places to watch, by file; a file with only constants has none, and is watched as a whole. */
export function placesOf(mutants: readonly Mutant[]): ReadonlyMap<string, ReadonlyMap<string, MutantSite>> {
  const files = new Map<string, Map<string, MutantSite>>()
  for (const { file, site } of mutants) {
    const places = files.get(sourceOf(file)) ?? new Map<string, MutantSite>()
    files.set(sourceOf(file), site === null ? places : places.set(placeName(file, site), site))
  }
  return files
}

function watch(workshop: Workshop, file: string, places: ReadonlyMap<string, MutantSite>): void {
  workshop.replace(file, watchedText(file, readFileSync(join(DIST, file), 'utf8'), places))
}

/** The text of a built file with added calls: they record that the file is loaded, and each place that a test reaches. */
export function watchedText(file: string, text: string, places: ReadonlyMap<string, MutantSite>): string {
  const up = '../'.repeat(file.split('/').length - 1)
  const from = JSON.stringify(`${up || './'}test/mutants/reached.js`)
  const line = `import { reached as __reached } from ${from}; __reached(${JSON.stringify(loadedName(file))});\n`
  const edits: Edit[] = [...places].flatMap(([name, { start, end }]) => [
    { start, end: start, text: `(__reached(${JSON.stringify(name)}), ` },
    { start: end, end, text: ')' },
  ])
  return line + edited(text, edits)
}
