/** A copy of the program, the change of a mutant in it, and the outcome of a test run in it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { chartMutants } from './chart-mutants.ts'
import { type Limits, OF_HEALTHY, runTests } from './run-tests.ts'
import { DIST, Workshop } from './workshop.ts'

const Workshops = suite('workshop of mutants')

const FAKE = 'mutants/fake.test.js'

Workshops(
  'the server has the changed chart, tests have the true one, and the program stays unchanged',
  async () => {
    using workshop = new Workshop(true)
    const before = readFileSync(join(DIST, 'machines/delivery.js'), 'utf8')
    const name = 'delivery: sending receiver.accepted: dropped'
    const mutant = chartMutants(DIST, 'delivery', 1).find(each => each.name === name)
    assert.ok(mutant, name)
    workshop.put(mutant)
    const file = join(workshop.folder, 'actors/kinds/delivery.js')
    const { deliveryKind } = await import(pathToFileURL(file).href)
    const { deliveryChart } = await import(pathToFileURL(join(workshop.folder, 'machines/delivery.js')).href)
    const takes = (chart: typeof deliveryChart): boolean =>
      chart.config.states.sending.on['receiver.accepted']?.length !== 0
    assert.equal([takes(deliveryKind.chart), takes(deliveryChart)], [false, true])
    workshop.restore(mutant)
    assert.is(readFileSync(join(workshop.folder, mutant.file), 'utf8'), before)
    assert.is(readFileSync(join(DIST, 'machines/delivery.js'), 'utf8'), before)
  },
)

Workshops('nothing is left of a copy', () => {
  let folder = ''
  {
    using workshop = new Workshop(false)
    folder = workshop.folder
    assert.ok(existsSync(join(folder, 'cli/main.js')))
  }
  assert.not(existsSync(folder))
})

/** The outcome of a run of one test file with these lines as tests. */
async function outcome(lines: readonly string[], limits: Partial<Limits> = {}) {
  using workshop = new Workshop(false)
  const head = ["import { suite } from '../suite.js'", "const Fake = suite('fake')"]
  workshop.replace(`test/${FAKE}`, [...head, ...lines, 'Fake.run()'].join('\n'))
  return await runTests(workshop.folder, [FAKE], {}, { ...OF_HEALTHY, ...limits })
}

Workshops('a run returns the first test that fails, and null if all tests pass', async () => {
  const [good, bad] = ["Fake('one', () => {})", "Fake('two', () => { throw new Error() })"]
  assert.is(await outcome([good]), null)
  assert.is(await outcome([good, bad]), `${FAKE}: two`)
})

Workshops('a failure outside of tests is a failure, too', async () => {
  assert.is(await outcome(['throw new Error()']), `${FAKE} is loaded`)
  assert.is(
    await outcome(['Fake.before(() => { throw new Error() })', "Fake('one', () => {})"]),
    `${FAKE}: the before hook throws`,
  )
  assert.is(await outcome(["suite('two')('one', () => {})"]), `${FAKE}: one`)
  assert.is(await outcome(["Fake('one', () => { process.exit(0) })"]), 'the process ended before its tests')
})

Workshops('a server that a test starts as another user can open the temporary folder', async () => {
  const mode = "(await import('node:fs')).statSync((await import('node:os')).tmpdir()).mode"
  const lines = [`const mode = ${mode}`, "Fake('one', () => { if ((mode & 0o001) === 0) throw new Error() })"]
  assert.is(await outcome(lines), null)
})

Workshops('a test that never ends, and a process that does not, are failures', async () => {
  const stalls = { stallsMs: [500] }
  assert.is(await outcome(["Fake('one', () => { for (;;); })"], stalls), 'no test ended for a while')
  const left = await outcome(["Fake('one', () => { setInterval(() => {}, 1000) })"], { endMs: 500 })
  assert.is(left, 'the process did not end after its tests')
})

Workshops.run()
