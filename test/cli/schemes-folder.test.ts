/** The schemes that a command reads without a named folder. The demo schemes are used if none are installed, but not in production, and not to
 *  judge a signature or to revoke a credential. @module */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { freePort, MAIN, runSvc, startProgram } from './run-svc.ts'

const CHECK = ['server', 'check', '--store', 'memory']
const PRODUCTION = [
  '--production',
  '--url',
  'https://id.example',
  '--requestors',
  '{"shop":{"auth_method":"token","key":"k"}}',
]

const Schemes = suite('schemes if none are installed')

/** Runs with its own data directory. */
function run(data: string, ...words: readonly string[]) {
  return runSvc(words, { XDG_DATA_HOME: data })
}

Schemes('svc server uses the demo schemes, and one line reports it', async () => {
  const data = temporaryFolder()
  const { code, stderr } = await run(data, ...CHECK, '--issue-perms', 'svc-demo.*')
  assert.is(code, 0, stderr)
  const said = stderr.split('\n').filter(line => line.includes('demo schemes'))
  assert.is(said.length, 1)
  assert.ok(
    said[0]?.endsWith(
      ` WARN schemes_path: there are no schemes in ${data}/svc/svc_configuration, so the demo schemes are used; install the public ones with svc scheme download, or name a folder with --schemes-path`,
    ),
    said[0],
  )
})

Schemes('an empty folder, as a download that failed leaves it, counts as none', async () => {
  const data = temporaryFolder()
  mkdirSync(join(data, 'svc', 'svc_configuration'), { recursive: true })
  const { code, stderr } = await run(data, ...CHECK)
  assert.is(code, 0, stderr)
  assert.match(stderr, /the demo schemes are used/)
})

Schemes('installed schemes are used, and broken ones are reported', async () => {
  const data = temporaryFolder()
  mkdirSync(join(data, 'svc', 'svc_configuration', 'nothing'), { recursive: true })
  const { code, stderr } = await run(data, ...CHECK)
  assert.is(code, 1)
  assert.match(stderr, /svc_configuration: expected a folder of scheme folders, found no scheme\n$/)
})

/** Commands that must not continue with the demo schemes. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'svc server in production': [...CHECK, ...PRODUCTION],
  'svc server with a folder that does not exist': [...CHECK, '--schemes-path', 'FOLDER'],
  'svc session with one': ['session', '--schemes-path', 'FOLDER', '--disclose', 'a.b.c.d'],
  'svc wallet with one': ['wallet', 'init', '--schemes-path', 'FOLDER', '--dir', 'FOLDER'],
  'svc issuer revoke': ['issuer', 'revoke', 'a.b.c', 'key', 'http://127.0.0.1:5999'],
  'svc signature verify': ['signature', 'verify', 'package.json'],
}

for (const [title, words] of Object.entries(REFUSED))
  Schemes(`${title} says what to do`, async () => {
    const data = temporaryFolder()
    const folder = words.includes('FOLDER') ? join(data, 'none') : `${data}/svc/svc_configuration`
    const { code, stderr } = await run(data, ...words.map(word => (word === 'FOLDER' ? folder : word)))
    assert.is(code, 1)
    assert.is(
      stderr,
      `svc: schemes_path: expected a folder of schemes, but ${folder} does not exist; install the public ones with svc scheme download, or name a folder with --schemes-path\n`,
    )
  })

Schemes(
  'outside of a checkout, the message about the path of the guides names the path in the package',
  async () => {
    const data = temporaryFolder()
    const words = [MAIN, 'wallet', 'init', '--schemes-path', 'demo/schemes', '--dir', data]
    const { code, stderr } = await startProgram(process.execPath, words, {}, data).finished
    assert.is(code, 1)
    assert.is(
      stderr,
      `svc: schemes_path: expected a folder of schemes, but demo/schemes does not exist; the demo schemes are in ${DEMO_SCHEMES}\n`,
    )
  },
)

Schemes(
  'svc request, svc session with a server of its own and svc wallet use the demo schemes too',
  async () => {
    const data = temporaryFolder()
    const asked = await run(data, 'request', '--disclose', 'svc-demo.gov.idcard.over18')
    assert.is(asked.code, 0)
    assert.match(asked.stderr, /^svc: schemes_path: [^\n]* the demo schemes are used; [^\n]*\n$/)
    const made = await run(data, 'wallet', 'init', '--dir', join(data, 'wallet'))
    assert.is(made.code, 0)
    assert.match(made.stderr, /^svc: schemes_path: [^\n]* the demo schemes are used; [^\n]*\n$/)
    const own = await run(data, 'session', '--port', String(await freePort()), '--request', '{')
    assert.is(own.code, 1)
    assert.is(own.stderr.match(/the demo schemes are used/g)?.length, 1)
  },
)
Schemes.run()

const Check = suite('svc server check')

Check('prints the warnings of the start', async () => {
  const { code, stderr } = await runSvc([...CHECK, '--schemes-path', 'demo/schemes'])
  assert.is(code, 0, stderr)
  assert.match(stderr, / WARN no_auth: any caller may start sessions\n/)
  assert.match(stderr, / WARN url: wallet apps refuse plain HTTP outside of their developer mode\n/)
  assert.match(stderr, / WARN revocation_settings: \S+ can be revoked, but /)
  assert.match(stderr, / INFO the settings are in order\n$/)
})
Check.run()
