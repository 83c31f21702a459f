/** The client on a page of a web site, bundled for browsers. It calls a server of another origin under the rules of that server (spec/session-server#2.3). */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { createRequestor } from '../../libraries/client.ts'
import { startSigningService } from '../conformance/signing-service.ts'
import { hasChromium, launch } from '../demo/browser.ts'
import { isMissing, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const DISCLOSURE = {
  '@context': 'https://svc.example/ld/request/disclosure/v2',
  disclose: [[['svc-demo.gov.idcard.over18']]],
} as const

const { metafile, outputFiles } = await build({
  entryPoints: [join(PROJECT, 'dist/libraries/client.js')],
  bundle: true,
  write: false,
  metafile: true,
  platform: 'browser',
  format: 'iife',
  globalName: 'client',
  absWorkingDir: PROJECT,
  logLevel: 'silent',
})
const program = outputFiles[0]?.text ?? ''

const Browser = suite('the client in a browser')

Browser('the bundle contains its own files, jose and eventsource-parser, and nothing of Node', () => {
  const packed = Object.entries(metafile.inputs)
  assert.ok(packed.length > 20)
  const packages = packed.flatMap(([path]) => /node_modules\/([^/]+)\//.exec(path)?.[1] ?? [])
  assert.equal([...new Set(packages)].sort(), ['eventsource-parser', 'jose'])
  const outside = packed.flatMap(([, { imports }]) => imports.filter(({ external }) => external))
  assert.equal(
    outside.map(({ path }) => path),
    [],
  )
})

const test = isMissing('/usr/bin/chromium', hasChromium) ? Browser.skip : Browser
const browser = hasChromium ? await launch() : null
const { service, publicKeyPem } = await startSigningService()
const requestor = createRequestor({ url: service.url })
const site = createServer((_request, answer) => {
  answer
    .setHeader('Content-Type', 'text/html')
    .end(`<!doctype html><title>shop</title><script>${program}</script>`)
})
const siteUrl = await new Promise<string>(resolve => {
  site.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${Object(site.address()).port}/`))
})

type Visit = {
  readonly page: Page
  /** calls to the server, as the last part of each path */
  readonly asked: readonly string[]
}

/** @param told called by the page with each change */
async function visit(told: (status: string) => void, use: (visit: Visit) => Promise<void>): Promise<void> {
  if (!browser) throw new Error('expected a browser')
  const context = await browser.newContext()
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
  try {
    await page.exposeFunction('told', told)
    await page.goto(siteUrl)
    await use({ page, asked })
  } finally {
    await context.close()
  }
}

/** @param pollMs in a test in which no poll may happen: so long that a poll would come after the time limit of the test */
function waiting(part: object, pollMs: number): string {
  return `client.createFrontend(${JSON.stringify(part)}).wait({pollMs: ${pollMs}, onChange: ({status}) => told(status)})`
}

for (const [how, hasStream] of [
  ['by the event stream', true],
  ['by polling, if the event stream fails', false],
] as const)
  test(`a page follows a session of another origin ${how}`, async () => {
    const { sessionPtr, frontendRequest } = await requestor.start(DISCLOSURE)
    const statuses: string[] = []
    const told = (status: string): void => {
      statuses.push(status)
      if (status === 'INITIALIZED') void service.answerPointer(JSON.stringify(sessionPtr))
    }
    await visit(told, async ({ page, asked }) => {
      if (!hasStream) await page.route('**/statusevents', route => route.abort())
      const pollMs = hasStream ? 2 ** 30 : 20
      assert.is(await page.evaluate(waiting({ sessionPtr, frontendRequest }, pollMs)), 'DONE')
      assert.equal([statuses[0], statuses.at(-1)], ['INITIALIZED', 'DONE'])
      const questions = asked.filter(each => each === 'status').length
      assert.is(questions === 1, hasStream)
      assert.ok(asked.includes('statusevents'))
    })
  })

test('a page turns pairing on, shows the code, lets the wallet app go on, and cancels', async () => {
  const { sessionPtr, frontendRequest } = await requestor.start(DISCLOSURE)
  await visit(
    () => {},
    async ({ page }) => {
      const frontend = `client.createFrontend(${JSON.stringify({ sessionPtr, frontendRequest })})`
      const options = await page.evaluate(`${frontend}.setPairing('pin')`)
      assert.equal(Object(options).pairingCode, '0815')
      const versions = { 'X-Svc-Minprotocolversion': '2.8', 'X-Svc-Maxprotocolversion': '2.8' }
      await fetch(sessionPtr.u, { headers: { ...versions, Authorization: 'app' } })
      const status = async () => Object(await page.evaluate(`${frontend}.status()`)).status
      assert.is(await status(), 'PAIRING')
      await page.evaluate(`${frontend}.pairingCompleted()`)
      assert.is(await status(), 'CONNECTED')
      await page.evaluate(`${frontend}.cancel()`)
      assert.is(await page.evaluate(waiting({ sessionPtr, frontendRequest }, 20)), 'CANCELLED')
    },
  )
})

test('a page verifies a signed result, and reads the refusal of a server', async () => {
  const { token } = await requestor.start(DISCLOSURE)
  const facts = JSON.stringify({ publicKey: publicKeyPem, issuer: 'demo server' })
  const jwt = JSON.stringify(await requestor.resultJwt(token))
  const at = `new Date(${service.clock.wallNow()})` // the clock of the service does not advance by itself
  await visit(
    () => {},
    async ({ page }) => {
      const verified = await page.evaluate(`client.verifyResult(${jwt}, {...${facts}, currentDate: ${at}})`)
      assert.equal(verified, await requestor.result(token))
      const asking = `client.createRequestor({url: ${JSON.stringify(service.url)}}).status('none')`
      const refusal = await page.evaluate(`${asking}.catch(({status, type}) => ({status, type}))`)
      assert.equal(refusal, { status: 400, type: 'SESSION_UNKNOWN' })
    },
  )
})

Browser.after(async () => {
  await browser?.close()
  site.close()
  await service.close()
})
Browser.run()
