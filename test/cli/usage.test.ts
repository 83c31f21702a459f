import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { networkAddresses } from '../../server/files/directories.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { freePort, MAIN, runSvc, startSvc, withSvc } from './run-svc.ts'

/** Wrong words of a command, with their messages. */
const WRONG = {
  nope: "unknown command 'nope'",
  version: 'expected svc --version, got svc version',
  'keyshare server --config svckeyshare.yml': 'expected svc keyshare, got svc keyshare server',
  'keyshare tasks --expiry-delay 365':
    'expected svc keyshare, which does this work itself, got svc keyshare tasks',
  'keyshare myirmaserver': 'expected svc keyshare, which has an account page of its own',
  'issuer keygen -f': 'Not supported here: no key is overwritten; move the files away first',
  'issuer keygen --force-overwrite=true':
    'Not supported here: no key is overwritten; move the files away first',
  'scheme download --use-schemes-assets-path':
    'name the folder of the stock in schemes_assets_path of the server',
  'genkeypair -k isk.xml': 'expected svc issuer keygen, got svc genkeypair',
  'issuer keyprove -f proof': 'no server and no app reads a proof of a key, got svc issuer keyprove',
  'server --nope': "unknown option '--nope'",
  'server --port x': 'flag --port: expected an integer from 1 to 65535, got "x"',
  'server --port 0x1f90': 'flag --port: expected an integer from 1 to 65535, got "0x1f90"',
  'demo --port 0x10': '--port: expected an integer from 0 to 65535, got "0x10"',
  'server nope': 'too many arguments',
  session: 'expected one of --request, --from-package and the flags that build a request',
  'session --disclose a --server ftp://u:hunter2pw@h':
    '--server: expected an http or https address, got "ftp://...@..."',
  'session --disclose a --server http://a/?key=hunter2pw':
    '--server: expected an address without query and fragment, got "http://a/?..."',
  'session --disclose a --server http://u:hunter2pw@a':
    '--server: expected an http or https address without a user name, got another text',
  'session --disclose a --server http://a:6000':
    '--server: expected a port that HTTP clients call, got one that',
  'conformance --server http://a#b':
    '--server: expected an address without query and fragment, got "http://a#..."',
  'issuer revoke a.b.c k http://u:hunter2pw@a': 'URL: expected an http or https address without a user name',
  'session --static-server http://a/?b --static-name b':
    '--static-server: expected an address without query and fragment, got "http://a/?..."',
  'session --disclose a --server nowhere': '--server: expected an http or https address, got "nowhere"',
  'session --disclose a --server http://a --url b':
    '--url: expected neither --server nor --from-package beside it, got one',
  'session --disclose a --server http://a --auth-method token':
    'expected --auth-method (token, hmac or rsa) and --key together, got only --auth-method (token, hmac or rsa)',
  request: 'expected one of --disclose, --sign and --issue',
  'request --message m': 'expected --sign and --message together, got only --message',
  'request --sign a': 'expected --sign and --message together, got only --sign',
  'request --sign a --message m --disclose a':
    '--sign: expected neither --disclose nor --issue beside it, got one',
  'request --sign a --message m --issue a=b':
    '--sign: expected neither --disclose nor --issue beside it, got one',
  'request --disclose a --revocation-key k': '--revocation-key: expected --issue beside it, got none',
  'request --disclose a --auth-method basic': "argument 'basic' is invalid",
  'request --disclose a --auth-method hmac --key a':
    'expected --auth-method (hmac or rsa) and --name together, got only --auth-method (hmac or rsa)',
  'request --disclose a --auth-method rsa --name a':
    'expected --auth-method (token, hmac or rsa) and --key together, got only --auth-method (token, hmac or rsa)',
  'request --disclose a --request {}': "unknown option '--request'",
  'session --disclose a --request {}': 'expected one of --request, --from-package and the flags that build',
  'session --disclose a --auth-method hmac --key a --name b':
    'expected --server beside --auth-method, --key and --name, got none',
  'session --from-package {} --name b': 'expected --server beside --auth-method, --key and --name, got none',
  'session --static-server http://a':
    'expected --static-server and --static-name together, got only --static-server',
  'session --static-name b': 'expected --static-server and --static-name together, got only --static-name',
  'session --static-server http://a --static-name b --disclose a': '--static-server: expected at most --noqr',
  'session --static-server http://a --static-name b --pairing': '--static-server: expected at most --noqr',
  'session --static-server http://a --static-name b --fail': '--static-server: expected at most --noqr',
  'session --static-server a --static-name b': '--static-server: expected an http or https address',
  'session --static-server http://a --static-name b/c': '--static-name: expected letters, digits and "_"',
  'session --from-package {} --server http://a --key b':
    'expected --server beside --auth-method, --key and --name, got none',
  'wallet nope': "unknown command 'nope'",
  'wallet answer': "missing required argument 'POINTER'",
  'wallet answer x --yes --refuse': '--yes: expected no --refuse beside it, got one',
}

const Usage = suite('svc: exit codes and where output goes (spec/schemes-and-cli#16.2)')

Usage('help is on standard output with code 0, for a group without a command too', async () => {
  for (const words of [['--help'], [], ['wallet'], ['help', 'server'], ['server', '--help']]) {
    const { code, stdout, stderr } = await runSvc(words)
    assert.is(code, 0, words.join(' '))
    assert.match(stdout, /^Usage: svc/, words.join(' '))
    assert.is(stderr, '')
  }
})

Usage('the help of a command has each default once, and in words', async () => {
  for (const words of [
    'server',
    'session',
    'signature verify',
    'request',
    'demo',

    'wallet answer',
  ]) {
    const { stdout } = await runSvc([...words.split(' '), '--help'])
    const text = stdout.replace(/\s+/g, ' ')
    assert.match(text, /\(default: /, words)
    assert.not.match(text, /\(default: [^()]*\) \(default: |default: (?:\[\]|"0")/, words)
  }
})

Usage('the help of a command names the command whose help has the options of its group', async () => {
  const { stdout } = await runSvc(['deliveries', 'list', '--help'])
  assert.match(stdout, /\nThe options of svc deliveries apply here too: see svc deliveries --help\.\n$/)
  for (const words of [['deliveries'], ['wallet', 'list'], ['session']])
    assert.not.match((await runSvc([...words, '--help'])).stdout, /apply here too/, words.join(' '))
})

Usage('--version prints the version of the package', async () => {
  const { code, stdout } = await runSvc(['--version'])
  assert.is(code, 0)
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
})

Usage('the build makes a file that a shell runs: npx attribute-session-service works in a checkout', () => {
  assert.match(execFileSync(MAIN, ['--version'], { encoding: 'utf8' }), /^\d+\.\d+\.\d+\n$/)
})

Usage('wrong usage ends with 255 and two lines: what is wrong, and where the help is', async () => {
  for (const [words, message] of Object.entries(WRONG)) {
    const { code, stdout, stderr } = await runSvc(words.split(' '))
    assert.is(code, 255, words)
    assert.ok(stderr.startsWith('Error: ') && stderr.includes(message), `${words}: ${stderr}`)
    assert.match(stderr, /^Error: [^\n]+\nSee svc[ a-z]* --help\.\n$/, words)
    assert.is(stdout, '', words)
  }
})

Usage('the line of the error names the option that was probably meant', async () => {
  const { stderr } = await runSvc(['server', '--prot', '9'])
  assert.is(stderr, "Error: unknown option '--prot' (Did you mean --port?)\nSee svc server --help.\n")
})

Usage('the help that an error names is that of the command', async () => {
  const { stderr } = await runSvc(['wallet', 'answer'])
  assert.is(stderr, "Error: missing required argument 'POINTER'\nSee svc wallet answer --help.\n")
})

Usage('a command whose output is closed ends without a message: svc ... | head -1', () => {
  const words = ['--norc', '-c', 'set -o pipefail; "$0" server options | true', MAIN]
  const env = { PATH: process.env.PATH ?? '' }
  const { status, stderr } = spawnSync('bash', words, { encoding: 'utf8', env })
  assert.equal({ status, stderr }, { status: 141, stderr: '' })
})

Usage('output that cannot be written is a failure in one line', () => {
  const env = { PATH: process.env.PATH ?? '' }
  const words = ['--norc', '-c', '"$0" chart session > /dev/full', MAIN]
  const { status, stderr } = spawnSync('bash', words, { encoding: 'utf8', env })
  assert.equal({ status, stderr }, { status: 1, stderr: 'svc: ENOSPC: no space left on device, write\n' })
})

Usage('a failure inside a command ends with 1 and one line on standard error', async () => {
  const failing = {
    'server --config /nonexistent.yaml': 'settings file: expected an existing file, got /nonexistent.yaml',
    'server --no-auth=false':
      'requestors: expected at least one requestor, because "no_auth" is false, got none',
    'server --production --schemes-path demo/schemes --requestors {"a":{"auth_method":"token","key":"k"}}':
      'url: expected the address at which wallet apps reach this server, got none',
    'server --no-auth=false --requestors {"a":{"auth_method":"hmac","key":"k"}}':
      'requestors.a.key: expected a secret in Base64, got something else',
    'server --schemes-path demo/schemes --store nope':
      'store: expected "memory", "sqlite:FILE", "postgres://..." or "redis://...", got "nope"',
    'server check --schemes-path demo/schemes --store sqlite:':
      'store: expected "memory", "sqlite:FILE", "postgres://..." or "redis://...", got "sqlite:"',
    'server check --schemes-path demo/schemes --disclose-perms nope.*':
      'disclose_perms: expected a name that the schemes define, got "nope.*"; the nearest is "svc-demo.*"',
  }
  for (const [words, message] of Object.entries(failing)) {
    const { code, stdout, stderr } = await runSvc(words.split(' '))
    assert.equal({ code, stdout, stderr }, { code: 1, stdout: '', stderr: `svc: ${message}\n` }, words)
  }
})

Usage('settings come from flag, variable and file, and the first log line says what runs', async () => {
  const folder = temporaryFolder()
  const config = join(folder, 'any.yaml')
  writeFileSync(
    config,
    'profile: irma\nport: 1\nlisten_addr: 127.0.0.1\nstore: memory\nstore_type: memory\nemail: a@b.example\nsse: true\n',
  )
  const port = await freePort()
  const words = ['server', '--config', config, '--schemes-path', 'demo/schemes', '--port', String(port)]
  const server = startSvc(words, { SVCSERVER_PORT: '2', SVCSERVER_ARITHMETIC: 'bigint' })
  const said = await withSvc(server, async ({ says, process }) => {
    const text = await says('svc server running')
    process.kill('SIGINT')
    await server.finished
    return text
  })
  assert.match(said, /WARN email in .*any\.yaml: ignored, because irmaserver makes no use of it /)
  assert.match(said, /WARN sse in .*any\.yaml: ignored, because event streams are always on\n/)
  assert.match(
    said,
    / INFO svc server running version="\d+\.\d+\.\d+" verbosity=0 mode="development" profile="irma" arithmetic="bigint"/,
  )
  assert.match(said, new RegExp(` address="127.0.0.1" port=${port} url="http://127.0.0.1:${port}/"\n`))
  const { code, stderr } = await server.finished
  assert.is(code, 0)
  assert.match(stderr, / WARN no_auth: any caller may start sessions\n/)
  assert.match(stderr, / WARN url: wallet apps refuse plain HTTP outside of their developer mode\n/)
})

Usage('settings are checked while a server runs on their store; a second server is refused', async () => {
  const folder = temporaryFolder()
  const port = await freePort()
  const store = ['--schemes-path', 'demo/schemes', '--store', `sqlite:${join(folder, 's.sqlite')}`]
  const server = startSvc(['server', ...store, '--listen-addr', '127.0.0.1', '--port', String(port)])
  const [check, second] = await withSvc(server, async ({ says }) => {
    await says('svc server running')
    return [
      await runSvc(['server', 'check', ...store]),
      await runSvc(['server', ...store, '--port', String(await freePort())]),
    ]
  })
  assert.is((await server.finished).code, 0)
  assert.is(check.code, 0, check.stderr)
  assert.is(second.code, 1)
  assert.match(
    second.stderr,
    /expected to be its only process, but another one uses it: stop that one, or name another file\n$/,
  )
})

Usage('with certificate and key the server speaks TLS, and its address is https', async () => {
  const port = await freePort()
  const tls = 'test/vectors/tls'
  const files = ['--tls-cert-file', `${tls}/cert.pem`, '--tls-privkey-file', `${tls}/key.pem`]
  const where = ['--listen-addr', '127.0.0.1', '--port', String(port), '--store', 'memory']
  const server = startSvc(['server', '--schemes-path', 'demo/schemes', ...where, ...files])
  await withSvc(server, async ({ says }) => {
    assert.match(await says('svc server running'), new RegExp(` url="https://127\\.0\\.0\\.1:${port}/"`))
    const ca = readFileSync(`${tls}/cert.pem`)
    const answered = new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: '/health', ca, agent: false }, answer => {
        answer.resume().on('end', () => resolve(answer.statusCode))
      }).on('error', reject)
    })
    assert.is(await answered, 200)
  })
  assert.is((await server.finished).code, 0)
})

Usage('svc demo prints one address, and ends with 0 when it is told to stop', async () => {
  const demo = startSvc(['demo'])
  const said = await withSvc(demo, async ({ says }) => {
    const text = await says('\n')
    const [, address = ''] = /^Open (http:\/\/127\.0\.0\.1:\d+\/)\n$/.exec(text) ?? []
    assert.match(await (await fetch(address)).text(), /^<!doctype html>/)
    return text
  })
  assert.equal(await demo.finished, { code: 0, stdout: said, stderr: '' })
})

Usage('svc demo --phone takes an address of this computer in a network, and no other', async () => {
  const got = await runSvc(['demo', '--phone', '127.0.0.1'])
  assert.equal([got.code, got.stdout], [1, ''])
  assert.match(
    got.stderr,
    /^svc: --phone: expected an (IPv4 address of this computer in a network, got none|address of this computer in a network \(.+\), got "127\.0\.0\.1")\n$/,
  )
})

const [network] = networkAddresses()
const inNetwork = network === undefined ? Usage.skip : Usage // a computer without a network is refused, which a test above covers

inNetwork(
  'svc demo --phone prints the address that the phone calls, the first one or the one that is named',
  async () => {
    for (const words of [['--phone'], ['--phone', network ?? '']])
      await withSvc(startSvc(['demo', ...words]), async ({ says }) => {
        const [, address = ''] = /^Your phone calls ([^\s;]+)/m.exec(await says('Your phone calls')) ?? []
        assert.is(new URL(address).hostname, network)
        assert.is((await fetch(address, { headers: { Accept: 'text/html' } })).status, 200)
      })
  },
)
Usage.run()
