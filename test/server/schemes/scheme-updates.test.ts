/** Updates of schemes: their times, the accepted versions, and the log lines (spec/schemes-and-cli#11.4). */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { loadSchemes } from '../../../schemes/load.ts'
import type { SchemeContent, Schemes } from '../../../schemes/types.ts'
import { SchemeUpdates } from '../../../server/schemes/scheme-updates.ts'
import type { UpdateListener } from '../../../server/schemes/threads.ts'
import type { UpdateJob, UpdateOutcome } from '../../../server/schemes/update-job.ts'
import { SettingsError } from '../../../server/settings/errors.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { suite } from '../../suite.ts'

const demo = await loadSchemes(DEMO_SCHEMES)
const [content] = demo.contents
if (content === undefined) throw new Error('expected a scheme')
const { folder } = content
const where = { scheme: 'svc-demo', folder }
const EVERY_MS = 60_000 * 60

type Run = UpdateListener & {
  readonly job: UpdateJob
  readonly end: () => Promise<void>
  readonly fail: () => Promise<void>
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await null
}

function started(check: (schemes: Schemes) => void = () => {}, everyMs = EVERY_MS) {
  const clock = createSimulatedClock()
  const runs: Run[] = []
  const logged: string[] = []
  const counted: string[] = []
  const taken: SchemeContent[] = []
  const write = (level: string) => (facts: unknown, text?: unknown) =>
    void logged.push(`${level} ${text} ${JSON.stringify(facts)}`)
  const updates = new SchemeUpdates({
    clock,
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    settings: { path: '/s', privateKeys: null, everyMs, check },
    versions: { now: demo, take: each => void taken.push(each) },
    threads: {
      update: (job, listener) =>
        new Promise((resolve, reject) => {
          const after = (doing: () => void) => (): Promise<void> => {
            doing()
            return settle()
          }
          const fail = after(() => reject(new Error('no thread')))
          runs.push({ ...listener, job, end: after(resolve), fail })
        }),
    },
    figures: {
      checked: scheme => void counted.push(`checked ${scheme}`),
      taken: scheme => void counted.push(`taken ${scheme}`),
      failed: (scheme, cause) => void counted.push(`${cause} ${scheme}`),
    },
  })
  const run = (): Run => {
    const last = runs.at(-1)
    if (last === undefined) throw new Error('expected a run')
    return last
  }
  return { updates, clock, runs, run, logged, counted, taken }
}
const failed = (
  cause: Extract<UpdateOutcome, { type: 'failed' }>['cause'],
  reason: string,
): UpdateOutcome => ({
  ...where,
  type: 'failed' as const,
  cause,
  reason,
})

const Updates = suite('scheme updates of a running server (spec/schemes-and-cli#11.4)')

Updates('a run at the start, and one after each interval; never two at once', async () => {
  const { updates, clock, runs, run } = started()
  void updates.begin()
  assert.equal([runs.length, run().job.mayDownload, run().job.known[0]?.id], [1, true, 'svc-demo'])
  clock.advance(2 * EVERY_MS)
  assert.is(runs.length, 1)
  await run().end()
  clock.advance(EVERY_MS - 1)
  assert.is(runs.length, 1)
  clock.advance(1)
  await settle()
  assert.is(runs.length, 2)
  updates.close()
  await run().end()
  clock.advance(EVERY_MS)
  await settle()
  assert.is(runs.length, 2)
})

Updates('a run that fails is logged, and the next one follows', async () => {
  const { updates, clock, runs, run, logged } = started()
  void updates.begin()
  await run().fail()
  assert.match(logged.join(), /^error schemes could not be brought up to date/)
  clock.advance(EVERY_MS)
  await settle()
  assert.is(runs.length, 2)
  updates.close()
})

Updates('an approved version is used once its thread has installed it, and not before', () => {
  const { updates, run, taken, counted, logged } = started()
  void updates.begin()
  assert.is(run().approve(content), null)
  assert.equal(taken, [])
  run().notify({ ...where, type: 'taken', warnings: [] })
  assert.equal([taken, counted], [[content], ['taken svc-demo', 'checked svc-demo']])
  assert.match(logged.join(), /^info scheme brought up to date/)
  updates.close()
})

Updates('not approved: a version that the settings refuse, and a scheme that another folder has', () => {
  const { updates, run } = started(() => {
    throw new SettingsError('issue_perms: expected another')
  })
  void updates.begin()
  assert.is(run().approve(content), 'the settings do not allow it: issue_perms: expected another')
  assert.match(
    String(run().approve({ ...content, folder: '/s/twin' })),
    /is in another folder too: .*svc-demo$/,
  )
  updates.close()
})

Updates('a stopping server uses no further version', () => {
  const { updates, run, taken } = started()
  void updates.begin()
  run().approve(content)
  updates.close()
  run().notify({ ...where, type: 'taken', warnings: [] })
  assert.equal(taken, [])
})

Updates('a cause is logged once and counted each time, and its end is logged', () => {
  const { updates, run, logged, counted } = started()
  void updates.begin()
  const [older, gone] = [failed('older', 'a'), failed('unreachable', 'b')]
  for (const outcome of [older, older, gone, { ...where, type: 'current' } as const, gone])
    run().notify(outcome)
  assert.equal(
    logged.map(line => line.replace(/[:{].*/, '')),
    [
      'warn a scheme was rolled back at its server',
      'warn scheme could not be brought up to date',
      'info scheme is up to date again ',
      'warn scheme could not be brought up to date',
    ],
  )
  const [first, second] = ['older svc-demo', 'unreachable svc-demo']
  assert.equal(counted, [first, first, second, 'checked svc-demo', second])
  updates.close()
})

Updates('a scheme counts as failing until a run without failure; an unknown folder is not listed', () => {
  const { updates, run } = started()
  void updates.begin()
  const names = (outcome: UpdateOutcome): readonly string[] => {
    run().notify(outcome)
    return updates.failing()
  }
  assert.equal(updates.failing(), [])
  assert.equal(names(failed('unreachable', 'a')), ['svc-demo'])
  assert.equal(names({ ...failed('folder', 'b'), scheme: '', folder: '/s/unknown' }), ['svc-demo'])
  assert.equal(names({ ...where, type: 'current' }), [])
  updates.close()
})

Updates('requests cause one run a minute at most, and wait for it for 1 s at most', async () => {
  const { updates, clock, runs, run } = started(undefined, 0)
  let waited = 0
  const count = (): void => void waited++
  void updates.lookAgain().then(count)
  void updates.lookAgain().then(count)
  assert.equal([runs.length, run().job.mayDownload], [1, false])
  clock.advance(999)
  await settle()
  assert.is(waited, 0)
  clock.advance(1)
  await settle()
  assert.is(waited, 2)
  await run().end()
  clock.advance(58_999)
  await updates.lookAgain()
  assert.is(runs.length, 1)
  clock.advance(1)
  void updates.lookAgain()
  assert.is(runs.length, 2)
})
Updates.run()
