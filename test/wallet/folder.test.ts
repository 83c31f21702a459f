/** The folder of a wallet: crash safety, its lock, and messages about a damaged folder. @module */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { WalletError } from '../../libraries/wallet/errors.ts'
import { createFolder, openFolder } from '../../libraries/wallet/folder.ts'
import type { WalletContents } from '../../libraries/wallet/stored.ts'
import { parseSchemeId } from '../../protocol/ids.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { createAuthority } from './authority.ts'

const CONTENTS: WalletContents = {
  developerMode: true,
  accounts: [{ scheme: parseSchemeId('svc-keyshare'), userName: 'abc', profile: 'svc', isOutOfSync: false }],
  secretKey: 0x5ec4e7n << 200n,
  sdJwts: [],
  credentials: [
    { id: 'c0ffee', attributes: [1n, 0n, 7n], signature: { A: 5n, e: 6n, v: 1n << 3000n } },
    {
      id: 'decaf',
      attributes: [1n],
      signature: { A: 5n, e: 6n, v: 7n },
      revocation: {
        witness: createAuthority('svc-demo.fast.badge').issue(),
        isRevoked: false,
      },
    },
  ],
}
const KEEP_WRITING = join(
  fileURLToPath(import.meta.url),
  `../keep-writing${extname(fileURLToPath(import.meta.url))}`,
)

/** A process that has opened the wallet in `dir`. */
async function openElsewhere(dir: string): Promise<ChildProcess> {
  const child = fork(KEEP_WRITING, [dir], { stdio: 'inherit' })
  await once(child, 'message')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function rejected(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('expected a rejection')
}

async function refused(promise: Promise<unknown>, reason: RegExp): Promise<void> {
  const error = await rejected(promise)
  assert.instance(error, WalletError)
  assert.match(error.message, reason)
}

const Folder = suite('wallet folder')

Folder('a stored wallet is read as it was stored', async () => {
  const dir = join(temporaryFolder(), 'new')
  const created = await createFolder(dir, CONTENTS)
  assert.equal(created.contents(), CONTENTS)
  await created.close()
  const opened = await openFolder(dir)
  assert.equal(opened.contents(), CONTENTS)
  await opened.close()
})

for (const [version, before] of [
  [1, 'witnesses'],
  [2, 'accounts'],
  [3, 'SD-JWTs'],
] as const)
  Folder(`a wallet of a version without ${before} is read, and stored in the new form`, async () => {
    const dir = join(temporaryFolder(), 'new')
    const [first] = CONTENTS.credentials
    const contents = { ...CONTENTS, credentials: first ? [first] : [], accounts: [] }
    await (await createFolder(dir, contents)).close()
    const path = join(dir, 'wallet.json')
    const text = readFileSync(path, 'utf8')
    const { accounts, sdJwts: _, ...older } = JSON.parse(text)
    writeFileSync(path, JSON.stringify({ ...older, ...(version === 3 && { accounts }), version }))
    const opened = await openFolder(dir)
    assert.equal(opened.contents(), contents)
    await opened.update(now => now)
    await opened.close()
    assert.is(readFileSync(path, 'utf8'), text)
  })

Folder('only its owner can read the files and list the folder', async () => {
  const dir = join(temporaryFolder(), 'new')
  const folder = await createFolder(dir, CONTENTS)
  await folder.update(now => now)
  assert.is(statSync(dir).mode & 0o777, 0o700)
  for (const name of readdirSync(dir)) assert.is(statSync(join(dir, name)).mode & 0o777, 0o600, name)
  await folder.close()
})

Folder('changes run one after the other, and a failing one changes nothing', async () => {
  const folder = await createFolder(join(temporaryFolder(), 'new'), { ...CONTENTS, credentials: [] })
  const add = (id: string) =>
    folder.update(now => ({
      ...now,
      credentials: [...now.credentials, { id, attributes: [], signature: { A: 0n, e: 0n, v: 0n } }],
    }))
  const failing = folder.update(() => {
    throw new Error('no')
  })
  const [error] = await Promise.all([rejected(failing), add('a'), add('b'), add('c')])
  assert.is(error.message, 'no')
  assert.is(
    folder
      .contents()
      .credentials.map(({ id }) => id)
      .join(''),
    'abc',
  )
  await folder.close()
  await refused(add('d'), /the wallet was closed/)
})

Folder('if a change cannot be stored, the contents stay', async () => {
  const dir = join(temporaryFolder(), 'new')
  const folder = await createFolder(dir, CONTENTS)
  mkdirSync(join(dir, 'wallet.json.next'))
  const error = await rejected(folder.update(now => ({ ...now, developerMode: false })))
  assert.match(error.message, /EISDIR/)
  assert.is(folder.contents().developerMode, true)
  await folder.close()
})

Folder('an open wallet cannot be opened again, by this or another process', async () => {
  const dir = join(temporaryFolder(), 'new')
  const folder = await createFolder(dir, CONTENTS)
  await refused(openFolder(dir), /in use/)
  await folder.close()
  await folder.close()
  const child = await openElsewhere(dir)
  await refused(openFolder(dir), /in use/)
  await kill(child)
})

Folder('of several concurrent creations of a wallet, one succeeds', async () => {
  const dir = join(temporaryFolder(), 'new')
  const tries = await Promise.allSettled([1, 2, 3, 4].map(() => createFolder(dir, CONTENTS)))
  assert.is(tries.filter(({ status }) => status === 'fulfilled').length, 1)
  await Promise.all(tries.map(each => (each.status === 'fulfilled' ? each.value.close() : null)))
})

Folder(
  'kill -9 leaves no lock and a complete wallet, with the last reported change or a later one',
  async () => {
    const dir = join(temporaryFolder(), 'new')
    await (await createFolder(dir, { ...CONTENTS, credentials: [] })).close()
    for (const changes of [0, 1, 2, 3, 5, 8, 13, 21]) {
      const child = await openElsewhere(dir)
      let told = 0
      child.send('write')
      while (told < changes) [told] = await once(child, 'message')
      await kill(child)
      const folder = await openFolder(dir)
      const [credential] = folder.contents().credentials
      assert.ok(changes === 0 || Number(credential?.id) >= changes)
      assert.is(credential?.attributes[0], credential && BigInt(credential.id))
      await folder.close()
    }
  },
)

Folder('an interrupted creation can be repeated', async () => {
  const dir = temporaryFolder()
  writeFileSync(join(dir, 'lock'), '')
  writeFileSync(join(dir, 'wallet.json.next'), '{"format":')
  await refused(openFolder(dir), /no wallet there/)
  const folder = await createFolder(dir, CONTENTS)
  assert.is(existsSync(join(dir, 'wallet.json.next')), false)
  await folder.close()
})

Folder('a folder with other files in it is left alone', async () => {
  const dir = temporaryFolder()
  writeFileSync(join(dir, 'thesis.txt'), 'text')
  await refused(createFolder(dir, CONTENTS), /expected an empty folder, got one with 1 entries/)
  await refused(openFolder(dir), /no wallet there, expected a file wallet.json/)
  assert.equal(readdirSync(dir), ['thesis.txt'])
})

Folder('a wallet is not created over another', async () => {
  const dir = join(temporaryFolder(), 'new')
  await (await createFolder(dir, CONTENTS)).close()
  await refused(createFolder(dir, CONTENTS), /there is a wallet already/)
})

const DAMAGE: readonly (readonly [what: string, change: (text: string) => string, reason: RegExp])[] = [
  ['without content', () => '', /damaged, expected JSON/],
  ['that is cut off', text => text.slice(0, 200), /damaged, expected JSON/],
  ['that is no wallet', () => '{"name":"attribute-session-service"}', /this is not a wallet/],
  ['with a list', () => '[]', /this is not a wallet/],
  [
    'of a later version',
    text => text.replace('"version":4', '"version":5'),
    /expected a wallet of version 1 or 2 or 3 or 4/,
  ],
  [
    'without developerMode',
    text => text.replace('"developerMode":true,', ''),
    /true or false in "developerMode"/,
  ],
  [
    'with a bad key',
    text => text.replace('"secretKey":"', '"secretKey":"?'),
    /a Base64 number in "secretKey"/,
  ],
  [
    'with a key too large',
    text => text.replace('"secretKey":"', '"secretKey":"////////////////'),
    /"secretKey"/,
  ],
  ['without credentials', text => text.replace('"credentials"', '"others"'), /a list in "credentials"/],
  [
    'with a nameless credential',
    text => text.replace('"id"', '"x"'),
    /an object with an id in "credentials"/,
  ],
  ['without attributes', text => text.replace('"attributes"', '"x"'), /a list in "attributes"/],
  ['with a bad attribute', text => text.replace('["AQ=="', '[1'), /a Base64 number in "0"/],
  ['without a signature', text => text.replace('"signature"', '"x"'), /an object in "signature"/],
  ['with malformed revocation', text => text.replace('"revocation":{', '"revocation":[{'), /JSON/],
  ['without isRevoked', text => text.replace('"isRevoked"', '"x"'), /"isRevoked" in "revocation"/],
  ['with half a witness', text => text.replace('"sacc"', '"x"'), /a witness in "revocation"/],
  [
    'with a broken accumulator',
    text => text.replace('"data":"omN', '"data":"ommm'),
    /a witness in "revocation"/,
  ],
  ['without accounts', text => text.replace('"accounts"', '"x"'), /a list in "accounts"/],
  ['with a nameless account', text => text.replace('"userName"', '"x"'), /their members in "accounts"/],
  ['with an account of a malformed scheme', text => text.replace('svc-keyshare"', 'a.b"'), /ids of schemes/],
  [
    'with an account of an unknown profile',
    text => text.replace('"profile":"svc"', '"profile":"x"'),
    /their members/,
  ],
  [
    'with an account whose isOutOfSync is no boolean',
    text => text.replace('"isOutOfSync":false', '"isOutOfSync":0'),
    /their members in "accounts"/,
  ],
  [
    'with two accounts of one scheme',
    text => text.replace(/("accounts":\[)(\{[^}]*\})/, '$1$2,$2'),
    /one account for each scheme/,
  ],
  ['with half a signature', text => text.replace('"e":', '"f":'), /a Base64 number in "e"/],
]

for (const [what, change, reason] of DAMAGE)
  Folder(`a file ${what} is refused with the reason, and not quoted`, async () => {
    const dir = join(temporaryFolder(), 'new')
    await (await createFolder(dir, CONTENTS)).close()
    const path = join(dir, 'wallet.json')
    const whole = readFileSync(path, 'utf8')
    const changed = change(whole)
    assert.is.not(changed, whole)
    writeFileSync(path, changed)
    const error = await rejected(openFolder(dir))
    assert.instance(error, WalletError)
    assert.match(error.message, reason)
    assert.ok(error.message.startsWith(path))
    assert.not.match(error.message, /Xs Tn|c0ffee|decaf|AAAA/)
    writeFileSync(path, whole)
    await (await openFolder(dir)).close() // the lock was released
  })

Folder('a file "lock" that no wallet wrote is refused with the reason', async () => {
  const dir = join(temporaryFolder(), 'new')
  await (await createFolder(dir, CONTENTS)).close()
  writeFileSync(join(dir, 'lock'), 'x'.repeat(200))
  chmodSync(join(dir, 'lock'), 0o600)
  await refused(openFolder(dir), /expected the lock file of a wallet/)
})

Folder.run()
