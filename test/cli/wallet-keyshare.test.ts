/** `svc wallet register | unlock | change-pin | answer` with a keyshare server: PINs are entered or read from files, and never shown (spec/interface#4.5, #5.4). @module */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import * as assert from 'uvu/assert'
import { readPin } from '../../cli/wallet/pin.ts'
import { readUnseen } from '../../cli/wallet/questions.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { SECOND, withKeyshareServer, withSecondScheme } from '../wallet/keyshare/keyshare-schemes.ts'
import { startRealKeyshare } from '../wallet/keyshare/real-keyshare.ts'
import { startRealServer } from '../wallet/real-server.ts'
import { type Finished, freePort, runSvc, startSvc } from './run-svc.ts'

const port = await freePort()
const folder = withKeyshareServer(`http://127.0.0.1:${port}`)
const clock = createSystemClock()
const keyshare = await startRealKeyshare({ profile: 'svc', folder, scheme: 'svc-keyshare', clock, port })
const sessions = await startRealServer(PROFILES.svc, await loadSchemes(folder))

const dir = join(temporaryFolder(), 'wallet')
const files = temporaryFolder()
function pinFile(pin: string): string {
  const file = join(files, pin)
  writeFileSync(file, `${pin}\n`)
  return file
}

function words(command: string, ...more: readonly string[]): readonly string[] {
  return ['wallet', command, ...more, '--dir', dir, '--schemes-path', folder]
}

/** Sends these lines as input to a program without a terminal. */
async function typing(lines: readonly string[], all: readonly string[]): Promise<Finished> {
  const running = startSvc(all)
  running.process.stdin?.end(lines.map(line => `${line}\n`).join(''))
  return running.finished
}

const Keyshare = suite('svc wallet with a keyshare server')
Keyshare.after(async () => {
  await keyshare.close()
  await sessions.close()
})

Keyshare('a wallet registers with a PIN that is typed the same twice', async () => {
  assert.is((await runSvc([...words('init'), '--developer-mode'])).code, 0)
  const different = await typing(['12345', '12354'], words('register'))
  assert.equal([different.code, different.stdout], [1, ''])
  assert.match(
    different.stderr,
    /PIN: expected the same PIN twice, got two different ones; nothing was changed/,
  )
  const { code, stdout } = await typing(['12345', '12345'], words('register'))
  assert.equal([code, stdout], [0, 'Registered at the keyshare server of svc-keyshare.\n'])
  assert.match((await runSvc(words('list'))).stdout, /svc-keyshare\.keyshare\.keyshare {2}expires/)
  const again = await runSvc([...words('register'), '--pin-file', pinFile('12345')])
  assert.match(
    again.stderr,
    /^svc: already-registered: this wallet has an account of svc-keyshare already\n$/,
  )
})

Keyshare('the message of a failure names the command that helps', async () => {
  const strict = ['--dir', join(files, 'strict'), '--schemes-path', folder]
  await runSvc(['wallet', 'init', ...strict])
  const refused = await runSvc(['wallet', 'register', ...strict, '--pin-file', pinFile('12345')])
  assert.is(
    refused.stderr,
    'svc: insecure: keyshare server of svc-keyshare: plain HTTP needs developer mode; svc wallet init --developer-mode makes a wallet that accepts it\n',
  )
})

Keyshare('a PIN file that is not UTF-8 is refused before a try is used', () => {
  const file = join(files, 'latin')
  writeFileSync(file, Buffer.from('123\u00e945\n', 'latin1'))
  assert.throws(
    () => readPin('--pin-file', file),
    (error: Error) => error.message === `--pin-file ${file}: expected text in UTF-8, got another`,
  )
})

Keyshare('registration with an address makes no promise that the server sends a mail', async () => {
  const other = ['--dir', join(files, 'other'), '--schemes-path', folder]
  await runSvc(['wallet', 'init', '--developer-mode', ...other])
  const given = ['--pin-file', pinFile('12345'), '--email', 'anna@example.test']
  const { stdout } = await runSvc(['wallet', 'register', ...other, ...given])
  assert.match(stdout, /\nIf this server sends mail, a link that confirms your address is on its way\.\n$/)
  const wrong = ['wallet', 'unlock', ...other, '--pin-file', pinFile('54321')]
  await runSvc(wrong)
  assert.match((await runSvc(wrong)).stderr, /got another; 1 try is left\n$/)
})

Keyshare('a session asks for the PIN after consent, and again after a wrong PIN', async () => {
  const session = await sessions.create('disclosing', {
    disclose: [[['svc-keyshare.keyshare.keyshare.username']]],
  })
  const { code, stdout, stderr } = await typing(['yes', '54321', '12345'], words('answer', session.pointer))
  assert.is(code, 0, stderr)
  assert.match(
    stderr,
    /PIN of svc-keyshare: Wrong PIN. Tries left until the account is blocked: 2. PIN of svc-keyshare: $/,
  )
  assert.match(stdout, /Disclosed: the proofs are valid\.\n$/)
  assert.not.match(stdout + stderr, /12345|54321/)
  assert.is((await session.result()).proofStatus, 'VALID')
})

Keyshare('an empty input refuses the session', async () => {
  const session = await sessions.create('issuing', {
    credentials: [{ credential: 'svc-keyshare.shop.loyalty', attributes: { number: '3' } }],
  })
  const { code, stdout } = await typing(['yes', ''], words('answer', session.pointer))
  assert.equal([code, stdout.split('\n').at(-2)], [0, 'Refused.'])
  assert.is((await session.result()).status, 'CANCELLED')
})

Keyshare('a PIN from a file is tried once, and a wrong PIN is reported', async () => {
  const right = await runSvc([...words('unlock'), '--pin-file', pinFile('12345')])
  assert.equal([right.code, right.stdout], [0, 'The PIN is right.\n'])
  const file = pinFile('99999')
  const wrong = await runSvc([...words('unlock'), '--pin-file', file])
  assert.equal(
    [wrong.code, wrong.stderr],
    [1, `svc: --pin-file ${file}: expected the PIN of svc-keyshare, got another; 2 tries are left\n`],
  )
  const empty = join(files, 'empty')
  writeFileSync(empty, '\n')
  const none = await runSvc([...words('unlock'), '--pin-file', empty])
  assert.is(none.stderr, `svc: --pin-file ${empty}: expected a PIN in its first line, got nothing\n`)
})

Keyshare('the PIN is changed; the old one is wrong then', async () => {
  const flags = ['--pin-file', pinFile('12345'), '--new-pin-file', pinFile('54321')]
  const { code, stdout } = await runSvc([...words('change-pin'), ...flags])
  assert.equal([code, stdout], [0, 'The PIN is changed.\n'])
  const again = await runSvc([...words('change-pin'), ...flags])
  assert.match(
    again.stderr,
    /^svc: wrong-pin: the PIN is wrong; tries left until the keyshare server of svc-keyshare blocks the account: 2/,
  )
  const typed = await typing(['54321', '12345', '12345'], words('change-pin'))
  assert.equal([typed.code, typed.stdout], [0, 'The PIN is changed.\n'])
})

Keyshare('a scheme without a keyshare server is refused', async () => {
  const { stderr } = await typing(['12345', '12345'], words('register', 'svc-demo'))
  assert.match(stderr, /svc: not-registered: svc-demo: expected a scheme with a keyshare server\n$/)
})

Keyshare('without SCHEME, a folder needs exactly one scheme with a keyshare server', async () => {
  const none = temporaryFolder()
  cpSync(join(folder, 'svc-demo'), join(none, 'svc-demo'), { recursive: true })
  const address = `http://127.0.0.1:${port}`
  const two = withSecondScheme({ keyshare: address, stamps: address })
  for (const [name, schemes, message] of [
    ['none', none, 'expected a scheme with a keyshare server in the schemes folder, got none'],
    [
      'two',
      two,
      `expected one of svc-keyshare, ${SECOND}, because several schemes have a keyshare server, got none`,
    ],
  ] as const) {
    const flags = ['--dir', join(files, name), '--schemes-path', schemes]
    assert.is((await runSvc(['wallet', 'init', ...flags])).code, 0)
    for (const command of ['register', 'unlock']) {
      const refused = await runSvc(['wallet', command, ...flags, '--pin-file', pinFile('12345')])
      assert.equal([refused.code, refused.stderr], [1, `svc: SCHEME: ${message}\n`])
    }
  }
})

Keyshare('the typed PIN is not shown, and keys work as at other terminals', async () => {
  const modes: boolean[] = []
  const interrupts: string[] = []
  const read = async (typed: string): Promise<string> => {
    const terminal = new PassThrough()
    const setRawMode = (isOn: boolean): number => modes.push(isOn)
    const keyboard = Object.assign(terminal, { setRawMode })
    const line = readUnseen(keyboard, () => void interrupts.push('interrupted'))
    terminal.write(typed)
    return line
  }
  assert.is(await read('12345\r'), '12345')
  assert.is(await read('124\u007f3\b345\r'), '12345')
  assert.is(await read('123\u0004'), '123')
  assert.equal(interrupts, [])
  assert.is(await read('123\u0003'), '')
  assert.equal(interrupts, ['interrupted'])
  assert.equal(modes, [true, false, true, false, true, false, true, false])
})

Keyshare.run()
