/** A request as programs: each of them sends the request. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { LANGUAGES, type Programs, programsOf } from '../../demo/programs.ts'
import { CONTRACT, type Step } from '../../demo/steps.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { pageOf, startTestDemo } from './start.ts'

type Language = (typeof LANGUAGES)[number]

/** The interpreter of each program, and the name of its file. */
const RUNS: Readonly<Record<Language, readonly [command: string, file: string]>> = {
  curl: ['sh', 'program.sh'],
  javascript: [process.execPath, 'program.mjs'],
  python: ['python3', 'program.py'],
  php: ['php', 'program.php'],
}
/** The tools that a program needs besides a shell and Node. */
const NEEDS: Readonly<Partial<Record<Language, string>>> = { curl: 'curl', python: 'python3', php: 'php' }
const hasTool = (tool: string): boolean =>
  process.env.PATH?.split(delimiter).some(place => existsSync(join(place, tool))) ?? false

const folder = temporaryFolder()
const run = promisify(execFile)

/** The output of the program. */
async function printedBy(language: Language, programs: Programs): Promise<string> {
  const [command, name] = RUNS[language]
  const file = join(folder, name)
  await writeFile(file, programs[language])
  return (await run(command, [file])).stdout
}

/** A server that accepts every message. */
const sent: (readonly [
  method: string | undefined,
  path: string | undefined,
  type: unknown,
  body: unknown,
])[] = []
const receiver = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  sent.push([request.method, request.url, request.headers['content-type'], JSON.parse(text)])
  response.end('taken')
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const { port } = receiver.address() as AddressInfo // the server listens on TCP

const demo = await startTestDemo()
const page = pageOf(demo)
const Tests = suite('demo: requests as programs')

/** Every kind of value, and all characters with a meaning between quotes in one of the languages. */
const ODD = {
  message:
    'it\'s "$HOME" `id` $x {$x} \\ \\n \n\t\u2028!! %s \u20ac \u{1f600} \' \'\'\' """ #{x} </script> <?php ?>',
  "na'me \\": [true, false, null, 0, -1.5, 1e21, [], [[['a'], []]], { in: 'side' }],
}
const STARTED: readonly Step[] = ['cards', 'either', 'contract', 'chain', 'mobile', 'revoked', 'twice']

for (const language of LANGUAGES) {
  const tool = NEEDS[language]
  const test = tool !== undefined && isMissing(tool, hasTool(tool)) ? Tests.skip : Tests

  test(`${language}: the body is sent unchanged, with any characters`, async () => {
    sent.length = 0
    const answer = await printedBy(language, programsOf(`http://127.0.0.1:${port}/a?b='c'`, ODD))
    const [[method, path, type, body] = []] = sent
    assert.equal([method, type, body], ['POST', 'application/json', ODD])
    assert.match(path ?? '', /^\/a\?b=('|%27)c('|%27)$/)
    assert.is(answer.trim(), 'taken')
  })

  test(`${language}: the program of each step starts a session of its own`, async () => {
    for (const step of STARTED) {
      const { sessionPtr, programs } = await page.start(step)
      const { sessionPtr: other } = JSON.parse(await printedBy(language, programs))
      assert.is.not(other.u, sessionPtr.u)
      assert.is(new URL(other.u).host, new URL(sessionPtr.u).host, step)
    }
  })
}

Tests('the programs send the request to the session server of this demo', async () => {
  const { programs, request } = await page.start('contract')
  assert.equal(programs, programsOf(`${demo.address}session`, request))
  assert.match(JSON.stringify(request), CONTRACT)
})

const shellTest = isMissing('curl', hasTool('curl')) ? Tests.skip : Tests
shellTest('the programs for a revocation revoke the permits that are left', async () => {
  const { id, phone } = await page.ask('revoked')
  await page.answer(phone, [])
  await page.phoneShows(phone, 'consent')
  await page.refuse(phone)
  const { body } = await page.call<{ readonly programs: Programs }>(`/demo/site/revoke/${id}`, 'POST')
  const { error } = JSON.parse(await printedBy('curl', body.programs))
  assert.is(error, 'UNKNOWN_REVOCATION_KEY', 'the web site had revoked all')
})

Tests.after(async () => {
  await demo.close()
  receiver.close()
  receiver.closeAllConnections()
})
Tests.run()
