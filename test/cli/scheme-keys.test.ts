/** `svc scheme keygen --pass`, `keycopy` and `sign` with a passphrase (spec/schemes-and-cli#16.6). */
import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type Finished, runSvc, startSvc } from './run-svc.ts'

const Keys = suite('keys of schemes with a passphrase')

const RECORDED = join(PROJECT, 'test/vectors/scheme-keys/existing.pem')
const PASSPHRASE = 'correct horse'

function typing(words: readonly string[], lines: readonly string[]): Promise<Finished> {
  const running = startSvc(words)
  running.process.stdin?.end(lines.map(line => `${line}\n`).join(''))
  return running.finished
}

/** A copy of the demo scheme without the key that wallets trust, so that any key may sign it. */
function unsignedScheme(): string {
  const scheme = join(temporaryFolder(), 'svc-demo')
  cpSync('demo/schemes/svc-demo', scheme, { recursive: true })
  for (const name of ['pk.pem', 'sk.pem']) rmSync(join(scheme, name))
  return scheme
}

function fileOf(text: string): string {
  const file = join(temporaryFolder(), 'passphrase')
  writeFileSync(file, `${text}\n`)
  return file
}

for (const name of ['existing', 'ssh-aes256-ctr', 'ssh-aes256-gcm', 'ssh-pem', 'ssh-pkcs8'])
  Keys(`${name}: signs with its passphrase, and a wrong passphrase gives a message of one line`, async () => {
    const key = join(PROJECT, `test/vectors/scheme-keys/${name}.pem`)
    const scheme = unsignedScheme()
    const wrong = await typing(['scheme', 'sign', key, scheme], ['correct horse '])
    assert.equal([wrong.code, wrong.stdout], [1, ''])
    const question = 'Enter passphrase: '
    assert.is(wrong.stderr, `${question}svc: ${key}: expected the passphrase of this key, got another\n`)
    assert.not(existsSync(join(scheme, 'pk.pem')), 'nothing is written')
    const signed = await typing(['scheme', 'sign', key, scheme], [PASSPHRASE])
    assert.equal([signed.code, signed.stderr], [0, question])
    const byFile = ['scheme', 'sign', key, scheme, '--passphrase-file', fileOf(PASSPHRASE)]
    const again = await runSvc(byFile)
    assert.equal([again.code, again.stderr], [0, ''])
  })

Keys('a missing passphrase and an empty file each give a message of one line', async () => {
  const none = await typing(['scheme', 'sign', RECORDED, unsignedScheme()], [])
  assert.ok(
    none.stderr.endsWith(
      'svc: private key: expected a passphrase, got an empty one; a script names a file with --passphrase-file\n',
    ),
    none.stderr,
  )
  const file = fileOf('')
  const empty = await runSvc(['scheme', 'sign', RECORDED, unsignedScheme(), '--passphrase-file', file])
  assert.is(empty.stderr, `svc: --passphrase-file ${file}: expected a passphrase, got an empty one\n`)
})

Keys('keycopy changes the passphrase, removes it and adds it; no copy replaces a file', async () => {
  const folder = temporaryFolder()
  const [one, two, plain] = [join(folder, 'one.pem'), join(folder, 'two.pem'), join(folder, 'plain.pem')]
  const copied = await typing(
    ['scheme', 'keycopy', '-i', RECORDED, '-o', one],
    [PASSPHRASE, 'another one', 'another one'],
  )
  assert.equal([copied.code, copied.stdout], [0, `Private key written at ${one}\n`], copied.stderr)
  assert.is(copied.stderr, 'Enter passphrase: Enter passphrase for new key: Confirm passphrase: ')
  assert.match(readFileSync(one, 'utf8'), /^-----BEGIN ENCRYPTED IRMA SCHEME PRIVATE KEY-----\n/)
  assert.is(statSync(one).mode & 0o777, 0o600)
  const there = await runSvc(['scheme', 'keycopy', '-i', RECORDED, '-o', one])
  assert.is(there.code, 255)
  assert.match(there.stderr, `Error: ${one}: expected a new file, but it exists`)
  const opened = await typing(['scheme', 'keycopy', '-i', one, '-o', plain, '--pass=false'], ['another one'])
  assert.is(opened.code, 0, opened.stderr)
  assert.match(readFileSync(plain, 'utf8'), /^-----BEGIN EC PRIVATE KEY-----\n/)
  const again = await runSvc([
    ...['scheme', 'keycopy', '-i', plain, '-o', two],
    ...['--new-passphrase-file', fileOf(PASSPHRASE)],
  ])
  assert.is(again.code, 0, again.stderr)
  const scheme = unsignedScheme()
  assert.is((await runSvc(['scheme', 'sign', plain, scheme])).code, 0)
  const signed = await typing(['scheme', 'sign', two, scheme], [PASSPHRASE])
  assert.is(signed.code, 0, 'it is the same key')
})

Keys('a file with a passphrase is refused for a key that gets none', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'sk.pem')
  const flags = ['--new-passphrase-file', fileOf(PASSPHRASE)]
  for (const words of [
    ['keygen', '-s', file, '-p', join(folder, 'pk.pem')],
    ['keycopy', '-i', 'demo/schemes/svc-demo/sk.pem', '-o', file, '--pass=false'],
  ]) {
    const { code, stderr } = await runSvc(['scheme', ...words, ...flags])
    assert.is(code, 1)
    assert.match(stderr, '--new-passphrase-file: expected --pass true with it, got --pass false')
    assert.is(existsSync(file), false)
  }
})

Keys('a passphrase file may begin with a byte order mark, and is UTF-8', async () => {
  const copy = join(temporaryFolder(), 'copy.pem')
  const words = ['scheme', 'keycopy', '-i', RECORDED, '-o', copy, '--pass=false', '--passphrase-file']
  const marked = await runSvc([...words, fileOf(`\uFEFF${PASSPHRASE}`)])
  assert.is(marked.code, 0, marked.stderr)
  const latin = join(temporaryFolder(), 'latin')
  writeFileSync(latin, Buffer.from([0x70, 0xe9]))
  const { code, stderr } = await runSvc([...words.with(5, `${copy}2`), latin])
  assert.is(code, 1)
  assert.match(stderr, 'expected text in UTF-8, got another')
})

Keys('a key file may have a comment in another encoding before its PEM', async () => {
  const source = join(temporaryFolder(), 'latin.pem')
  const key = readFileSync('demo/schemes/svc-demo/sk.pem')
  writeFileSync(source, Buffer.concat([Buffer.from('# caf\u00e9\n', 'latin1'), key]))
  const copy = join(temporaryFolder(), 'copy.pem')
  const { code, stderr } = await runSvc(['scheme', 'keycopy', '-i', source, '-o', copy, '--pass=false'])
  assert.is(code, 0, stderr)
  assert.equal(readFileSync(copy), key)
})

Keys('keycopy --pass=false of a key without a passphrase gives the same bytes', async () => {
  const source = 'demo/schemes/svc-demo/sk.pem'
  const copy = join(temporaryFolder(), 'copy.pem')
  assert.is((await runSvc(['scheme', 'keycopy', '-i', source, '-o', copy, '--pass=false'])).code, 0)
  assert.is(readFileSync(copy, 'utf8'), readFileSync(source, 'utf8'))
})

Keys(
  'keycopy writes nothing under two different passphrases, an empty one, or after a wrong one',
  async () => {
    const out = join(temporaryFolder(), 'copy.pem')
    const words = ['scheme', 'keycopy', '-i', RECORDED, '-o', out]
    const cases = [
      [
        [PASSPHRASE, 'a', 'b'],
        'new key: expected the same passphrase twice, got two different ones; no file was written',
      ],
      [[PASSPHRASE, ''], 'new key: expected a passphrase, got an empty one'],
      [['wrong'], `${RECORDED}: expected the passphrase of this key, got another`],
    ] as const
    for (const [lines, message] of cases) {
      const { code, stderr } = await typing(words, lines)
      assert.is(code, 1)
      assert.ok(stderr.endsWith(`svc: ${message}\n`), stderr)
      assert.not(existsSync(out))
    }
    const odd = await runSvc([...words, '--pass=perhaps', '--passphrase-file', fileOf(PASSPHRASE)])
    assert.is(odd.stderr, 'svc: --pass: expected true or false, got "perhaps"\n')
  },
)

Keys('keygen --pass makes a pair whose private key needs the passphrase', async () => {
  const folder = temporaryFolder()
  const [sk, pk] = [join(folder, 'sk.pem'), join(folder, 'pk.pem')]
  const words = ['scheme', 'keygen', '-s', sk, '-p', pk, '--pass']
  const made = await typing(words, ['long enough', 'long enough'])
  assert.is(made.code, 0, made.stderr)
  const scheme = unsignedScheme()
  const signed = await typing(['scheme', 'sign', sk, scheme], ['long enough'])
  assert.is(signed.code, 0, signed.stderr)
  assert.is(readFileSync(join(scheme, 'pk.pem'), 'utf8'), readFileSync(pk, 'utf8'))
  const there = await typing(words, [])
  assert.equal([there.code, there.stderr.includes('Enter')], [255, false], 'no question before the refusal')
})

Keys.run()
