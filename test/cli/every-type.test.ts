/** Sessions of every type and every way of authentication between processes: `svc server`, `svc session`, `svc wallet`, `svc signature` (spec/schemes-and-cli#16.3,
 *  #16.4). @module */

import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { listen } from '../../demo/listen.ts'
import { createTimestampServer } from '../../demo/timestamp-server.ts'
import { closeListener } from '../../http/listen.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { signIndex } from '../schemes/make-scheme.ts'
import { suite } from '../suite.ts'
import { type Finished, freePort, type Running, runSvc, startSvc } from './run-svc.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-every-type-'))
const schemes = join(folder, 'schemes')
const wallet = ['--dir', join(folder, 'wallet'), '--schemes-path', schemes]
const AGE = 'svc-demo.gov.idcard.over18'
const BASE = 'https://svc.example/ld/request'
const KEYS = 'test/vectors/keys'
const SECRET = Buffer.from('a secret that is long enough for it').toString('base64')
const PERMS = { disclose_perms: ['*'], sign_perms: ['*'], issue_perms: ['svc-demo.*'] }
const REQUESTORS = JSON.stringify({
  'Token shop': { auth_method: 'token', key: 'shop token', ...PERMS },
  'HMAC shop': { auth_method: 'hmac', key: SECRET, ...PERMS },
  'RSA shop': { auth_method: 'publickey', key_file: `${KEYS}/requestor-rs256.public.pem`, ...PERMS },
})
const BY_TOKEN = ['--auth-method', 'token', '--key', 'shop token']
const BY_HMAC = ['--auth-method', 'hmac', '--key', SECRET, '--name', 'HMAC shop']
const BY_RSA = ['-a', 'rsa', '--key', `${KEYS}/requestor-rs256.private.pem`, '--name', 'RSA shop']

const clock = createSystemClock()
const expiresAtSec = Math.floor(clock.wallNow() / 1_000) + 3_600
const stamps = createTimestampServer({ clock, expiresAtSec })

/** The demo schemes with another timestamp server. */
async function makeSchemes(): Promise<void> {
  cpSync('demo/schemes', schemes, { recursive: true })
  const scheme = join(schemes, 'svc-demo')
  const file = join(scheme, 'description.xml')
  const text = readFileSync(file, 'utf8')
  const address = await stamps.listen(0, '127.0.0.1')
  const changed = text.replace(/(<TimestampServer>)[^<]*/, `$1${address}`)
  const hash = (content: string) => createHash('sha256').update(content).digest('hex')
  writeFileSync(file, changed)
  const index = readFileSync(join(scheme, 'index'), 'utf8')
  await signIndex(scheme, index.replace(hash(text), hash(changed)))
}

const Every = suite('svc session: every type of session and way of authentication')
let address = ''
let server: Running | undefined

Every.before(async () => {
  await makeSchemes()
  const made = await runSvc(['wallet', 'init', '--demo', ...wallet])
  assert.is(made.code, 0, made.stderr)
  const port = String(await freePort())
  const key = ['--jwt-privkey-file', `${KEYS}/session-jwt.private.pem`, '--jwt-issuer', 'a server']
  const options = ['--schemes-path', schemes, '--port', port, '--store', 'memory', '--no-auth=false', ...key]
  server = startSvc(['server', ...options, '--requestors', REQUESTORS])
  await server.says('svc server running')
  address = `http://127.0.0.1:${port}`
})

Every.after(async () => {
  server?.process.kill('SIGTERM')
  await server?.finished
  await stamps.close()
  rmSync(folder, { recursive: true })
})

type Result = Readonly<Record<string, unknown>>

/** Plays a session to which the wallet agrees.
 *  @returns its pointer, and the result of each session of the chain */
async function session(
  ...words: readonly string[]
): Promise<{ pointer: Result; results: readonly Result[] }> {
  const running = startSvc(['session', '--server', address, '--schemes-path', schemes, '--json', ...words])
  const said = await running.says('"}\n')
  const answering = runSvc(['wallet', 'answer', said.slice(0, said.indexOf('\n')), ...wallet, '--yes'])
  if (words.includes('--pairing')) {
    await running.says('Press Enter')
    running.process.stdin?.write('\n')
  }
  assertEnded(await answering)
  const finished = await running.finished
  assertEnded(finished)
  const [pointer = {}, ...results] = finished.stdout
    .trimEnd()
    .split('\n')
    .map((line): Result => JSON.parse(line))
  for (const result of results) assert.equal([result.status, result.proofStatus], ['DONE', 'VALID'])
  return { pointer, results }
}

function assertEnded({ code, stderr, stdout }: Finished): void {
  assert.is(code, 0, stdout + stderr)
}

for (const [how, words] of Object.entries({ token: BY_TOKEN, hmac: BY_HMAC, rsa: BY_RSA }))
  Every(`--disclose with --auth-method ${how}`, async () => {
    const { pointer, results } = await session('--disclose', AGE, ...words)
    assert.is(pointer.svcqr, 'disclosing')
    assert.match(JSON.stringify(results), '"rawvalue":"yes"')
  })

Every('--sign with --message; svc signature verify later prints the signed message', async () => {
  const { pointer, results } = await session('--sign', AGE, '--message', 'I agree.', ...BY_HMAC)
  assert.is(pointer.svcqr, 'signing')
  const [result = {}] = results
  const { timestamp } = result.signature as { timestamp: { Sig: { PublicKey: string } } }
  const file = join(folder, 'result.json')
  writeFileSync(file, JSON.stringify(result))
  const words = ['--schemes-path', schemes, '--timestamp-key', timestamp.Sig.PublicKey]
  const verified = await runSvc(['signature', 'verify', file, ...words])
  assertEnded(verified)
  assert.match(verified.stdout, /^Message: "I agree\."\nTime: .*\nsvc-demo\.gov\.idcard\.over18: "yes"\n$/)
})

Every('--issue: the wallet receives the credential', async () => {
  const { pointer, results } = await session(
    '--issue',
    'svc-demo.fast.note=from the terminal,more',
    ...BY_RSA,
  )
  assert.equal([pointer.svcqr, results.length], ['issuing', 1])
  const { stdout } = await runSvc(['wallet', 'show', 'svc-demo.fast.note', ...wallet])
  assert.match(stdout, '\n  text: from the terminal\n  extra: more\n')
})

Every('--issue with --disclose and --pairing: disclosed first, then received', async () => {
  const { results } = await session(
    '--issue',
    'svc-demo.fast.note=paired,',
    '--disclose',
    AGE,
    '--pairing',
    ...BY_TOKEN,
  )
  assert.match(JSON.stringify(results), '"rawvalue":"yes"')
  const { stdout } = await runSvc(['wallet', 'show', 'svc-demo.fast.note', ...wallet])
  assert.match(stdout, '\n  text: paired\n')
})

Every('a chain is followed: the result of each session, in order', async () => {
  const requestor = createServer((req, res) => {
    req.resume()
    const next = { '@context': `${BASE}/disclosure/v2`, disclose: [[['svc-demo.gov.idcard.familyname']]] }
    res.end(JSON.stringify(next))
  })
  const url = await listen(requestor, 0, '127.0.0.1')
  const request = { '@context': `${BASE}/disclosure/v2`, disclose: [[[AGE]]] }
  const chain = JSON.stringify({ request, nextSession: { url } })
  try {
    const { results } = await session('--request', chain, ...BY_HMAC)
    assert.is(results.length, 2)
    const [first, second] = results
    assert.is(first?.nextSession, second?.token)
    assert.match(JSON.stringify(second?.disclosed), '"svc-demo.gov.idcard.familyname"')
  } finally {
    await closeListener(requestor)
  }
})

Every.run()
