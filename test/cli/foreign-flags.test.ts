/** Command lines of the existing server: its flags and variables are ignored or refused as in a file, and a check names all of them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runSvc } from './run-svc.ts'

const SCHEMES = ['--schemes-path', 'demo/schemes', '--store', 'memory']
const folder = temporaryFolder()

const Flags = suite('svc server: flags that only the existing server has')

Flags('each ignored flag has a line, and booleans may be written as for the existing server', async () => {
  const words = ['server', 'check', ...SCHEMES, '--sse', '--no-email', '-j', 'me', '--no-auth=0']
  const requestors = ['--requestors', '{"a":{"auth_method":"token","key":"k"}}']
  const { code, stderr } = await runSvc([...words, '--enable-sse=true', ...requestors, '-e', 'a@b.example'], {
    SVCSERVER_NO_EMAIL: '1',
    SVCSERVER_SSE: 'true',
  })
  assert.is(code, 0, stderr)
  for (const place of ['flag --sse', 'flag --no-email', 'flag --email', 'flag --enable-sse'])
    assert.match(stderr, `WARN ${place}: ignored, because `)
  for (const place of ['SVCSERVER_NO_EMAIL', 'SVCSERVER_SSE'])
    assert.match(stderr, `WARN variable ${place}: ignored, because `)
})

Flags('a list flag that is repeated counts as one list', async () => {
  const perms = ['--disclose-perms', 'nobody.*', '--disclose-perms', 'neither.*,svc-demo.*']
  const { code, stderr } = await runSvc(['server', 'check', ...SCHEMES, ...perms])
  assert.is(code, 1)
  assert.match(stderr, /disclose_perms: expected a name that the schemes define, got "nobody\.\*"/)
  assert.match(stderr, /disclose_perms: expected a name that the schemes define, got "neither\.\*"/)
})

Flags('help does not list these flags', async () => {
  const { stdout } = await runSvc(['server', '--help'])
  assert.not.match(stdout, /--sse|--no-email|--disable-tls/)
})

Flags(
  'with another profile, a warning says that a file looks like a settings file of the existing server',
  async () => {
    const file = join(folder, 'irma.yml')
    const requestors = 'requestors: {gate: {auth_method: token, key: k}}'
    writeFileSync(
      file,
      `{url: "https://door.example/irma", no_email: true, schemes_path: demo/schemes, ${requestors}}`,
    )
    const words = ['server', 'check', '-c', file, '--production', '--store', 'memory', '--log-json']
    const { code, stderr } = await runSvc(words)
    assert.is(code, 0, stderr)
    assert.match(
      stderr,
      /WARN .*irma\.yml looks like a settings file of irmaserver .* write "profile: irma"\n/,
    )
    assert.not.match((await runSvc([...words, '--profile', 'irma'])).stderr, 'looks like')
  },
)

for (const command of [['server', 'check'], ['server']])
  Flags(
    `svc ${command.join(' ')} reports all refused settings at once, as text even with log_json`,
    async () => {
      const file = join(folder, 'all.json')
      const values = {
        log_json: true,
        disable_schemes_update: true,
        sdjwtvc: {},
        revocation_db_type: 'mysql',
      }
      writeFileSync(file, JSON.stringify({ ...values, api_prefix: 'x', disclose_perms: ['nobody.*'] }))
      const { code, stdout, stderr } = await runSvc([
        ...command,
        ...SCHEMES,
        '--config',
        file,
        '--disable-tls',
      ])
      assert.equal([code, stdout], [1, ''])
      const lines = stderr.split('\n').filter(line => line.startsWith('svc: '))
      assert.equal(
        lines.map(line => line.replace(file, 'FILE').slice(0, 70)),
        [
          'svc: flag --disable-tls: not supported here except false; delete it: write',
          'svc: disable_schemes_update in FILE: not supported here except false; delete it',
          'svc: revocation_db_type in FILE: not supported here; delete it: data for revocation',
          'svc: api_prefix: expected a path that begins with "/", of letters, digits',
          'svc: disclose_perms: expected a name that the schemes define, got "nobody.*"',
        ].map(line => line.slice(0, 70)),
      )
    },
  )

Flags('other commands accept flags that have no meaning here, and no help lists them', async () => {
  const nothing = ['--schemes-assets-path', '/nowhere']
  const request = ['request', '--disclose', 'svc-demo.gov.idcard.over18', '--schemes-path', 'demo/schemes']
  const plain = await runSvc(request)
  const same = await runSvc([...request, ...nothing, '--authmethod', 'none'])
  assert.equal([same.code, same.stdout], [0, plain.stdout], same.stderr)
  const token = await runSvc([...request, '--authmethod', 'token'])
  assert.match(
    token.stderr,
    'Error: expected --auth-method (token, hmac or rsa) and --key together, got only --auth-method',
  )
  const fixed = ['--static-server', 'https://door.example', '--static-name', 'door', '--noqr']
  const session = await runSvc([
    'session',
    ...fixed,
    ...nothing,
    '-vv',
    '--verbose',
    '--disable-schemes-update',
  ])
  assert.is(session.code, 0, session.stderr)
  const revoke = [
    'issuer',
    'revoke',
    'svc-demo.gov.nothing',
    'k',
    'http://127.0.0.1:5999',
    '-s',
    'demo/schemes',
  ]
  const revoked = await runSvc([...revoke, ...nothing, '-v'])
  assert.is(
    revoked.stderr,
    'svc: CREDENTIALTYPE: expected a type of the schemes, got "svc-demo.gov.nothing"\n',
  )
  for (const words of [['request'], ['session'], ['issuer', 'revoke']]) {
    const { stdout } = await runSvc([...words, '--help'])
    assert.not.match(stdout, /--schemes-assets-path|--authmethod|--verbose|--disable-schemes-update/)
  }
})
Flags.run()
