/** A request as a command: what a shell makes of it is the request. @module */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { curlOf } from '../../demo/curl.ts'
import { CONTRACT, type Step } from '../../demo/steps.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { pageOf, startTestDemo } from './start.ts'

const CURL = '/usr/bin/curl'
const run = promisify(execFile)

/** What the command is given, each argument as the shell hands it over. */
async function argumentsOf(command: string): Promise<string[]> {
  const script = `curl() { for one; do printf '%s\\0' "$one"; done; }\n${command}\n`
  return (await run('sh', ['-c', script])).stdout.split('\0').slice(0, -1)
}

const demo = await startTestDemo()
const page = pageOf(demo)
const Curl = suite('demo: requests as commands')
const test = isMissing(CURL, existsSync(CURL)) ? Curl.skip : Curl

Curl('a shell hands over the address and the body as they are, whatever is in them', async () => {
  const body = { message: 'it\'s "$HOME" `id` \\ \n!! %s \u20ac \'', list: ["'"] }
  const [url, flag, header, data, sent, ...more] = await argumentsOf(curlOf('http://[::1]:1/session', body))
  assert.equal([url, flag, data, more], ['http://[::1]:1/session', '-H', '--data-raw', []])
  assert.is(header, 'Content-Type: application/json')
  assert.equal(JSON.parse(sent ?? ''), body)
})

Curl('the command of a request goes to the session server of this demo, with the request', async () => {
  const { curl, request } = await page.start('contract')
  const [url, , , , sent = ''] = await argumentsOf(curl)
  assert.is(url, `${demo.address}session`)
  assert.equal(JSON.parse(sent), request)
  assert.match(sent, CONTRACT)
})

test('pasted into a shell, each starts a session of its own', async () => {
  const steps: readonly Step[] = ['cards', 'either', 'contract', 'chain', 'mobile', 'revoked', 'twice']
  for (const step of steps) {
    const { sessionPtr, curl } = await page.start(step)
    const { sessionPtr: other } = JSON.parse((await run('sh', ['-c', curl])).stdout)
    assert.is.not(other.u, sessionPtr.u)
    assert.is(new URL(other.u).host, new URL(sessionPtr.u).host, step)
  }
})

test('that of a revocation revokes what is left', async () => {
  const { id, phone } = await page.ask('revoked')
  await page.answer(phone, [])
  await page.phoneShows(phone, 'consent')
  await page.refuse(phone)
  const { body } = await page.call<{ readonly curl: string }>(`/demo/site/revoke/${id}`, 'POST')
  const { error } = JSON.parse((await run('sh', ['-c', body.curl])).stdout)
  assert.is(error, 'UNKNOWN_REVOCATION_KEY', 'the web site had revoked all')
})

Curl.after(() => demo.close())
Curl.run()
