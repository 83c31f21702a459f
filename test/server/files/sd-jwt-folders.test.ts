/** The folders of SD-JWT certificates and keys of a running server: changed files are read again. The clock is simulated. @module */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { systemRandomness } from '../../../ports/randomness.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { parseIssuerId } from '../../../protocol/ids.ts'
import { readChain } from '../../../schemes/sd-jwt/certificates.ts'
import { createNode } from '../../../server/create-node.ts'
import { sdJwtIssuersOf } from '../../../server/settings/sd-jwt.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { PROJECT } from '../../project.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { schemes } from '../../wallet/support.ts'
import { idlePool, noNetwork, settingsOfTest } from '../node-of-test.ts'

const PKI = join(PROJECT, 'test/vectors/sd-jwt/pki')
const LOOK_MS = 20_000
const MINUTE_MS = 60_000
const [GOV, GOV_FILE] = [parseIssuerId('svc-demo.gov'), 'svc-demo.gov.pem']
/** Another certificate of the same issuer, with another key. It has a warning. */
const NEXT = join(PKI, 'variants/no-custom-extension')
const NEXT_LEAF = readChain(readFileSync(join(NEXT, 'certs', GOV_FILE), 'utf8')).x5c[0]

type Running = {
  readonly folder: string
  readonly logged: string[]
  readonly clock: ReturnType<typeof createSimulatedClock>
  readonly readAgain: () => void
  /** the certificate with which the server issues SD-JWTs of svc-demo.gov, in Base64 */
  readonly inUse: () => string | undefined
}

async function withNode(use: (node: Running) => void | Promise<void>): Promise<void> {
  const folder = temporaryFolder()
  for (const name of ['certs', 'keys']) cpSync(join(PKI, name), join(folder, name), { recursive: true })
  const sdJwtFolders = { certificates: join(folder, 'certs'), privateKeys: join(folder, 'keys') }
  const { issuers: sdJwtIssuers } = sdJwtIssuersOf(sdJwtFolders, schemes)
  const clock = createSimulatedClock(Date.UTC(2026, 10, 28))
  const logged: string[] = []
  const note = (level: string) => (facts: object | string, words?: string) =>
    void logged.push(`${level}: ${typeof facts === 'string' ? facts : `${words} ${JSON.stringify(facts)}`}`)
  const log = { info: note('info'), warn: note('warn'), error: note('error') }
  const settings = settingsOfTest({ sdJwtFolders, sdJwtIssuers }, schemes)
  const instead = { store: createMemoryStore(), pool: idlePool() }
  const node = await createNode(settings, { clock, log, random: systemRandomness, fetch: noNetwork, instead })
  assert.equal(logged.splice(0), [
    'info: SD-JWT certificates in use {"issuers":["svc-demo.gov","svc-demo.uni","svc-keyshare.shop"]}',
  ])
  const inUse = () => node.deps.settings.sdJwtIssuers?.get(GOV)?.x5c[0]
  try {
    await use({ folder, logged, clock, readAgain: node.readAgain, inUse })
  } finally {
    const closed = node.close()
    clock.advance(MINUTE_MS)
    await closed
  }
}

function copyNext(folder: string, part: 'certs' | 'keys'): void {
  copyFileSync(join(NEXT, part, GOV_FILE), join(folder, part, GOV_FILE))
}

const Folders = suite('SD-JWT folders of a running server')

Folders('a new pair is used within a minute, and the log has one line and its warnings', () =>
  withNode(({ folder, clock, inUse, logged }) => {
    assert.ok(inUse())
    assert.is.not(inUse(), NEXT_LEAF)
    clock.advance(10 * MINUTE_MS)
    assert.equal(logged, [])
    copyNext(folder, 'certs')
    copyNext(folder, 'keys')
    clock.advance(MINUTE_MS)
    assert.is(inUse(), NEXT_LEAF)
    assert.is(logged.length, 2, logged.join('\n'))
    assert.match(logged[0] ?? '', /^info: SD-JWT certificates replaced .*svc-demo\.gov/)
    assert.match(logged[1] ?? '', /^warn: .*svc-demo\.gov\.pem: the certificate has no extension/)
    clock.advance(10 * MINUTE_MS)
    assert.is(logged.length, 2, 'unchanged files have no line')
  }),
)

Folders('a new pair is used at once after a request to read the files', () =>
  withNode(({ folder, readAgain, inUse }) => {
    copyNext(folder, 'certs')
    copyNext(folder, 'keys')
    readAgain()
    assert.is(inUse(), NEXT_LEAF)
  }),
)

Folders('restoring the files in use is logged, and so is each SIGHUP without a change', () =>
  withNode(({ folder, clock, logged, readAgain }) => {
    const file = join(folder, 'keys', GOV_FILE)
    const key = readFileSync(file)
    copyNext(folder, 'keys')
    clock.advance(MINUTE_MS)
    writeFileSync(file, key)
    clock.advance(MINUTE_MS)
    assert.is(logged.length, 2, logged.join('\n'))
    assert.match(logged[1] ?? '', /^info: SD-JWT certificates unchanged/)
    readAgain()
    assert.is(logged.length, 3, logged.join('\n'))
  }),
)

for (const [what, spoil, words] of [
  ['a FIFO', (file: string) => void execFileSync('mkfifo', [file]), /expected a file, got something else/],
  [
    'a file of 1 MiB',
    (file: string) => writeFileSync(file, Buffer.alloc(2 ** 20)),
    /expected at most 131072 bytes, got 1048576/,
  ],
  [
    'half a chain',
    (file: string) => {
      const chain = readFileSync(join(NEXT, 'certs', GOV_FILE), 'utf8')
      writeFileSync(file, chain + chain.slice(0, 100))
    },
    /expected whole certificates in PEM, got one without its end/,
  ],
] as const)
  Folders(`${what} is refused with its file name, and the pair in use stays`, () =>
    withNode(({ folder, inUse, logged, readAgain }) => {
      const before = inUse()
      spoil(join(folder, 'certs', 'a.pem'))
      readAgain()
      assert.is(inUse(), before)
      assert.match(logged[0] ?? '', /^warn: .*certs\/a\.pem: /)
      assert.match(logged[0] ?? '', words)
    }),
  )

Folders('a certificate that is written shortly before its key causes no warning', () =>
  withNode(({ folder, clock, inUse, logged }) => {
    copyNext(folder, 'certs')
    clock.advance(LOOK_MS)
    copyNext(folder, 'keys')
    clock.advance(LOOK_MS)
    clock.advance(LOOK_MS)
    assert.is(inUse(), NEXT_LEAF)
    assert.not.match(logged.join(), 'stay in use')
  }),
)

Folders('an issuer whose files are replaced by others is never without certificates', () =>
  withNode(({ folder, clock, inUse }) => {
    for (const part of ['certs', 'keys']) rmSync(join(folder, part, GOV_FILE))
    clock.advance(LOOK_MS)
    assert.ok(inUse())
    copyNext(folder, 'certs')
    copyNext(folder, 'keys')
    clock.advance(LOOK_MS)
    assert.ok(inUse())
    clock.advance(LOOK_MS)
    assert.is(inUse(), NEXT_LEAF)
  }),
)

Folders('an issuer whose files are gone issues nothing after a minute, and again with new files', () =>
  withNode(({ folder, clock, inUse, logged }) => {
    for (const part of ['certs', 'keys']) rmSync(join(folder, part, GOV_FILE))
    clock.advance(MINUTE_MS)
    assert.is(inUse(), undefined)
    assert.match(
      logged.join('\n'),
      /warn: .*certs\/svc-demo\.gov\.pem: removed: svc-demo\.gov issues no more/,
    )
    copyNext(folder, 'certs')
    copyNext(folder, 'keys')
    clock.advance(MINUTE_MS)
    assert.is(inUse(), NEXT_LEAF)
  }),
)

for (const [what, spoil, words] of [
  [
    'no certificate',
    folder => writeFileSync(join(folder, 'certs', GOV_FILE), 'nothing'),
    /certs\/svc-demo\.gov\.pem: expected certificates in PEM/,
  ],
  [
    'the key of another certificate',
    folder => copyNext(folder, 'keys'),
    /keys\/svc-demo\.gov\.pem: expected the key of the first certificate/,
  ],
  [
    'another file that is no key',
    folder => writeFileSync(join(folder, 'keys/x.pem'), 'secret text'),
    /keys\/x\.pem: expected an unencrypted private key/,
  ],
  [
    'no folder',
    folder => rmSync(join(folder, 'keys'), { recursive: true }),
    /keys: expected a folder of private keys, got ENOENT/,
  ],
] as const satisfies readonly (readonly [string, (folder: string) => void, RegExp])[])
  Folders(`${what}: the former pair stays in use; a warning names the file, again at each SIGHUP`, () =>
    withNode(({ folder, clock, inUse, logged, readAgain }) => {
      const before = inUse()
      spoil(folder)
      clock.advance(10 * MINUTE_MS)
      assert.is(logged.length, 1, logged.join('\n'))
      readAgain()
      assert.ok(before)
      assert.is(inUse(), before)
      assert.is(logged.length, 2, logged.join('\n'))
      assert.is(logged[1], logged[0])
      assert.match(logged[0] ?? '', /^warn: /)
      assert.match(logged[0] ?? '', words)
      assert.match(logged[0] ?? '', /the SD-JWT certificates from before stay in use$/)
      assert.not.match(logged[0] ?? '', 'secret text')
      rmSync(folder, { recursive: true })
      for (const name of ['certs', 'keys']) cpSync(join(NEXT, name), join(folder, name), { recursive: true })
      clock.advance(MINUTE_MS)
      assert.is(inUse(), NEXT_LEAF)
    }),
  )

Folders.run()
