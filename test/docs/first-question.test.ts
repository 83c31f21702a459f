/** The second half of the guide to the first question, which its readers follow with a phone and the Internet. Its commands run with a wallet in place of the
 *  phone, and a local server in place of the server that publishes the schemes. */
import { createPrivateKey } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { listen } from '../../demo/listen.ts'
import { closeListener } from '../../http/listen.ts'
import { startTestKit } from '../../libraries/testing.ts'
import { signScheme } from '../../schemes/sign.ts'
import { freePort, MAIN, type Running, startProgram, withSvc } from '../cli/run-svc.ts'
import { startPhone } from '../frontends/phone.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { readPage } from './markdown.ts'
import { textOf } from './pages.ts'

const GUIDE = 'docs/first-question.md'
const { fences } = readPage(GUIDE, textOf(GUIDE))
const examples = fences.filter(({ marks }) => marks.has('example')).map(({ content }) => content)
const OTHER_PORTS = { server: await freePort(), site: await freePort() }

/** Replaces the names of the guide with those of this test. */
function asHere(text: string): string {
  return text
    .replaceAll('npx attribute-session-service', `node ${MAIN}`)
    .replaceAll('192.168.1.20', '127.0.0.1')
    .replaceAll('8088', String(OTHER_PORTS.server))
    .replaceAll('8089', String(OTHER_PORTS.site))
    .replace('pbdf.sidn-pbdf.email.email', 'svc-demo.gov.idcard.over18')
    .replace('VALUE=you@site.example', 'VALUE=yes')
}

const folder = temporaryFolder()
const run = (command: string): Running =>
  startProgram(
    'bash',
    ['-ec', `exec env ${asHere(command)}`],
    { HOME: folder, SVCSERVER_PORT: `${OTHER_PORTS.server}` },
    folder,
  )

/** Saves the files of the first half.
 *  @param folder where they are saved
 *  @param here replaces the names of the guide */
function save(folder: string, here: (text: string) => string): void {
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  for (const { marks, content } of fences) {
    const file = marks.get('file')
    if (file === undefined) continue
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), here(content))
  }
}

/** Serves the demo scheme at an address that the scheme names. */
async function serveScheme() {
  const site = temporaryFolder()
  const scheme = join(site, 'svc-demo')
  cpSync(join(DEMO_SCHEMES, 'svc-demo'), scheme, { recursive: true })
  const schemes = createServer(({ url = '' }, response) => response.end(readFileSync(join(site, url))))
  const address = `${await listen(schemes, 0, '127.0.0.1')}/svc-demo`
  const file = join(scheme, 'description.xml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/<Url>[^<]*/, `<Url>${address}`))
  signScheme(scheme, createPrivateKey(readFileSync(join(scheme, 'sk.pem'))), Math.floor(Date.now() / 1_000))
  return { address, schemes }
}

const STARTED = z.object({ id: z.string(), sessionPtr: z.object({ u: z.string(), irmaqr: z.string() }) })

const Guide = suite('the first question')

Guide('the site accepts the card of an adult, and not the one of a minor, which is as valid', async () => {
  await using kit = await startTestKit({ profile: 'irma' })
  const port = String(await freePort())
  const own = temporaryFolder()
  save(own, text => text.replaceAll('http://127.0.0.1:8088', kit.url).replaceAll('8089', port))
  await withSvc(startProgram(process.execPath, ['try/site/site.mjs'], {}, own), async started => {
    await started.says('Open')
    const at = `http://127.0.0.1:${port}`
    for (const [over18, accepted] of [
      ['yes', true],
      ['no', false],
    ] as const) {
      const card = { initials: 'J.', familyname: 'Jansen', over18, docnumber: 'X1' }
      const phone = await kit.wallet({ credentials: { 'svc-demo.gov.idcard': card } })
      const { id, sessionPtr } = STARTED.parse(await (await fetch(`${at}/start`, { method: 'POST' })).json())
      assert.is((await phone.answer(sessionPtr)).status, 'success')
      assert.equal(await (await fetch(`${at}/result/${id}`)).json(), { accepted, value: over18 })
    }
  })
})

Guide('schemes are installed, the code has the address of `--url`, and the site gets the value', async () => {
  const [download = '', server = '', site = '', ...more] = examples
  assert.equal(more, [])
  save(folder, asHere)
  const { address, schemes } = await serveScheme()
  const installed = await run(`${download} ${address}`).finished
  await closeListener(schemes)
  assert.match(installed.stdout, /^No svc_configuration path specified, using .*\nsvc-demo: written at .*\n$/)
  await withSvc(run(server), running =>
    withSvc(run(site), async started => {
      await running.says('svc server running')
      await started.says('Open')
      const at = `http://127.0.0.1:${OTHER_PORTS.site}`
      const { id, sessionPtr } = STARTED.parse(await (await fetch(`${at}/start`, { method: 'POST' })).json())
      assert.ok(sessionPtr.u.startsWith(`http://127.0.0.1:${OTHER_PORTS.server}/irma/session/`))
      const phone = await startPhone()
      const scan = phone.scan(JSON.stringify(sessionPtr))
      await scan.asked()
      const result = async () => (await fetch(`${at}/result/${id}`)).json()
      assert.equal(await result(), { accepted: false })
      scan.agree()
      assert.is((await scan.outcome).status, 'success')
      assert.equal(await result(), { accepted: true, value: 'yes' })
      await phone.close()
    }),
  )
})
Guide.run()
