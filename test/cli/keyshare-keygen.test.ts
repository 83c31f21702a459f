/** `svc keyshare keygen` as users run it. @module */
import { createPublicKey, sign, verify } from 'node:crypto'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parseStorageKey } from '../../accounts/storage-keys.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runSvc } from './run-svc.ts'

const WRONG_USAGE = 255

const Keygen = suite('svc keyshare keygen')

function newPath(name: string): string {
  return join(mkdtempSync(join(temporaryFolder(), 'keys')), name)
}

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8)

Keygen('storage: a new key with its number, for its owner alone', async () => {
  const file = newPath('one.aes')
  const { code, stdout, stderr } = await runSvc([
    'keyshare',
    'keygen',
    'storage',
    '--key-file',
    file,
    '--counter',
    '7',
  ])
  assert.equal([code, stdout, stderr], [0, `Storage key 7 written at ${file}\n`, ''])
  assert.is(parseStorageKey(readFileSync(file)).id, 7)
  assert.is(modeOf(file), '600')
  const other = newPath('two.aes')
  await runSvc(['keyshare', 'keygen', 'storage', '--key-file', other, '--counter', '7'])
  assert.is.not(readFileSync(other, 'hex'), readFileSync(file, 'hex'))
})

Keygen('a flag of the server is refused, because -c is no counter', async () => {
  for (const words of [
    ['storage', '-c', '5'],
    ['jwt', '--production'],
  ]) {
    const { code, stdout, stderr } = await runSvc(['keyshare', 'keygen', ...words])
    assert.equal([code, stdout], [WRONG_USAGE, ''])
    assert.match(stderr, /expected flags of this command \(.*--counter.*\), got .*, a flag of the server/)
  }
})

Keygen('-c without the name of a key is refused, so that a script for another program stops', async () => {
  const { code, stdout, stderr } = await runSvc(['keyshare', 'keygen', '-c', '5'])
  assert.equal([code, stdout], [WRONG_USAGE, ''])
  assert.match(stderr, /expected flags of this command \(storage, jwt\), got -c/)
})

Keygen('storage: the largest number has 32 bits', async () => {
  const file = newPath('one.aes')
  const words = ['keyshare', 'keygen', 'storage', '--key-file', file, '--counter']
  const tooLarge = await runSvc([...words, '4294967296'])
  assert.is(tooLarge.code, WRONG_USAGE)
  assert.match(tooLarge.stderr, '--counter: expected an integer from 0 to 4294967295, got "4294967296"')
  assert.is((await runSvc([...words, '4294967295'])).code, 0)
  assert.is(parseStorageKey(readFileSync(file)).id, 4_294_967_295)
})

Keygen('a number is written in digits', async () => {
  for (const counter of ['-1', '01', '1.5', '', 'x']) {
    const words = ['storage', '--key-file', newPath('k')]
    const { code, stderr } = await runSvc(['keyshare', 'keygen', ...words, `--counter=${counter}`])
    assert.is(code, WRONG_USAGE, counter)
    assert.match(
      stderr,
      `--counter: expected an integer from 0 to 4294967295, got ${JSON.stringify(counter)}`,
    )
  }
})

Keygen('storage: an existing file is not changed', async () => {
  const file = newPath('one.aes')
  writeFileSync(file, 'before')
  const { code, stderr } = await runSvc(['keyshare', 'keygen', 'storage', '--key-file', file])
  assert.is(code, WRONG_USAGE)
  assert.match(stderr, `${file}: expected a new file, but it exists; choose another with --key-file`)
  assert.is(readFileSync(file, 'utf8'), 'before')
})

Keygen('jwt: a pair of RSA keys, the private one for its owner alone', async () => {
  const [privateFile, publicFile] = [newPath('s.pem'), newPath('kss-3.pem')]
  const files = ['--private-key', privateFile, '--public-key', publicFile]
  const { code, stdout } = await runSvc(['keyshare', 'keygen', 'jwt', '--counter', '3', ...files])
  assert.is(code, 0)
  assert.is(stdout, `Private key 3 written at ${privateFile}\nPublic key 3 written at ${publicFile}\n`)
  assert.equal([modeOf(privateFile), modeOf(publicFile)], ['600', '644'])
  const publicKey = createPublicKey(readFileSync(publicFile))
  assert.equal([publicKey.asymmetricKeyType, publicKey.asymmetricKeyDetails?.modulusLength], ['rsa', 2048])
  const [text, pem] = [Buffer.from('text'), readFileSync(privateFile)]
  assert.ok(verify('sha256', text, publicKey, sign('sha256', text, pem)))
})

Keygen(
  'jwt: no existing public key is replaced, and no private key is left without its public key',
  async () => {
    const [privateFile, publicFile] = [newPath('s.pem'), newPath('kss-0.pem')]
    writeFileSync(publicFile, 'before')
    const files = ['--private-key', privateFile, '--public-key', publicFile]
    const { code, stderr } = await runSvc(['keyshare', 'keygen', 'jwt', ...files])
    assert.is(code, WRONG_USAGE)
    assert.match(
      stderr,
      `${publicFile}: expected a new file, but it exists; choose another with --public-key`,
    )
    assert.is(readFileSync(publicFile, 'utf8'), 'before')
    assert.throws(() => statSync(privateFile))
  },
)

Keygen('jwt: the largest number has nine digits, as in the names of files of a scheme', async () => {
  const { code, stderr } = await runSvc(['keyshare', 'keygen', 'jwt', '--counter', '1000000000'])
  assert.is(code, WRONG_USAGE)
  assert.match(stderr, '--counter: expected an integer from 0 to 999999999, got "1000000000"')
})

Keygen('jwt: files are named after the number', async () => {
  const { stdout } = await runSvc(['keyshare', 'keygen', 'jwt', '--help'])
  for (const name of ['kss-N.private.pem', 'kss-N.pem']) assert.match(stdout, `(default: ${name})`)
})
Keygen.run()
