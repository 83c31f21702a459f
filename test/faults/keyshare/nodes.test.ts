/** Two keyshare servers on one PostgreSQL database, each its own process, called at the same time. PINs are compared no more often than allowed, and each commitment is
 *  answered once. For a longer run: `TRIES=1000 node dist/test/faults/keyshare/nodes.test.js` after a build. @module */
import pg from 'pg'
import * as assert from 'uvu/assert'
import { numberGiven } from '../../number-given.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { call, callAt, commitment, headersOf, login, PIN, registered, WRONG_PIN } from './app.ts'
import { type Servers, startServers } from './servers.ts'

const TRIES = numberGiven('TRIES', 100)
const CLIENTS = 16
const ACCOUNTS = 5

type Nodes = {
  readonly servers: Servers
  readonly end: () => Promise<void>
  readonly rows: (sql: string) => Promise<readonly Record<string, unknown>[]>
}

const nodes: { running: Nodes | null } = { running: null }

async function twoNodes(): Promise<Nodes> {
  if (nodes.running) return nodes.running
  const address = await newPostgresDatabase()
  const servers = await startServers(address, 2)
  const client = new pg.Client(address)
  await client.connect()
  const end = async (): Promise<void> => {
    await servers.end()
    await client.end()
  }
  nodes.running = { servers, end, rows: async sql => (await client.query(sql)).rows }
  return nodes.running
}

const TwoNodes = suite('two keyshare servers on one database')
const test = isMissing('PostgreSQL', hasPostgres) ? TwoNodes.skip : TwoNodes
TwoNodes.after(async () => {
  await nodes.running?.end()
})

test(`${CLIENTS} clients guess the PIN of one account at once, on both servers: three guesses are compared`, async () => {
  const { servers, rows } = await twoNodes()
  for (let i = 0; i < ACCOUNTS; i++) {
    const { userName: id, ...app } = await registered(servers, false)
    const guesses = Array.from({ length: CLIENTS }, (_, n) => {
      const one = { ...servers, urls: servers.urls.slice(n % 2, (n % 2) + 1) }
      const [verify, change] = [
        { id, pin: WRONG_PIN },
        { id, oldpin: WRONG_PIN, newpin: PIN },
      ]
      return n % 4 < 2
        ? call(one, '/users/verify/pin', { body: verify })
        : call(one, '/users/change/pin', { body: change })
    })
    const answered = await Promise.all(guesses)
    // on a busy machine a server refuses a call that it has counted (503), and the client repeats it
    const lost = answered.reduce((sum, answer) => sum + answer.lost, 0)
    const answers = answered.map(({ status, text }) => `${status} ${text}`)
    const tries = answers.filter(answer => answer.includes('failure')).map(answer => answer.slice(-3, -2))
    if (lost === 0) assert.equal([...tries].sort(), ['1', '2'])
    assert.ok(new Set(tries).size === tries.length && tries.every(left => left === '1' || left === '2'))
    const blocked = answers.filter(answer => /^200 .*"error","message":"\d+"/.test(answer))
    assert.is(blocked.length, CLIENTS - tries.length)
    const [account] = await rows(`select id, attempts from accounts where user_name = '${id}'`)
    assert.is(account?.attempts, 3)
    const refused = await rows(
      `select 1 from account_log where account_id = '${account?.id}' and event = 'PIN_CHECK_REFUSED'`,
    )
    assert.ok(refused.length >= CLIENTS - 3 && refused.length <= CLIENTS - 3 + lost)
    for (const url of servers.urls) {
      const { status } = await login({ ...servers, urls: [url] }, { userName: id, ...app }, PIN)
      assert.is(status, 'error') // a right PIN is not compared while the account is blocked
    }
  }
})

test(`both servers are asked at once for a response to one commitment: one answers, in each of ${TRIES} tries`, async () => {
  const { servers } = await twoNodes()
  const app = await registered(servers, true)
  const { message: token } = await login(servers, app, PIN)
  const headers = headersOf(app, token)
  const first = new Set<string | undefined>()
  for (let i = 0; i < TRIES; i++) {
    await commitment(servers, headers)
    const urls = i % 2 === 0 ? servers.urls : [...servers.urls].reverse()
    const asked = urls.map((url, n) => callAt(url, '/prove/getResponse', { headers, body: 2 * i + n + 1 }))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    assert.equal([...statuses].sort(), [200, 409])
    first.add(urls[statuses.indexOf(200)])
  }
  assert.is(first.size, 2, 'expected each server to be first at least once')
})

TwoNodes.run()
