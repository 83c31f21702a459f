/** Faults of the file of a running `svc server`: a full disk, a clock set back between two starts, a paused process. @module */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { openSqlite } from '../../stores/sqlite/statements.ts'
import { freePort, startSvc } from '../cli/run-svc.ts'
import { DEMO_SCHEMES, isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const MAIN = fileURLToPath(new URL(`../../cli/main${import.meta.url.slice(-3)}`, import.meta.url))
const REQUEST = {
  '@context': 'https://svc.example/ld/request/disclosure/v2',
  disclose: [[['svc-demo.gov.idcard.over18']]],
}
const JSON_BODY = { 'Content-Type': 'application/json' }

function words(file: string, port: number): string[] {
  const where = ['--schemes-path', DEMO_SCHEMES, '--store', `sqlite:${file}`, '--workers', '1']
  return ['server', ...where, '--port', `${port}`, '--listen-addr', '127.0.0.1', '--allow-unsigned-callbacks']
}

function create(port: number, extended: object = {}): Promise<Response> {
  const body = JSON.stringify({ ...extended, request: REQUEST })
  return fetch(`http://127.0.0.1:${port}/session`, { method: 'POST', headers: JSON_BODY, body })
}

/** Pauses the process outside of a transaction; within one it would keep the file locked. */
async function stopAtRest(server: ChildProcess, file: string): Promise<void> {
  const other = await openSqlite(file)
  for (;;) {
    server.kill('SIGSTOP')
    try {
      other.exec('begin immediate')
      other.exec('rollback')
      return other.close()
    } catch {
      server.kill('SIGCONT')
      await new Promise(resolve => setImmediate(resolve))
    }
  }
}

const Faults = suite('the file of a running server')

Faults(
  'a process that was paused while another process took over the file ends, and logs the reason',
  async () => {
    const file = join(temporaryFolder(), 's.sqlite')
    const first = startSvc(words(file, await freePort()))
    await first.says('svc server running')
    await stopAtRest(first.process, file)
    const port = await freePort()
    const second = startSvc(words(file, port))
    await second.says('svc server running')
    first.process.kill('SIGCONT')
    const { code, stderr } = await first.finished
    assert.is(code, 1)
    assert.match(
      stderr,
      /FATAL store .*s\.sqlite: expected to be its only process, got another one that opened it/,
    )
    assert.is((await create(port)).status, 200)
    second.process.kill('SIGTERM')
    assert.is((await second.finished).code, 0)
  },
)

Faults('a clock that is set back by 2 h delays no delivery, also when the server was killed', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 's.sqlite')
  const port = await freePort()
  let isOpen = false
  const refused = { resolve: () => {} }
  const wasRefused = new Promise<void>(resolve => {
    refused.resolve = resolve
  })
  const accepted = { resolve: () => {} }
  const wasAccepted = new Promise<void>(resolve => {
    accepted.resolve = resolve
  })
  const receiver = createServer((_, response) => {
    response.writeHead(isOpen ? 204 : 500).end()
    if (isOpen) accepted.resolve()
    else refused.resolve()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port: shop } = receiver.address() as AddressInfo // the server listens on a port
  const before = startSvc([...words(file, port), '--callback-backoff', '2s'])
  await before.says('svc server running')
  const { token } = (await (await create(port, { callbackUrl: `http://127.0.0.1:${shop}/` })).json()) as {
    token: string
  }
  await fetch(`http://127.0.0.1:${port}/session/${token}`, { method: 'DELETE' })
  await wasRefused
  await before.says('callback not delivered yet')
  before.process.kill('SIGKILL')
  await before.finished
  isOpen = true
  const back = 'const now = Date.now; Date.now = () => now() - 7200000'
  const after = startSvc(words(file, port), {
    NODE_OPTIONS: `--import "data:text/javascript,${encodeURI(back)}"`,
  })
  await after.says('svc server running')
  await wasAccepted
  after.process.kill('SIGTERM')
  await after.finished
  receiver.close()
})

const canMount = spawnSync('unshare', ['-m', 'true']).status === 0
const isRoot = process.getuid?.() === 0
const Mounted =
  isMissing('the right to mount (unshare -m)', canMount || !isRoot) || !canMount ? Faults.skip : Faults

Mounted('a full disk: 503, one line of the log, and the server works again when there is room', async () => {
  const folder = temporaryFolder()
  const port = await freePort()
  const mount = `mount -t tmpfs -o size=2m store ${folder} && exec "$0" "$@"`
  const command = ['-m', 'sh', '-c', mount, process.execPath, MAIN, ...words(join(folder, 's.sqlite'), port)]
  const child = spawn('unshare', command, { env: { PATH: process.env.PATH } })
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  const heard = (text: string): Promise<void> =>
    new Promise(resolve => child.stderr.on('data', () => said.includes(text) && resolve()))
  const [running, over] = [heard('svc server running'), heard('it works again')]
  await running
  assert.is((await create(port)).status, 200)
  const filler = `/proc/${child.pid}/root${folder}/filler`
  for (let size = 2 ** 21; size >= 4096; size /= 2)
    try {
      writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
    } catch {
      // a smaller piece may still fit
    }
  const huge = { request: { ...REQUEST, labels: { 0: { en: 'x'.repeat(500_000) } } } }
  for (let i = 0; i < 5; i++) {
    const refused = await create(port, huge)
    assert.equal([refused.status, refused.headers.get('retry-after')], [503, '2'])
  }
  assert.is((await fetch(`http://127.0.0.1:${port}/health`)).status, 200)
  rmSync(filler)
  assert.is((await create(port)).status, 200)
  await over
  assert.is(said.split('make room on the disk of the file').length, 2, said)
  child.kill('SIGTERM')
  await once(child, 'close')
})

Faults.run()
