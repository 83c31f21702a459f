/** `svc scheme` and `svc issuer`: their files, output and exit codes (spec/schemes-and-cli#16.2, #16.6, #16.7). @module */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { listen } from '../../demo/listen.ts'
import { closeListener } from '../../http/listen.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type Finished, runSvc } from './run-svc.ts'

const Tools = suite('svc scheme, svc issuer')

function assertFailed({ code, stdout, stderr }: Finished, wantedCode: number, message: string): void {
  assert.equal([code, stdout], [wantedCode, ''], stderr)
  assert.ok(stderr.includes(message), stderr)
}

Tools('scheme keygen writes a pair once: the private key for its owner alone', async () => {
  const folder = temporaryFolder()
  const [sk, pk] = [join(folder, 'sk.pem'), join(folder, 'pk.pem')]
  const words = ['scheme', 'keygen', '-s', sk, '-p', pk]
  const { code, stdout } = await runSvc(words)
  assert.equal([code, stdout], [0, `Private key written at ${sk}\nPublic key written at ${pk}\n`])
  assert.match(readFileSync(sk, 'utf8'), /^-----BEGIN EC PRIVATE KEY-----\n/)
  assert.match(readFileSync(pk, 'utf8'), /^-----BEGIN PUBLIC KEY-----\n/)
  assert.equal([statSync(sk).mode & 0o777, statSync(pk).mode & 0o777], [0o600, 0o644])
  const before = readFileSync(sk, 'utf8')
  assertFailed(await runSvc(words), 255, `Error: ${sk}: expected a new file, but it exists`)
  rmSync(sk)
  assertFailed(await runSvc(words), 255, `Error: ${pk}: expected a new file, but it exists`)
  assert.not(existsSync(sk), 'no half of a pair')
  assert.ok(before)
})

Tools('scheme sign signs a scheme; scheme verify accepts it, alone and in a folder of schemes', async () => {
  const schemes = temporaryFolder()
  cpSync('demo/schemes', schemes, { recursive: true })
  const scheme = join(schemes, 'svc-demo')
  const file = join(scheme, 'gov/description.xml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('<Name>', '<!-- changed --><Name>'))
  assertFailed(
    await runSvc(['scheme', 'sign', join(schemes, 'nope.pem'), scheme]),
    1,
    'PRIVATEKEY: expected a file that can be read, got',
  )
  const pems = {
    'odd.pem': ['-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n', 'P-256 private key, got something else'],
    'nothing.pem': ['', 'expected a PEM block with a P-256 private key, got something else'],
    'rsa.pem': [
      readFileSync('test/vectors/keys/session-jwt.private.pem'),
      'P-256 private key, got a key of another type',
    ],
  } as const
  for (const [name, [pem, message]] of Object.entries(pems)) {
    writeFileSync(join(schemes, name), pem)
    assertFailed(await runSvc(['scheme', 'sign', join(schemes, name), scheme]), 1, message)
  }
  const broken = await runSvc(['scheme', 'verify', scheme])
  assert.equal([broken.code, broken.stdout], [1, 'Verifying scheme\n'])
  assert.is(broken.stderr, `svc: Verification failed: ${file}: hash is not the one in the index\n`)
  const signed = await runSvc(['scheme', 'sign', join(scheme, 'sk.pem'), scheme])
  assert.equal([signed.code, signed.stderr], [0, ''])
  const one = await runSvc(['scheme', 'verify', scheme])
  assert.equal([one.code, one.stderr], [0, ''])
  assert.match(one.stdout, /^Verifying scheme\n(Warning: .*\n)*\nVerification was successful\.\n$/)
  const all = await runSvc(['scheme', 'verify', schemes])
  assert.match(all.stdout, /^Verifying as configuration directory\n(.*\n)*\nVerification was successful\.\n$/)
  mkdirSync(join(schemes, 'more'))
  const more = await runSvc(['scheme', 'verify', schemes])
  assert.match(
    more.stdout,
    `Warning: Ignored folder: ${join(schemes, 'more')} (neither description.xml nor index)\n`,
  )
  const none = await runSvc(['scheme', 'verify', temporaryFolder()])
  assertFailed(none, 1, 'path must contain a scheme, or multiple schemes in subdirectories')
})

Tools('scheme sign fails if the signed scheme is not valid; --noverification skips this check', async () => {
  const scheme = join(temporaryFolder(), 'svc-demo')
  cpSync('demo/schemes/svc-demo', scheme, { recursive: true })
  writeFileSync(join(scheme, 'gov/description.xml'), '<Issuer/>\n')
  const words = ['scheme', 'sign', join(scheme, 'sk.pem'), scheme]
  assertFailed(await runSvc(words), 1, 'svc: Scheme was signed but verification failed: ')
  assert.is((await runSvc([...words, '--noverification'])).code, 0)
})
/** Serves a copy of the demo scheme, and writes the address into the scheme's description. */
async function serveScheme(): Promise<{ address: string; site: string; close(): Promise<void> }> {
  const site = join(temporaryFolder(), 'svc-demo')
  cpSync('demo/schemes/svc-demo', site, { recursive: true })
  const server = createServer((request, response) => {
    const file = join(site, '..', request.url ?? '')
    if (request.url === '/svc-demo/large/description.xml') response.end(Buffer.alloc(2 << 20))
    else if (existsSync(file)) response.end(readFileSync(file))
    else response.writeHead(404).end()
  })
  const address = `${await listen(server, 0, '127.0.0.1')}/svc-demo`
  const file = join(site, 'description.xml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/<Url>[^<]*/, `<Url>${address}`))
  return { address, site, close: () => closeListener(server) }
}

Tools('scheme download installs from an address, and scheme update gets newer versions from it', async () => {
  const { address, site, close } = await serveScheme()
  const schemes = temporaryFolder()
  const folder = join(schemes, 'svc-demo')
  const sign = () => runSvc(['scheme', 'sign', join(site, 'sk.pem'), site])
  try {
    await sign()
    const got = await runSvc(['scheme', 'download', schemes, `${address}/`])
    assert.equal([got.code, got.stdout, got.stderr], [0, `svc-demo: written at ${folder}\n`, ''])
    const same = await runSvc(['scheme', 'update', folder])
    assert.equal([same.code, same.stdout], [0, 'svc-demo: up to date\n'])
    writeFileSync(join(folder, 'timestamp'), '')
    assertFailed(await runSvc(['scheme', 'update', folder]), 1, 'timestamp: hash is not the one in the index')
    const missing = await runSvc(['scheme', 'download', schemes, `${address}/none`])
    assertFailed(missing, 1, `svc: ${address}/none/description.xml: expected status 200, got 404\n`)
    const unwritable = await runSvc(['scheme', 'download', '/proc', `${address}/`])
    assertFailed(unwritable, 1, 'svc: /proc: expected a folder that can be written, got ENOENT\n')
    const large = await runSvc(['scheme', 'download', schemes, `${address}/large`])
    assertFailed(large, 1, `svc: ${address}/large/description.xml: expected at most 1048576 bytes\n`)
  } finally {
    await close()
  }
  const gone = await runSvc(['scheme', 'download', schemes, address])
  assertFailed(gone, 1, `svc: ${address}/description.xml: connect ECONNREFUSED`)
  const wrong = await runSvc(['scheme', 'download', join(schemes, 'nowhere')])
  assertFailed(wrong, 1, 'expected a folder, or an http or https address, got ')
})

Tools('without a path, download and update use the data directory and say so', async () => {
  const { address, site, close } = await serveScheme()
  const home = temporaryFolder()
  const folder = join(home, 'svc/svc_configuration')
  try {
    await runSvc(['scheme', 'sign', join(site, 'sk.pem'), site])
    const got = await runSvc(['scheme', 'download', address], { XDG_DATA_HOME: home })
    assert.is(got.code, 0, got.stderr)
    assert.match(got.stdout, `No svc_configuration path specified, using ${folder}\n`)
    const same = await runSvc(['scheme', 'update'], { XDG_DATA_HOME: home })
    assert.equal([same.code, same.stdout], [0, 'svc-demo: up to date\n'])
  } finally {
    await close()
  }
})
const withoutEcdsa = (text: string): string => text.replace(/ *<(ECDSA|G|H)>.*\n/g, '')

Tools('issuer revocation-keypair adds keys for revocation to a matching pair without them', async () => {
  const scheme = join(temporaryFolder(), 'svc-demo')
  cpSync('demo/schemes/svc-demo', scheme, { recursive: true })
  const [secret, known] = [join(scheme, 'gov/PrivateKeys/0.xml'), join(scheme, 'gov/PublicKeys/0.xml')]
  const words = ['issuer', 'revocation-keypair', secret, known]
  assertFailed(await runSvc(words), 1, `svc: ${known}: supports revocation already\n`)
  const old = {
    secret: withoutEcdsa(readFileSync(secret, 'utf8')),
    known: withoutEcdsa(readFileSync(known, 'utf8')),
  }
  const reset = () => {
    writeFileSync(secret, old.secret)
    writeFileSync(known, old.known)
  }
  reset()
  const other = ['issuer', 'revocation-keypair', join(scheme, 'uni/PrivateKeys/0.xml'), known]
  assertFailed(await runSvc(other), 1, 'PrivateKeys/0.xml: does not belong to the public key\n')
  const added = await runSvc(words)
  assert.equal([added.code, added.stdout], [0, 'Both keys support revocation now; sign the scheme again.\n'])
  assert.is(statSync(secret).mode & 0o777, 0o600)
  assert.is(withoutEcdsa(readFileSync(known, 'utf8')), old.known, 'nothing else changes')
  assert.is(withoutEcdsa(readFileSync(secret, 'utf8')), old.secret)
  assert.match(readFileSync(known, 'utf8'), /<G>\d+<\/G>\n.*<H>\d+<\/H>[^<]*<Bases/)
  const ecdsa = /<ECDSA>.*/.exec(readFileSync(known, 'utf8'))?.[0] ?? ''
  writeFileSync(known, old.known) // simulates a run that stopped after it wrote the private key
  assert.is((await runSvc(words)).code, 0)
  assert.ok(readFileSync(known, 'utf8').includes(ecdsa), 'the public key of the same pair')
  assert.is((await runSvc(['scheme', 'sign', join(scheme, 'sk.pem'), scheme])).code, 0)
})
Tools.run()
