import { createPrivateKey } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { readPrivateKey, readPublicKey } from '../../schemes/keys.ts'
import { SchemeError } from '../../schemes/scheme-error.ts'
import { signScheme } from '../../schemes/sign.ts'
import { verifyScheme } from '../../schemes/verify.ts'
import { privateKeyXml, publicKeyXml } from '../../schemes/write-keys.ts'
import { parseXml } from '../../schemes/xml.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { makeScheme } from './make-scheme.ts'
import { replacing, withType } from './refusal.ts'

const NOW_SEC = 1_795_260_553
const Sign = suite('schemes: signing and checking (spec/schemes-and-cli#8, #16.6)')
const folders: string[] = []
// removed after each test: removing thousands of files at the end of the process would be slow
Sign.after.each(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  folders.push(folder)
  return folder
}

function copyOfDemo(): { folder: string; key: ReturnType<typeof createPrivateKey> } {
  const folder = join(temporaryFolder(), 'svc-demo')
  cpSync(join(DEMO_SCHEMES, 'svc-demo'), folder, { recursive: true })
  return { folder, key: createPrivateKey(readFileSync(join(folder, 'sk.pem'))) }
}

Sign('a scheme that existing tools signed gets the same index, timestamp and public key again', async () => {
  const { folder, key } = copyOfDemo()
  for (const file of ['index', 'timestamp']) rmSync(join(folder, file))
  signScheme(folder, key, NOW_SEC)
  for (const file of ['index', 'timestamp', 'pk.pem'])
    assert.is(
      readFileSync(join(folder, file), 'utf8'),
      readFileSync(join(DEMO_SCHEMES, 'svc-demo', file), 'utf8'),
    )
  await verifyScheme(folder, NOW_SEC)
})

Sign('key files are written as existing tools write them', () => {
  let count = 0
  for (const issuer of ['svc-demo/fast', 'svc-demo/gov', 'svc-demo/old', 'svc-demo/uni'])
    for (const kind of ['PublicKeys', 'PrivateKeys'] as const)
      for (const name of readdirSync(join(DEMO_SCHEMES, issuer, kind))) {
        const content = readFileSync(join(DEMO_SCHEMES, issuer, kind, name))
        const root = parseXml(content)
        const written =
          kind === 'PublicKeys'
            ? publicKeyXml(readPublicKey(root, Number.parseInt(name, 10)))
            : privateKeyXml(readPrivateKey(root))
        assert.ok(written === content.toString(), `${issuer}/${kind}/${name}`)
        count++
      }
  assert.ok(count > 5)
})

const refusals: Readonly<
  Record<string, readonly [file: string, reason: RegExp, spoil: (folder: string) => void]>
> = {
  'another pk.pem': [
    'pk.pem',
    /^expected the public key of the private key/,
    folder => cpSync(join(DEMO_SCHEMES, 'svc-keyshare/pk.pem'), join(folder, 'pk.pem')),
  ],
  'lines that end in CRLF': [
    'gov/description.xml',
    /CRLF/,
    folder => writeFileSync(join(folder, 'gov/description.xml'), '<Issuer>\r\n</Issuer>'),
  ],
  'a name with a space': [
    'gov/a b.png',
    /^expected a name of letters/,
    folder => writeFileSync(join(folder, 'gov/a b.png'), ''),
  ],
  'a link to the folder above': [
    `more${'/up'.repeat(10)}`,
    /^expected at most 10 folders/,
    folder => {
      mkdirSync(join(folder, 'more'))
      symlinkSync('.', join(folder, 'more/up'))
    },
  ],
  'a requestor scheme': [
    '',
    /^expected an issuer scheme, got a requestor scheme$/,
    folder => {
      rmSync(join(folder, 'description.xml'))
      writeFileSync(join(folder, 'description.json'), '{}')
    },
  ],
}
for (const [title, [file, reason, spoil]] of Object.entries(refusals))
  Sign(`${title}: nothing is signed`, () => {
    const { folder, key } = copyOfDemo()
    spoil(folder)
    try {
      signScheme(folder, key, NOW_SEC + 1)
      assert.unreachable()
    } catch (error) {
      if (!(error instanceof SchemeError)) throw error
      assert.is(error.file, join(folder, file))
      assert.match(error.reason, reason)
    }
    assert.is(readFileSync(join(folder, 'timestamp'), 'utf8'), `${NOW_SEC}\n`)
  })

Sign('private keys and files that do not belong to the scheme are not signed', async () => {
  const { folder, key } = copyOfDemo()
  writeFileSync(join(folder, 'notes.txt'), '')
  const before = readFileSync(join(folder, 'index'), 'utf8')
  signScheme(folder, key, NOW_SEC)
  assert.is(readFileSync(join(folder, 'index'), 'utf8'), before)
  const warnings = await verifyScheme(folder, NOW_SEC)
  assert.ok(warnings.includes('Ignored file: notes.txt'), warnings.join())
  assert.not.match(warnings.join(), 'sk.pem')
})

const NO_LOGOS = ['Issuer made.fast has no logo.png', 'Credential type made.fast.note has no logo.png']

Sign('keys that expire soon, or have expired, and a missing key cause a warning', async () => {
  const parent = temporaryFolder()
  const sound = await makeScheme(parent, withType({}))
  const expiresAtSec = 2_398_377_600
  assert.equal(await verifyScheme(sound, NOW_SEC), NO_LOGOS)
  assert.match(
    (await verifyScheme(sound, expiresAtSec - 60)).at(-1) ?? '',
    /^Latest public key of issuer made\.fast expires soon/,
  )
  assert.equal(await verifyScheme(sound, expiresAtSec + 1), [
    ...NO_LOGOS,
    'Issuer made.fast has no nonexpired public keys',
  ])
  const bare = await makeScheme(join(parent, 'bare'), replacing({ 'fast/PublicKeys/0.xml': null }))
  assert.equal(await verifyScheme(bare, NOW_SEC), [...NO_LOGOS, 'Issuer made.fast has no public key'])
})

Sign.run()
