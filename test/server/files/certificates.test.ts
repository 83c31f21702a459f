/** Certificates of a running listener. Changed files are read again. The clock is simulated, and TLS is real. @module */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:tls'
import * as assert from 'uvu/assert'
import { systemRandomness } from '../../../ports/randomness.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { createNode } from '../../../server/create-node.ts'
import { tlsOf } from '../../../server/settings/checks.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { copyTls, fingerprintAt, type TlsFiles, tlsFile, tlsFilesIn } from '../../tls.ts'
import { idlePool, noNetwork, settingsOfTest } from '../node-of-test.ts'

const MINUTE_MS = 60_000

/** A node with a listener for requestors and one for clients. Their certificates are copies of the test vectors. */
async function withNode(
  use: (node: {
    readonly files: TlsFiles
    readonly logged: string[]
    readonly clock: ReturnType<typeof createSimulatedClock>
    readonly readAgain: () => void
    /** the fingerprint of the certificate that a new connection to each listener gets */
    readonly shown: () => Promise<readonly string[]>
    readonly ports: readonly number[]
  }) => Promise<void>,
): Promise<void> {
  const files = tlsFilesIn(temporaryFolder())
  copyTls(files)
  const tls =
    tlsOf({ tls_cert: '', tls_cert_file: files.cert, tls_privkey: '', tls_privkey_file: files.key }) ?? null
  const clock = createSimulatedClock(Date.UTC(2030, 0, 1))
  const logged: string[] = []
  const log = { info: note('info'), warn: note('warn'), error: note('error') }
  function note(level: string) {
    return (facts: object | string, words?: string): void => {
      logged.push(`${level}: ${words ?? JSON.stringify(facts)}`)
    }
  }
  const settings = settingsOfTest({ tls, clientTls: tls, clientPort: 1 })
  const instead = { store: createMemoryStore(), pool: idlePool() }
  const node = await createNode(settings, { clock, log, random: systemRandomness, fetch: noNetwork, instead })
  const servers = [node.server, node.clientServer].flatMap(server => server ?? [])
  const ports: number[] = []
  for (const server of servers) ports.push((await server.listen(0, '127.0.0.1')).port)
  const shown = async () => Promise.all(ports.map(fingerprintAt))
  try {
    await use({ files, logged, clock, readAgain: node.certificates.readAgain, shown, ports })
  } finally {
    const closed = node.close()
    clock.advance(MINUTE_MS)
    await closed
  }
}

const Certificates = suite('TLS certificates of a running server')

Certificates('a new certificate is used within a minute, at both listeners', () =>
  withNode(async ({ files, clock, shown, logged }) => {
    const before = await shown()
    assert.is(new Set(before).size, 1)
    copyTls(files, 'next-')
    assert.equal(await shown(), before)
    clock.advance(MINUTE_MS)
    const after = await shown()
    assert.is(new Set(after).size, 1)
    assert.is.not(after[0], before[0])
    assert.equal(logged, ['info: TLS certificate replaced', 'info: TLS certificate replaced'])
    clock.advance(10 * MINUTE_MS)
    assert.is(logged.length, 2, 'unchanged files have no line')
  }),
)

Certificates('a new certificate is used at once after a request to read the files', () =>
  withNode(async ({ files, readAgain, shown }) => {
    const before = await shown()
    copyTls(files, 'next-')
    readAgain()
    assert.is.not((await shown())[0], before[0])
  }),
)

Certificates('an open connection continues with its old certificate', () =>
  withNode(async ({ files, readAgain, ports }) => {
    const [port = 0] = ports
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    await new Promise(resolve => socket.once('secureConnect', resolve))
    copyTls(files, 'next-')
    readAgain()
    socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
    const [answer] = await new Promise<unknown[]>(resolve => socket.once('data', (...data) => resolve(data)))
    assert.match(String(answer), /^HTTP\/1\.1 200/)
    socket.destroy()
  }),
)

for (const [what, spoil, words] of [
  ['no certificate', ({ cert }) => writeFileSync(cert, 'nothing'), /expected a certificate chain in PEM/],
  [
    'the key of another certificate',
    ({ key }) => copyFileSync(tlsFile('next-key.pem'), key),
    /expected the key of the certificate/,
  ],
  ['an empty file', ({ key }) => writeFileSync(key, ''), /expected a value/],
  ['no file', ({ cert }) => rmSync(cert), /expected an existing file/],
] as const satisfies readonly (readonly [string, (files: TlsFiles) => void, RegExp])[])
  Certificates(`${what}: the former certificate stays in use, with one warning for each listener`, () =>
    withNode(async ({ files, clock, shown, logged }) => {
      const before = await shown()
      spoil(files)
      clock.advance(10 * MINUTE_MS)
      assert.equal(await shown(), before)
      assert.is(logged.length, 2, 'one for each listener')
      assert.match(logged[0] ?? '', /^warn: /)
      assert.match(logged[0] ?? '', words)
      assert.match(logged[0] ?? '', /the TLS certificate from before stays in use$/)
      copyTls(files, 'next-')
      clock.advance(MINUTE_MS)
      assert.is.not((await shown())[0], before[0])
    }),
  )

Certificates('a PEM file may have a comment in another encoding; other text is UTF-8', () => {
  const files = tlsFilesIn(temporaryFolder())
  copyTls(files)
  const given = { tls_cert: '', tls_cert_file: files.cert, tls_privkey: '', tls_privkey_file: files.key }
  const comment = Buffer.from('# caf\u00e9\n', 'latin1')
  const pem = readFileSync(files.cert)
  writeFileSync(files.cert, Buffer.concat([comment, pem]))
  assert.is(tlsOf(given)?.cert, `${comment.toString('latin1')}${pem}`)
  writeFileSync(files.cert, comment)
  assert.throws(
    () => tlsOf(given),
    (error: Error) =>
      error.message === `tls_cert_file: expected text in UTF-8 in ${files.cert}, got other bytes`,
  )
})

Certificates('a certificate that is written shortly before its key causes no warning', () =>
  withNode(async ({ files, clock, logged, shown }) => {
    const before = await shown()
    copyFileSync(tlsFile('next-cert.pem'), files.cert)
    clock.advance(20_000)
    copyFileSync(tlsFile('next-key.pem'), files.key)
    clock.advance(20_000)
    assert.is.not((await shown())[0], before[0])
    assert.not.match(logged.join(), 'warn')
  }),
)

Certificates('a request to read broken files warns at once, and only the first time', () =>
  withNode(async ({ files, readAgain, logged }) => {
    writeFileSync(files.cert, 'nothing')
    readAgain()
    assert.is(logged.filter(line => line.startsWith('warn')).length, 2)
    readAgain()
    assert.is(logged.length, 2)
  }),
)

Certificates.run()
