/** `svc keyshare` as operators run it: its own process, on an empty folder, with keys that it generates. @module */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { register } from '../../libraries/wallet/keyshare/register.ts'
import { unlock } from '../../libraries/wallet/keyshare/unlock.ts'
import { createWallet } from '../../libraries/wallet/wallet.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { depsOf, PIN, SCHEME } from '../server/keyshare/node.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { deps as walletDeps } from '../wallet/demo-wallets.ts'
import { freePort, type Running, runSvc, startSvc } from './run-svc.ts'

const [FAILURE, WRONG_USAGE] = [1, 255]
const folder = temporaryFolder()
const at = (name: string): string => join(folder, name)
const scheme = at('schemes/svc-keyshare')
const SETTINGS = at('keyshare.json')

const Keyshare = suite('svc keyshare')
const started = new Set<Running>()
Keyshare.after(() => {
  for (const { process } of started) process.kill('SIGKILL') // left behind by a failed test
})

/** Fails the test with the output if the exit code is not 0. */
async function svc(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runSvc(words)
  assert.is(code, 0, stderr)
  return stdout
}

Keyshare.before(async () => {
  cpSync('demo/schemes/svc-keyshare', scheme, { recursive: true })
  await svc('keyshare', 'keygen', 'storage', '--key-file', at('storage.aes'), '--counter', '3')
  const files = ['--private-key', at('kss.pem'), '--public-key', join(scheme, 'kss-2.pem')]
  await svc('keyshare', 'keygen', 'jwt', '--counter', '2', ...files)
  await svc('scheme', 'sign', join(scheme, 'sk.pem'), scheme)
  writeFileSync(
    SETTINGS,
    JSON.stringify({
      profile: 'irma',
      schemes_path: at('schemes'),
      listen_addr: '127.0.0.1',
      workers: 1,
      keyshare_attribute: 'svc-keyshare.keyshare.keyshare.username',
      storage_primary_key_file: at('storage.aes'),
      jwt_privkey_file: at('kss.pem'),
      jwt_privkey_id: 2,
    }),
  )
})

type Server = { readonly running: Running; readonly port: number; readonly file: string }

async function startServer(file: string, words: readonly string[] = []): Promise<Server> {
  const port = await freePort()
  const listening = ['--port', String(port), '--url', 'http://127.0.0.1:port', '--store', `sqlite:${file}`]
  const running = startSvc(['keyshare', '--config', SETTINGS, ...listening, ...words])
  started.add(running)
  await running.says('svc keyshare running')
  return { running, port, file }
}

async function stopped({ running }: Server): Promise<string> {
  running.process.kill('SIGTERM')
  const { code, stdout, stderr } = await running.finished
  assert.is(code, 0, stderr)
  return stdout + stderr
}

async function newWallet() {
  const deps = { ...walletDeps, clock: createSystemClock(), schemes: await loadSchemes(at('schemes')) }
  return createWallet(join(temporaryFolder(), 'wallet'), { developerMode: true }, deps)
}

Keyshare('a wallet registers and logs in with keys that keygen made, and again after a restart', async () => {
  const first = await startServer(at('whole.sqlite'))
  const wallet = await newWallet()
  const registration = { pin: PIN, email: '', language: 'en' }
  assert.equal(await register(depsOf(wallet, first.port), SCHEME, registration), { status: 'success' })
  const log = await stopped(first)
  assert.match(log, /svc keyshare running .* shortChecks="(here|threads)" .* kid=2 storageKey=3/)
  assert.match(log, /svc keyshare stopping.*\n(.*\n)*.*INFO svc keyshare stopped\n$/)
  const second = await startServer(first.file)
  const asked: unknown[] = []
  const askPin = async ({ triesLeft }: { readonly triesLeft: number | null }): Promise<string> => {
    asked.push(triesLeft)
    return asked.length === 1 ? 'wrong' : PIN
  }
  assert.equal(await unlock(depsOf(wallet, second.port), SCHEME, askPin), { status: 'success' })
  assert.equal(asked, [null, 2])
  await stopped(second)
})

Keyshare('wrong PINs are counted over a restart', async () => {
  const first = await startServer(at('counted.sqlite'))
  const wallet = await newWallet()
  const registration = { pin: PIN, email: '', language: 'en' }
  await register(depsOf(wallet, first.port), SCHEME, registration)
  const tries: (number | null)[] = []
  const wrongOnce = async ({ triesLeft }: { readonly triesLeft: number | null }) => {
    tries.push(triesLeft)
    return triesLeft === null ? 'wrong' : null
  }
  await unlock(depsOf(wallet, first.port), SCHEME, wrongOnce)
  await stopped(first)
  const second = await startServer(first.file)
  await unlock(depsOf(wallet, second.port), SCHEME, wrongOnce)
  assert.equal(tries, [null, 2, null, 1])
  await stopped(second)
})

/** Sends only the head of a registration. */
async function begun(port: number, body: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  const head = ['POST /client/register HTTP/1.1', 'Host: a', `Content-Length: ${body.length}`, '', '']
  await new Promise<void>(resolve => socket.write(head.join('\r\n'), () => resolve()))
  return socket
}

Keyshare(
  'a stopping server finishes a registration in progress, and the session of that registration survives the restart',
  async () => {
    const server = await startServer(at('stopped.sqlite'))
    const body = JSON.stringify({ pin: PIN })
    const socket = await begun(server.port, body)
    const answer = socket.toArray()
    await fetch(`http://127.0.0.1:${server.port}/health`) // the head has arrived before this call
    server.running.process.kill('SIGTERM')
    await server.running.says('svc keyshare stopping')
    socket.write(body)
    const text = Buffer.concat(await answer).toString()
    assert.match(text, 'HTTP/1.1 200')
    const [, path] = /"u":"http:\/\/127.0.0.1:\d+(\/irma\/session\/\w+)"/.exec(text) ?? []
    assert.is((await server.running.finished).code, 0)
    const again = await startServer(server.file)
    const versions = { 'X-IRMA-MinProtocolVersion': '2.4', 'X-IRMA-MaxProtocolVersion': '2.8' }
    const request = await fetch(`http://127.0.0.1:${again.port}${path}`, {
      headers: { ...versions, Authorization: 'app' },
    })
    assert.is(request.status, 200)
    await stopped(again)
  },
)

Keyshare('the log holds no PIN, token or name, at its lowest level too', async () => {
  const server = await startServer(at('logged.sqlite'), ['-vv'])
  const wallet = await newWallet()
  const deps = depsOf(wallet, server.port)
  const said: string[] = []
  const overheard: typeof fetch = async (url, init) => {
    const answer = await deps.fetch(url, init)
    const { authorization = '', ...headers } = Object.fromEntries(new Headers(init?.headers))
    const texts = [String(url), String(init?.body ?? ''), authorization, await answer.clone().text()]
    said.push(...texts, headers['x-irma-keyshare-username'] ?? '')
    return answer
  }
  const registration = { pin: PIN, email: '', language: 'en' }
  const listening = { ...deps, fetch: overheard }
  assert.equal(await register(listening, SCHEME, registration), { status: 'success' })
  await unlock(listening, SCHEME, async () => 'wrong-pin')
  const log = await stopped(server)
  const secrets = new Set(said.flatMap(text => text.match(/[\w+/=-]{12,}/g) ?? []))
  for (const word of ['Content-Type', 'pin_challengeresponse', 'verify_start']) secrets.delete(word)
  const known = ['renewKeyshareAttribute', 'getCommitments', 'svc-keyshare']
  const leaked = [...secrets].filter(text => log.includes(text) && !known.some(name => text.includes(name)))
  assert.ok(secrets.size > 20)
  assert.equal(leaked, [])
})

Keyshare(
  'svc server and svc keyshare do not share a file: the second one reports that another process uses the file',
  async () => {
    const server = await startServer(at('held.sqlite'))
    const words = ['--schemes-path', 'demo/schemes', '--store', `sqlite:${server.file}`]
    const { code, stderr } = await runSvc(['server', ...words, '--port', String(await freePort())])
    assert.is(code, FAILURE)
    const expected = 'expected to be its only process, but another one uses it'
    assert.is(stderr, `svc: store ${server.file}: ${expected}: stop that one, or name another file\n`)
    await stopped(server)
  },
)

Keyshare(
  'without a store in the settings, accounts are in a separate file in the data directory of the user',
  async () => {
    const home = at('home')
    const words = ['--config', SETTINGS, '--port', String(await freePort())]
    const running = startSvc(['keyshare', ...words], { XDG_DATA_HOME: home })
    started.add(running)
    const said = await running.says('svc keyshare running')
    const file = join(home, 'svc/keyshare.sqlite')
    assert.ok(existsSync(file))
    const line = `INFO store: sqlite:${file}, the default, because "store" is not set\n`
    assert.is(said.split(line).length, 2)
    const { stderr } = await runSvc(['keyshare', 'check', ...words], { XDG_DATA_HOME: home })
    assert.is(stderr.split(line).length, 2)
    running.process.kill('SIGTERM')
    assert.is((await running.finished).code, 0)
  },
)

Keyshare('check builds everything, opens no port and makes no file', async () => {
  const file = at('checked.sqlite')
  const { code, stderr } = await runSvc([
    'keyshare',
    'check',
    '--config',
    SETTINGS,
    '--store',
    `sqlite:${file}`,
    '--stop-delay', // for listeners; this server has none
    '596h',
  ])
  assert.is(code, 0, stderr)
  assert.match(stderr, 'the settings are in order')
  assert.not(existsSync(file))
})

const MISTAKES: readonly (readonly [words: readonly string[], code: number, message: string])[] = [
  [
    ['--storage-primary-key-file', 'none'],
    FAILURE,
    'svc: storage_primary_key_file: expected an existing file, got none\n',
  ],
  [
    ['--jwt-privkey-id', '0'],
    FAILURE,
    ': expected the private key of kss-0.pem in scheme svc-keyshare, got another; "jwt_privkey_id" says',
  ],
  [['--store', 'redis:'], FAILURE, 'svc: store: expected '],
  [
    ['--store', 'rediss://:hunter2pw@redis.example'],
    FAILURE,
    'svc: store: expected "memory", "sqlite:FILE" or "postgres://...", got an address of Redis, where no accounts can be kept\n',
  ],
  [
    ['--jwt-pin-expiry', '60'],
    WRONG_USAGE,
    'Error: flag --jwt-pin-expiry: expected an integer from 61 to 604800, got 60\nSee svc keyshare',
  ],
  [
    ['--jwt-pin-expiri', '61'],
    WRONG_USAGE,
    "Error: unknown option '--jwt-pin-expiri' (Did you mean --jwt-pin-expiry?)\nSee svc keyshare",
  ],
]

for (const [words, code, message] of MISTAKES)
  Keyshare(`check ${words.join(' ')}: one message, and exit code ${code}`, async () => {
    const ended = await runSvc(['keyshare', 'check', '--config', SETTINGS, '--store', 'memory', ...words])
    assert.is(ended.code, code)
    assert.ok(ended.stderr.includes(message), ended.stderr)
  })

Keyshare('options prints docs/keyshare-options.md', async () => {
  assert.is(await svc('keyshare', 'options'), readFileSync('docs/keyshare-options.md', 'utf8'))
})

Keyshare('the help names its commands, and keygen takes no option of the server', async () => {
  const help = await svc('keyshare', '--help')
  for (const command of ['run', 'check', 'options', 'keygen'])
    assert.match(help, new RegExp(`^  ${command}\\b`, 'm'))
  assert.match(await svc('keyshare', 'check', '--help'), 'The options of svc keyshare apply here too')
  for (const words of [['keygen'], ['keygen', 'storage'], ['keygen', 'jwt']])
    assert.not.match(await svc('keyshare', ...words, '--help'), 'apply here too')
})
Keyshare.run()
