/** Real servers whose schemes are updated while they run: kill -9 during the update, two processes on one folder, a session that began before, a full
 *  disk (spec/schemes-and-cli#11.3, #11.4). */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parseSessionPackage } from '../../cli/session/package.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { freePort, MAIN, type Running, runSvc, startSvc } from '../cli/run-svc.ts'
import { until } from '../patience.ts'
import { FIRST_SEC, GROWING, type SchemeSite, schemeSite } from '../schemes/scheme-site.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const STUDENT = { university: 'A', studentnumber: '1', level: '2' }
const TYPE = 'uni/Issues/student/description.xml'
const UPDATED = 'scheme brought up to date'

type Server = { readonly url: string; readonly words: readonly string[]; running: Running }

let site: SchemeSite
const servers: Server[] = []
const Updates = suite('schemes that are brought up to date while servers run')
Updates.before(async () => {
  site = await schemeSite()
})
Updates.after(async () => {
  await Promise.all(servers.map(kill))
  await site.close()
})

async function newServer(schemes: string): Promise<Server> {
  const port = String(await freePort())
  const store = `sqlite:${join(temporaryFolder(), 's.db')}`
  const words = ['server', '--schemes-path', schemes, '--store', store, '--port', port, '--workers', '1']
  words.push('--listen-addr', '127.0.0.1', '--url', `http://127.0.0.1:${port}`)
  const server = { url: `http://127.0.0.1:${port}`, words, running: startSvc(words) }
  servers.push(server)
  await server.running.says('svc server running')
  return server
}

async function kill({ running }: Server): Promise<void> {
  running.process.kill('SIGKILL')
  await running.finished
}

async function start(server: Server): Promise<void> {
  server.running = startSvc(server.words)
  await server.running.says('svc server running')
}

/** Worker threads start after the server. An outdated scheme does not block calls. */
async function untilReady({ url }: Server): Promise<void> {
  await until(async () => (await fetch(`${url}/health/ready`)).status === 200, 'a server that is ready')
}

async function issue({ url }: Server, attributes: Readonly<Record<string, string>>): Promise<Response> {
  const request = {
    '@context': 'https://svc.example/ld/request/issuance/v2',
    credentials: [{ credential: GROWING, attributes }],
  }
  return fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ request, timeout: 600 }),
  })
}

const isOld = async (server: Server): Promise<boolean> => (await issue(server, STUDENT)).status === 200
const isNew = async (server: Server): Promise<boolean> =>
  (await issue(server, { ...STUDENT, locker: '4' })).status === 200 && !(await isOld(server))

const left = (path: string): readonly string[] =>
  readdirSync(path).filter(name => /^\.?(temp|old)scheme/.test(name))

const path = { schemes: '' }
let first: Server
let pointer = ''

Updates(
  'a server that is killed during a download keeps the complete old version, and its sessions',
  async () => {
    path.schemes = site.install()
    first = await newServer(path.schemes)
    assert.ok(await isOld(first))
    pointer = JSON.stringify(parseSessionPackage(await (await issue(first, STUDENT)).json()).sessionPtr)
    await kill(first)
    site.publish(2)
    const isAsked = new Promise<void>(resolve =>
      site.play(asked => {
        if (asked === TYPE) resolve()
        return asked === TYPE
      }),
    )
    await start(first)
    await isAsked
    assert.ok(await isOld(first), 'the old version is used while the download hangs')
    await kill(first)
    site.play(null)
    assert.is(left(path.schemes).length, 1)
    assert.is((await loadSchemes(path.schemes)).version, `svc-demo@${FIRST_SEC}`)
  },
)

Updates(
  'two servers that start at once on one folder both get the new version, and leave no other files',
  async () => {
    const [second] = await Promise.all([newServer(path.schemes), start(first)])
    await Promise.all([first, second].map(({ running }) => running.says(UPDATED)))
    assert.equal([await isNew(first), await isNew(second)], [true, true])
    assert.equal(readdirSync(path.schemes), [`.keptscheme-svc-demo-${FIRST_SEC}`, 'svc-demo'])
    await kill(second)
  },
)

Updates(
  'a session that began before is signed with its version of the schemes, also after a restart',
  async () => {
    const wallet = ['--dir', join(temporaryFolder(), 'wallet'), '--schemes-path', site.install()]
    assert.is((await runSvc(['wallet', 'init', '--developer-mode', ...wallet])).code, 0)
    const answered = await runSvc(['wallet', 'answer', pointer, '--yes', ...wallet])
    assert.is(answered.code, 0, answered.stdout + answered.stderr)
  },
)

Updates(
  'a version that was rolled back is refused with a line of the log; the server is ready with its own version',
  async () => {
    await kill(first)
    site.publish(1)
    await start(first)
    await first.running.says('a scheme was rolled back at its server')
    await untilReady(first)
    const { warnings } = Object(await (await fetch(`${first.url}/health/ready`)).json())
    assert.match(warnings.scheme, 'got a failure at some, which')
    assert.ok(await isNew(first))
  },
)

Updates('on a full disk a server logs the reason and keeps its version', async () => {
  await kill(first)
  site.publish(3)
  const limited = spawn('/bin/sh', [
    '-c',
    'ulimit -f 4; exec "$@"',
    'sh',
    process.execPath,
    MAIN,
    ...first.words.map(word => (word.startsWith('sqlite:') ? 'memory' : word)),
  ])
  try {
    let said = ''
    await new Promise<void>((resolve, reject) => {
      limited.on('close', () => reject(new Error(said)))
      for (const stream of [limited.stdout, limited.stderr])
        stream.on('data', chunk => {
          said += chunk
          if (said.includes('scheme could not be brought up to date')) resolve()
        })
    })
    assert.match(said, /expected room for its new version, and permission to write it, got EFBIG/)
    await untilReady(first)
    assert.ok(await isNew(first))
    assert.is((await loadSchemes(path.schemes)).version, `svc-demo@${FIRST_SEC + 1}`)
    assert.equal(left(path.schemes), [])
  } finally {
    limited.kill('SIGKILL')
  }
})
Updates.run()
