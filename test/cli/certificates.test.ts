/** SIGHUP: a running server keeps running, and reads its certificate files again. @module */
import * as assert from 'uvu/assert'
import { DEMO_SCHEMES } from '../project.ts'
import { NEEDED } from '../server/keyshare/node.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { copyTls, fingerprintAt, tlsFilesIn } from '../tls.ts'
import { freePort, type Running, startSvc } from './run-svc.ts'

const KEYSHARE = [
  '--keyshare-attribute',
  NEEDED.keyshare_attribute,
  '--store',
  'memory',
  '--storage-primary-key-file',
  NEEDED.storage_primary_key_file,
  '--jwt-privkey-file',
  NEEDED.jwt_privkey_file,
]

const Hangup = suite('SIGHUP')
const started = new Set<Running>()
Hangup.after(() => {
  for (const { process } of started) process.kill('SIGKILL') // left behind by a failed test
})

/** @param words further options */
async function start(command: string, words: readonly string[]) {
  const port = await freePort()
  const listening = ['--listen-addr', '127.0.0.1', '--port', String(port), '--schemes-path', DEMO_SCHEMES]
  const running = startSvc([command, ...listening, ...words])
  started.add(running)
  await running.says(`svc ${command} running`)
  return { running, port }
}

for (const [command, words] of [
  ['server', []],
  ['keyshare', KEYSHARE],
] as const) {
  Hangup(`svc ${command} uses a new certificate and keeps running`, async () => {
    const files = tlsFilesIn(temporaryFolder())
    copyTls(files)
    const tls = ['--tls-cert-file', files.cert, '--tls-privkey-file', files.key]
    const { running, port } = await start(command, [...words, ...tls])
    const before = await fingerprintAt(port)
    copyTls(files, 'next-')
    running.process.kill('SIGHUP')
    const said = await running.says('TLS certificate replaced')
    assert.match(
      said,
      /TLS certificate replaced.*asked/,
      'the server did not wait for its next regular check of the files',
    )
    assert.is.not(await fingerprintAt(port), before)
    running.process.kill('SIGTERM')
    assert.is((await running.finished).code, 0)
  })

  Hangup(`svc ${command} without TLS keeps running`, async () => {
    const { running, port } = await start(command, words)
    running.process.kill('SIGHUP')
    assert.is((await fetch(`http://127.0.0.1:${port}/health`)).status, 200)
    running.process.kill('SIGTERM')
    assert.is((await running.finished).code, 0)
  })
}

Hangup.run()
