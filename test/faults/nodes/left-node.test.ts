/** Three session servers on one PostgreSQL database, each its own process. One is killed, and one is paused past its lease and resumed. The remaining node does
 *  the work of both, once. The resumed node gives right answers and works again. @module */
import { createServer } from 'node:http'
import pg from 'pg'
import * as assert from 'uvu/assert'
import { PROFILES } from '../../../protocol/profiles.ts'
import { freePort, type Running, startSvc } from '../../cli/run-svc.ts'
import { pause, until } from '../../patience.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { DEMO_SCHEMES, isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'

const SESSIONS_PER_NODE = 10
const STAY_SEC = 3
/** Recovery takes a second here. Otherwise a claim of a dead node would be void only after 30 s. */
const LATEST_MS = 15_000

type Callback = { readonly token: string; readonly key: string; readonly status: string; readonly at: number }

/** @returns the callbacks that arrived; all are accepted */
async function receiver(): Promise<{ url: string; received: Callback[]; close: () => void }> {
  const received: Callback[] = []
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    const { token, status } = JSON.parse(body)
    received.push({ token, status, key: String(req.headers['idempotency-key']), at: Date.now() })
    res.writeHead(204).end()
  })
  const port = await freePort()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${port}/`, received, close: () => void server.close() }
}

type Node = { readonly url: string; readonly running: Running }

async function startNode(store: string): Promise<Node> {
  const port = await freePort()
  const words = ['server', '--store', store, '--port', `${port}`, '--listen-addr', '127.0.0.1']
  words.push('--schemes-path', DEMO_SCHEMES, '--workers', '1', '--allow-unsigned-callbacks')
  const running = startSvc(words)
  await running.says('svc server running')
  return { url: `http://127.0.0.1:${port}`, running }
}

/** @returns the requestor token; null if refused for now */
async function create({ url }: Node, callbackUrl: string): Promise<string | null> {
  const context = `${PROFILES.svc.contextBase}/ld/request/disclosure/v2`
  const request = { '@context': context, disclose: [[['svc-demo.gov.idcard.over18']]] }
  const response = await fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ timeout: STAY_SEC, callbackUrl, request }),
  })
  const text = await response.text()
  if (response.status === 503) return null
  assert.is(response.status, 200, text)
  return JSON.parse(text).token
}

async function createAll(node: Node, callbackUrl: string): Promise<readonly string[]> {
  const tokens = await Promise.all(Array.from({ length: SESSIONS_PER_NODE }, () => create(node, callbackUrl)))
  return tokens.filter(token => token !== null)
}

const Left = suite('the one remaining node of three on PostgreSQL')
const test = isMissing('PostgreSQL', hasPostgres) ? Left.skip : Left

test('it ends the sessions of a killed and a paused node in time, with one callback each; the resumed node agrees', async () => {
  const address = await newPostgresDatabase()
  const client = new pg.Client(address)
  await client.connect()
  const { url, received, close } = await receiver()
  const [killed, paused, left] = await Promise.all([1, 2, 3].map(() => startNode(address)))
  if (!killed || !paused || !left) return assert.unreachable()
  try {
    const tokens = [...(await createAll(killed, url)), ...(await createAll(paused, url))]
    assert.is(tokens.length, 2 * SESSIONS_PER_NODE)
    const { rows } = await client.query('select requestor_token, deadline_at from sessions')
    const deadlines = new Map(rows.map(row => [row.requestor_token, Number(row.deadline_at)]))
    killed.running.process.kill('SIGKILL')
    paused.running.process.kill('SIGSTOP')
    await until(() => received.length >= tokens.length, 'a callback of every session')
    for (const { token, status, at } of received) {
      const lateMs = at - (deadlines.get(token) ?? Number.NaN)
      assert.is(status, 'TIMEOUT')
      assert.ok(lateMs >= 0 && lateMs <= LATEST_MS, `${lateMs} ms after the deadline`)
    }
    const now = 'extract(epoch from clock_timestamp()) * 1000'
    await until(
      async () => (await client.query(`select 1 from nodes where alive_until > ${now}`)).rows.length === 1,
      'one node that is alive',
    )
    paused.running.process.kill('SIGCONT')
    await until(async () => (await create(paused, url)) !== null, 'a session of the node that was paused')
    for (const token of tokens) {
      const response = await fetch(`${paused.url}/session/${token}/status`)
      assert.is(await response.json(), 'TIMEOUT')
    }
    const more = tokens.length + 1
    await until(() => received.length >= more, 'the callback of that session')
    await pause(1_000) // time for callbacks that must not arrive
    assert.is(received.length, more)
    assert.is(new Set(received.map(({ token }) => token)).size, more, 'each once')
    assert.is(new Set(received.map(({ key }) => key)).size, more, 'each with a key of its own')
  } finally {
    for (const { running } of [killed, paused, left]) running.process.kill('SIGKILL')
    close()
    await client.end()
  }
})

Left.run()
