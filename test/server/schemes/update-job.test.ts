/** One check of all schemes of a folder, with a real web server: accepted versions, refused versions, and the files that are left (spec/schemes-and-cli#11.3, #11.4). */
import { cpSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parseAttributeTypeId } from '../../../protocol/ids.ts'
import { loadSchemes } from '../../../schemes/load.ts'
import { runUpdateJob, type UpdateJob, type UpdateOutcome } from '../../../server/schemes/update-job.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { FIRST_SEC, GROWING, type SchemeSite, schemeSite, type Trick } from '../../schemes/scheme-site.ts'
import { suite } from '../../suite.ts'
import { jobOn } from './job-on.ts'

let site: SchemeSite
const Job = suite('one check of all schemes (spec/schemes-and-cli#11.3, #11.4)')
Job.before(async () => {
  site = await schemeSite()
})
Job.after(() => site.close())
Job.before.each(() => {
  site.play(null)
  site.publish(1)
  site.asked.length = 0
})

/** @param refusal the server's reason to refuse new schemes; null: it accepts them */
async function look(
  path: string,
  refusal: string | null = null,
  job?: UpdateJob,
): Promise<readonly UpdateOutcome[]> {
  const outcomes: UpdateOutcome[] = []
  await runUpdateJob(
    job ?? (await jobOn(path)),
    async () => refusal,
    outcome => void outcomes.push(outcome),
  )
  return outcomes
}

const shortOf = (outcomes: readonly UpdateOutcome[]): unknown =>
  outcomes.map(each =>
    each.type === 'failed' ? [each.scheme, each.cause, each.reason] : [each.scheme, each.type],
  )

async function hasLocker(path: string): Promise<boolean> {
  const schemes = await loadSchemes(path)
  return schemes.attributeType(parseAttributeTypeId(`${GROWING}.locker`)) !== undefined
}

/** True if no temporary folder is left. */
function isTidy(path: string): boolean {
  return readdirSync(path).every(name => !/^\.?(temp|old)scheme/.test(name))
}

Job('a newer version is installed, an equal one is not, and the former version is kept', async () => {
  const path = site.install()
  assert.equal(shortOf(await look(path)), [['svc-demo', 'current']])
  site.publish(2)
  assert.equal(shortOf(await look(path)), [['svc-demo', 'taken']])
  assert.ok(await hasLocker(path))
  assert.equal(readdirSync(path), [`.keptscheme-svc-demo-${FIRST_SEC}`, 'svc-demo'])
  assert.equal(shortOf(await look(path)), [['svc-demo', 'current']])
})

Job('a version that is older than the installed one is refused; the reason has both times', async () => {
  const path = site.install()
  site.publish(3)
  await look(path)
  site.publish(2)
  const reason = `${site.url}: expected a version that was signed at ${FIRST_SEC + 2} or later, got one of ${FIRST_SEC + 1}`
  assert.equal(shortOf(await look(path)), [['svc-demo', 'older', reason]])
  assert.is((await loadSchemes(path)).version, `svc-demo@${FIRST_SEC + 2}`)
})

const cut = (answer: ServerResponse): true => {
  answer.writeHead(200, { 'content-length': '100000' })
  answer.write('<Issue')
  setImmediate(() => answer.destroy())
  return true
}
const TYPE = 'uni/Issues/student/description.xml'
const endless = (answer: ServerResponse): true => {
  const more = (): void => {
    while (!answer.destroyed && answer.write(Buffer.alloc(1 << 16)));
    if (!answer.destroyed) answer.once('drain', more)
  }
  more()
  return true
}
const FAULTS: Readonly<Record<string, readonly [cause: string, reason: RegExp, trick: Trick]>> = {
  'a broken signature': [
    'refused',
    /index\.sig: signature does not fit index and pk\.pem$/,
    (path, answer) =>
      path === 'index.sig' && Boolean(answer.end(readFileSync(join(DEMO_SCHEMES, 'svc-keyshare/index.sig')))),
  ],
  'a file with another content': [
    'refused',
    /student\/description\.xml: hash is not the one in the index$/,
    (path, answer) => path === TYPE && Boolean(answer.end('<x/>')),
  ],
  'a file that breaks off': [
    'unreachable',
    /student\/description\.xml: /,
    (path, answer) => path === TYPE && cut(answer),
  ],
  'an endless file': [
    'unreachable',
    /student\/description\.xml: expected at most 1048576 bytes$/,
    (path, answer) => path === TYPE && endless(answer),
  ],
  'endless redirects': [
    'unreachable',
    /index: expected at most 5 redirects, got more$/,
    (path, answer) =>
      path === 'index' && Boolean(answer.writeHead(302, { location: `${site.url}/index` }).end()),
  ],
  'a scheme that disappears': [
    'unreachable',
    /index: expected status 200, got 404$/,
    (_path, answer) => Boolean(answer.writeHead(404).end()),
  ],
}
for (const [title, [cause, reason, trick]] of Object.entries(FAULTS))
  Job(
    `${title}: nothing changes, no file is left behind, and the next check installs the version`,
    async () => {
      const path = site.install()
      site.publish(2)
      site.play(trick)
      const [outcome] = await look(path)
      assert.equal([outcome?.type, outcome?.type === 'failed' && outcome.cause], ['failed', cause])
      assert.match(outcome?.type === 'failed' ? outcome.reason : '', reason)
      assert.not(await hasLocker(path))
      assert.equal(readdirSync(path), ['svc-demo'])
      site.play(null)
      assert.equal(shortOf(await look(path)), [['svc-demo', 'taken']])
    },
  )

Job('a version that the settings refuse is not installed', async () => {
  const path = site.install()
  site.publish(2)
  assert.equal(shortOf(await look(path, 'no')), [['svc-demo', 'refused', `${site.url}: no`]])
  assert.not(await hasLocker(path))
})

Job('a version that another process has installed is used, also without downloads', async () => {
  const path = site.install()
  const job = { ...(await jobOn(path)), mayDownload: false }
  site.publish(2)
  await look(path)
  site.asked.length = 0
  assert.equal(shortOf(await look(path, null, job)), [['svc-demo', 'taken']])
  assert.equal(site.asked, [])
})

Job('each scheme is checked by itself: a broken one does not prevent the update of another', async () => {
  const path = site.install()
  cpSync(join(DEMO_SCHEMES, 'svc-keyshare'), join(path, 'svc-keyshare'), { recursive: true })
  const job = await jobOn(path)
  rmSync(join(path, 'svc-keyshare/index.sig'))
  rmSync(join(path, 'svc-keyshare/timestamp'))
  site.publish(2)
  const outcomes = new Map((await look(path, null, job)).map(each => [each.scheme, each]))
  assert.is(outcomes.get('svc-demo')?.type, 'taken')
  const other = outcomes.get('svc-keyshare')
  assert.equal([other?.type, other?.type === 'failed' && other.cause], ['failed', 'folder'])
})

Job('a scheme whose folder is gone is reported, and a new folder is used', async () => {
  const path = site.install()
  const job = await jobOn(path)
  rmSync(join(path, 'svc-demo'), { recursive: true })
  cpSync(join(DEMO_SCHEMES, 'svc-keyshare'), join(path, 'svc-keyshare'), { recursive: true })
  const outcomes = await look(path, null, job)
  assert.equal(outcomes.map(({ type, scheme }) => `${scheme} ${type}`).sort(), [
    'svc-demo failed',
    'svc-keyshare taken',
  ])
})

Job('schemes with reserved addresses are not asked for, and count as current', async () => {
  assert.equal(shortOf(await look(DEMO_SCHEMES)), [
    ['svc-demo', 'current'],
    ['svc-keyshare', 'current'],
  ])
})

Job('an interrupted replacement is finished by the next check', async () => {
  const path = site.install()
  const job = await jobOn(path)
  renameSync(join(path, 'svc-demo'), join(path, '.oldscheme-svc-demo'))
  site.publish(2)
  assert.equal(shortOf(await look(path, null, job)), [['svc-demo', 'taken']])
  assert.ok(isTidy(path))
})
Job('an interrupted replacement is finished also without downloads', async () => {
  const path = site.install()
  const job = { ...(await jobOn(path)), mayDownload: false }
  renameSync(join(path, 'svc-demo'), join(path, '.oldscheme-svc-demo'))
  assert.equal(shortOf(await look(path, null, job)), [['svc-demo', 'current']])
  assert.equal(readdirSync(path), ['svc-demo'])
})
Job.run()
