/** kill -9 at random moments of logins: no counter of attempts is lost, no commitment is answered twice, no account is lost. For a longer run:
 *  `LOGINS=200 node dist/test/faults/keyshare/kill-logins.test.js` after a build. @module */
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { numberGiven } from '../../number-given.ts'
import { pause } from '../../patience.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { type App, call, commitment, headersOf, login, PIN, registered, WRONG_PIN } from './app.ts'
import { type Servers, startServers } from './servers.ts'

const LOGINS = numberGiven('LOGINS', 20)
/** The seconds of the first block. The test does not wait for its end. */
const BLOCK_SEC = 60

type Account = App & {
  /** R^m_k, which identifies the secret; null if not known yet */
  P: string | null
  /** the tries left by the latest answer; the number may not grow before a right PIN */
  triesLeft: number
}

/** Tries a wrong PIN. @returns true if the account is blocked */
async function wrong(servers: Servers, account: Account): Promise<boolean> {
  const { status, message } = await login(servers, account, WRONG_PIN)
  if (status === 'error') return true
  assert.is(status, 'failure')
  assert.ok(
    Number(message) < account.triesLeft,
    `expected less than ${account.triesLeft} tries, got ${message}`,
  )
  account.triesLeft = Number(message)
  return false
}

/** Plays wrong PINs, the right one, a commitment and its responses, as far as a block allows. @returns true if the account is blocked */
async function play(servers: Servers, account: Account): Promise<boolean> {
  for (let i = randomInt(1, 3); i > 0; i--) if (await wrong(servers, account)) return true
  const { status, message } = await login(servers, account, PIN)
  if (status === 'error') {
    assert.ok(Number(message) <= BLOCK_SEC)
    return true
  }
  assert.is(status, 'success')
  account.triesLeft = 3
  const headers = headersOf(account, message)
  const { P } = await commitment(servers, headers)
  assert.is(account.P ?? P, P, 'expected the secret of the account as it was, got another one')
  account.P = P
  const statuses: number[] = []
  for (const challenge of [11, 12, 13]) {
    const answer = await call(servers, '/prove/getResponse', { headers, body: challenge })
    statuses.push(answer.status)
    // if an answer was lost with its server, the commitment may be used up
    assert.ok(answer.status === 409 || (answer.status === 200 && statuses.length === 1), statuses.join())
    if (statuses.length === 1 && answer.lost === 0) assert.is(answer.status, 200)
  }
  return false
}

async function newAccount(servers: Servers): Promise<Account> {
  return { ...(await registered(servers, true)), P: null, triesLeft: 3 }
}

async function survives(servers: Servers): Promise<void> {
  const accounts = [await newAccount(servers)]
  const startedAt = performance.now()
  await play(servers, await newAccount(servers))
  const spanMs = performance.now() - startedAt
  for (let i = 0; i < LOGINS; i++) {
    const account = accounts.at(-1) ?? (await newAccount(servers))
    const killed = pause(randomInt(Math.ceil(spanMs))).then(() => servers.killAndRestart())
    const isBlocked = await play(servers, account)
    await killed
    if (isBlocked) accounts.push(await newAccount(servers))
  }
  for (const account of accounts) {
    const { status, message } = await login(servers, account, PIN)
    if (status === 'error') continue // the account exists and is still blocked
    const { P } = await commitment(servers, headersOf(account, message))
    assert.is(account.P ?? P, P)
  }
}

const KillLogins = suite('kill -9 during logins')

async function surviving(store: string, count: number): Promise<void> {
  const servers = await startServers(store, count)
  try {
    await survives(servers)
  } finally {
    await servers.end()
  }
}

KillLogins(
  `one server on an SQLite file, ${LOGINS} times: no counter, commitment or account is lost or used twice`,
  () => surviving(`sqlite:${join(temporaryFolder(), 'keyshare.sqlite')}`, 1),
)

const test = isMissing('PostgreSQL', hasPostgres) ? KillLogins.skip : KillLogins
test(`two servers on one PostgreSQL database, ${LOGINS} times: the same, and the other server keeps working`, async () =>
  surviving(await newPostgresDatabase(), 2))

KillLogins.run()
