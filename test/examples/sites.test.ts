/** The programs of `examples/` as web sites: whole sessions at a real server, and results that no site may accept. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { freePort, startSvc } from '../cli/run-svc.ts'
import { hasChromium, launch } from '../demo/browser.ts'
import { startPhone } from '../frontends/phone.ts'
import { DEMO_SCHEMES, isMissing, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import {
  ASKING,
  apiOf,
  callSite,
  NEEDS,
  PROGRAMS,
  type Program,
  type Site,
  startSite,
  startStandIn,
  TOKEN,
} from './programs.ts'
import { builtSite, hasNext } from './real-next.ts'

const AGE = 'svc-demo.gov.idcard.over18'
const REQUESTORS = { site: { auth_method: 'token', key: TOKEN, disclose_perms: [AGE] } }
const port = String(await freePort())
const settings = ['--profile', 'irma', '--schemes-path', DEMO_SCHEMES, '--store', 'memory', '--workers', '1']
const frontend = join(PROJECT, 'node_modules/@privacybydesign/yivi-frontend/dist')
const guarded = ['--no-auth=false', '--requestors', JSON.stringify(REQUESTORS)]
const server = startSvc([
  'server',
  ...settings,
  ...guarded,
  '--listen-addr',
  '127.0.0.1',
  '--port',
  port,
  '--static-path',
  frontend,
])
await server.says('svc server running')
const standIn = await startStandIn()
const phone = await startPhone()
/** The running sites, by program and session server. */
const sites = new Map<string, Site>()

async function siteOf(program: Program, at = `http://127.0.0.1:${port}`): Promise<Site> {
  const key = `${program} ${at}`
  const site = sites.get(key) ?? (await startSite(program, at))
  sites.set(key, site)
  return site
}

const STARTED = z.strictObject({
  id: z.string(),
  sessionPtr: z.object({ u: z.string(), irmaqr: z.literal('disclosing') }),
  frontendRequest: z.object({}),
})

/** The answer to the page, which contains no token. */
async function start(program: Program, site: Site) {
  return STARTED.parse(await (await callSite(site, `${apiOf(program)}/start`, 'POST')).json())
}

/** An address without a listener. */
const nowhere = `http://127.0.0.1:${await freePort()}`
const REFUSAL = z.object({ error: z.string() })
const ANSWER = z.object({ accepted: z.boolean().optional(), status: z.string().optional() })

/** The status of the answer, and its content. */
async function resultOf(program: Program, site: Site, id: string) {
  const answer = await callSite(site, `${apiOf(program)}/result/${id}`)
  const { accepted, status } = ANSWER.parse(await answer.json())
  return [answer.status, accepted, status]
}

const Sites = suite('the programs of examples')
Sites.after(async () => {
  const all = [...sites.values()].map(({ running }) => running).concat(server)
  for (const { process } of all) process.kill('SIGTERM')
  await Promise.all(all.map(({ finished }) => finished))
  await Promise.all([standIn.close(), phone.close()])
})

const VALID = { status: 'DONE', proofStatus: 'VALID', disclosed: [[{ id: AGE, rawvalue: 'yes' }]] }
const NOT_ACCEPTED: readonly (readonly [what: string, result: object])[] = [
  ...['INITIALIZED', 'CONNECTED', 'CANCELLED', 'TIMEOUT'].map(
    status => [status, { ...VALID, status }] as const,
  ),
  ...['INVALID', 'INVALID_TIMESTAMP', 'UNMATCHED_REQUEST', 'MISSING_ATTRIBUTES', 'EXPIRED'].map(
    proofStatus => [proofStatus, { ...VALID, proofStatus }] as const,
  ),
  ['no proofStatus', { status: 'DONE', disclosed: VALID.disclosed }],
  ['under 18', { ...VALID, disclosed: [[{ id: AGE, rawvalue: 'no' }]] }],
  ['another attribute', { ...VALID, disclosed: [[{ id: 'svc-demo.gov.idcard.initials', rawvalue: 'yes' }]] }],
]

const programs = [...PROGRAMS, ...ASKING].map(program => {
  const tool = NEEDS[program]
  const isHere = tool === undefined || !isMissing(tool, spawnSync(tool, ['--version']).status === 0)
  return { program, isHere }
})

for (const { program, isHere } of programs) {
  const test = isHere ? Sites : Sites.skip

  test(`${program}: a visitor with a valid proof is accepted, one who refuses is not`, async () => {
    const site = await siteOf(program)
    const { id, sessionPtr } = await start(program, site)
    const scan = phone.scan(JSON.stringify(sessionPtr))
    await scan.asked()
    assert.equal(await resultOf(program, site, id), [403, false, 'CONNECTED'])
    scan.agree()
    assert.is((await scan.outcome).status, 'success')
    assert.equal(await resultOf(program, site, id), [200, true, undefined])
    const refused = await start(program, site)
    const other = phone.scan(JSON.stringify(refused.sessionPtr))
    await other.asked()
    other.refuse()
    await other.outcome
    assert.equal(await resultOf(program, site, refused.id), [403, false, 'CANCELLED'])
    assert.equal(await resultOf(program, site, 'unknown'), [404, undefined, undefined])
  })

  test(`${program}: only DONE with proofs that are VALID, of the attribute with its value, is accepted`, async () => {
    const site = await siteOf(program, standIn.url)
    standIn.asked.length = 0
    const { id } = await start(program, site)
    assert.equal(
      standIn.asked.map(({ authorization }) => authorization),
      [TOKEN],
    )
    for (const [what, result] of NOT_ACCEPTED) {
      standIn.willAnswer(200, result)
      const [status, accepted] = await resultOf(program, site, id)
      assert.equal([status, accepted], [403, false], what)
    }
    standIn.willAnswer(500, VALID)
    assert.is((await resultOf(program, site, id))[0], 502, 'an error of the session server is no result')
    standIn.willAnswer(200, VALID)
    assert.equal(
      await resultOf(program, site, id),
      [200, true, undefined],
      'the valid result, of which the others are variants',
    )
  })
}

for (const { program, isHere } of programs) {
  const test = isHere ? Sites : Sites.skip
  test(`${program}: without an answer, or after an error, it names the address that it called`, async () => {
    for (const address of [nowhere, `${standIn.url}/elsewhere`]) {
      const site = await siteOf(program, address)
      const answer = await callSite(site, `${apiOf(program)}/start`, 'POST')
      assert.is(answer.status, 502)
      const { error } = REFUSAL.parse(await answer.json())
      if (ASKING.includes(program))
        await site.running.says(`askFor: expected an answer of ${address}, got none: `)
      else assert.ok(error.includes(address))
    }
  })
}

Sites('each file is short, as its page says', () => {
  const folder = join(PROJECT, 'examples')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  assert.ok(files.length >= 10)
  for (const { parentPath, name } of files)
    assert.ok(readFileSync(join(parentPath, name), 'utf8').split('\n').length <= 61, name)
})

for (const { program, isHere } of programs.filter(
  each => each.program === 'site-php.php' || ASKING.includes(each.program),
)) {
  const test = isHere ? Sites : Sites.skip
  test(`${program}: a session of one visitor is unknown to another visitor`, async () => {
    const site = await siteOf(program, standIn.url)
    const { id } = await start(program, site)
    standIn.willAnswer(200, VALID)
    assert.is((await resultOf(program, { ...site, cookie: '' }, id))[0], 404)
    assert.is((await resultOf(program, site, id))[0], 200)
  })
}

for (const program of ASKING.filter(name => name !== 'ask/next'))
  Sites(`${program}: the visitor who was accepted enters, and others do not`, async () => {
    const site = await siteOf(program, standIn.url)
    const visitor = { ...site, cookie: '' }
    const { id } = await start(program, visitor)
    assert.is((await callSite(visitor, '/bar')).status, 403)
    standIn.willAnswer(200, VALID)
    assert.is((await resultOf(program, visitor, id))[0], 200)
    assert.is((await callSite(visitor, '/bar')).status, 200)
    assert.is((await callSite({ ...site, cookie: '' }, '/bar')).status, 403)
    assert.is((await callSite(visitor, '/elsewhere')).status, 404)
  })

Sites('askFor takes at most ten lines of a site', () => {
  const folder = join(PROJECT, 'examples/ask')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    /\.m?js$/.test(name),
  )
  assert.is(files.length, ASKING.length)
  for (const name of files) {
    const [, call = ''] = /(askFor\(\{.*?^ *\}\))/ms.exec(readFileSync(join(folder, name), 'utf8')) ?? []
    const lines = call.split('\n').length
    assert.ok(lines > 3 && lines <= 10, `${name}: ${lines} lines`)
  }
})

const realNext = isMissing('next, react, react-dom and iron-session in NEXT_FOLDER', hasNext)
  ? Sites.skip
  : Sites
realNext('next builds both of its sites, and all other tests use these builds', async () => {
  for (const program of ['next', 'ask/next'] as const)
    assert.ok(existsSync(join(await builtSite(program), '.next/BUILD_ID')), program)
})

const browserTest = isMissing('/usr/bin/chromium', hasChromium) ? Sites.skip : Sites
browserTest(
  'the page shows the QR code of its session, and in the end the answer of the back end',
  async () => {
    const browser = await launch()
    try {
      const page = await browser.newPage()
      const accepting = programs
        .filter(({ isHere, program }) => isHere && (program !== 'ask/next' || hasNext))
        .map(({ program }) => [program, 'agree'] as const)
      const refusing = (['site-node.mjs', 'next'] as const).map(program => [program, 'refuse'] as const)
      for (const [program, decision] of [...accepting, ...refusing]) {
        const starting = page.waitForResponse(/\/start$/)
        await page.goto((await siteOf(program)).url)
        const { sessionPtr } = STARTED.parse(await (await starting).json())
        await page.locator('canvas').waitFor()
        const scan = phone.scan(JSON.stringify(sessionPtr))
        await scan.asked()
        scan[decision]()
        const shown = decision === 'agree' ? '"accepted": true' : 'The session is cancelled'
        await page.getByText(shown).waitFor()
        assert.is(
          await page.locator('pre').isVisible(),
          decision === 'agree',
          'no command for a session that has ended',
        )
      }
    } finally {
      await browser.close()
    }
  },
)
Sites.run()
