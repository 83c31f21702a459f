import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type FirstFailure, OF_HEALTHY, runTests } from '../mutants/run-tests.ts'
import { Workshop } from '../mutants/workshop.ts'
import { hasPostgres } from '../postgres.ts'
import { isMissing, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { FAULTS, FINDERS, type FinderName, type SeededFault } from './faults.ts'
import { staleTexts } from './stale-texts.ts'

/** `FINDERS=all node dist/test/seeded-faults/seeded-faults.test.js` runs every test that finds a fault, not only the first one of each. */
const { FINDERS: WANTED = 'first' } = process.env
/** Some faults make a test wait for an event that never happens. */
const PATIENCE_SEC = '60'

/** The cluster of real processes needs much time, and PostgreSQL: it runs only on demand. */
const hasCluster =
  WANTED === 'all' && Boolean(process.env.CLUSTER_SECONDS) && !isMissing('PostgreSQL', hasPostgres)

const Seeded = suite('seeded faults')

let workshop: Workshop
Seeded.before(() => {
  workshop = new Workshop(true)
})
Seeded.after(() => workshop[Symbol.dispose]())

/** Puts the fault into the copy of the server.
 *  @returns a function that removes it */
function seed({ title: name, file, right, wrong }: SeededFault): () => void {
  const parts = readFileSync(join(workshop.folder, file), 'utf8').split(right)
  assert.is(
    parts.length,
    2,
    `${file}: expected the text that the fault changes once, got it ${parts.length - 1} times`,
  )
  const start = parts[0]?.length ?? 0
  const edits = [{ start, end: start + right.length, text: wrong }]
  const mutant = { name, file, edits, group: '', line: null, site: null }
  workshop.put(mutant)
  return () => workshop.restore(mutant)
}

function firstFailure(finder: FinderName, changes: Record<string, string> = {}): Promise<FirstFailure> {
  const { file, env } = FINDERS[finder]
  return runTests(workshop.folder, [file], { ...env, ...changes }, OF_HEALTHY)
}

function findersOf({ foundBy, alsoBy }: SeededFault): readonly FinderName[] {
  const finders = WANTED === 'all' ? [foundBy, ...alsoBy] : [foundBy]
  return finders.filter(finder => finder !== 'cluster' || hasCluster)
}

function sourceOf(file: string): string {
  return file.replace(/\.js$/, '.ts')
}

for (const fault of FAULTS) {
  const test = findersOf(fault).length > 0 ? Seeded : Seeded.skip
  test(`${fault.title} is found`, async () => {
    const takeOut = seed(fault)
    try {
      for (const finder of findersOf(fault)) {
        const { file, test } = FINDERS[finder]
        const found = (await firstFailure(finder, { PATIENCE_SEC })) ?? `${file} finds nothing`
        if (test !== null) assert.is(found, `${file}: ${test}`)
        else assert.match(found, `${file}: `)
        if (WANTED === 'all') console.log(`${fault.title}: ${found}`)
      }
    } finally {
      takeOut()
    }
  })
}

Seeded('the text that each fault changes occurs once', () => {
  assert.equal(staleTexts(FAULTS), [])
})

Seeded('without a fault nothing is found', async () => {
  // a few scripts show that the copy runs; other tests play many random ones
  for (const finder of new Set(FAULTS.flatMap(findersOf)))
    assert.is(await firstFailure(finder, { SCRIPTS: '20' }), null, finder)
})

Seeded('docs/seeded-faults.md names the tests that find each fault', () => {
  const [, ...chapters] = readFileSync(join(PROJECT, 'docs/seeded-faults.md'), 'utf8').split('\n## ')
  for (const { title, foundBy, alsoBy } of FAULTS) {
    const chapter = chapters.find(text => text.startsWith(`${title}\n`)) ?? ''
    for (const finder of [foundBy, ...alsoBy])
      assert.ok(chapter.includes(`\`test/${sourceOf(FINDERS[finder].file)}\``), `${title}: ${finder}`)
  }
  assert.is(chapters.length, FAULTS.length)
})

Seeded.run()
