/** An import of many accounts that is killed five times ends in the state of an import that was never killed. Each account then logs in as before. The number of
 *  accounts is 1,000, or `IMPORTED_ACCOUNTS`. */
import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parseStorageKey, storageKeys } from '../../accounts/storage-keys.ts'
import { recordsOfRows } from '../../actors/accounts/records-of-rows.ts'
import { preciseNow } from '../../ports/clock.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { openStore } from '../../stores/open.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { appJwt } from '../accounts/jwts.ts'
import { runSvc, startSvc } from '../cli/run-svc.ts'
import { endProcess } from '../end-process.ts'
import { type Client, clientOf } from '../http/client.ts'
import { answered, PIN, said, WRONG_PIN } from '../http/keyshare/app.ts'
import { hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { isMissing } from '../project.ts'
import { NEEDED, startNode } from '../server/keyshare/node.ts'
import { suite, tellAtEnd } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { STORAGE_KEY_FILES, vectorFile } from './dump.ts'
import { type AccountKind, type MadeAccount, type MadeDatabase, manyAccounts } from './many-accounts.ts'

const COUNT = Number(process.env.IMPORTED_ACCOUNTS ?? 1_000)
const KILLS = 5
/** Accounts that log in at the same time. */
const AT_ONCE = 16

const primary = parseStorageKey(readFileSync(STORAGE_KEY_FILES[0]))
const keys = storageKeys(primary, [])
const older = storageKeys(parseStorageKey(readFileSync(vectorFile('storage-fallback-three.key'))), [])

const isSkipped = isMissing('PostgreSQL', hasPostgres)
const Many = suite('an import of many accounts')
const withDatabase = isSkipped ? Many.skip : Many

const nowSec = (): number => Math.floor(Date.now() / 1_000)
let made: Promise<MadeDatabase> | null = null
const database = (): Promise<MadeDatabase> => {
  made ??= manyAccounts(COUNT, { keys, older, nowSec: nowSec() })
  return made
}

function wordsFor(from: string, store: string): readonly string[] {
  const settings = join(temporaryFolder(), 'svckeyshare.json')
  writeFileSync(settings, JSON.stringify({ ...NEEDED, store }))
  const key = vectorFile('storage-fallback-three.key')
  return ['keyshare', 'import', '--config', settings, '--from', from, '--storage-key-file', key]
}

async function importWhole(from: string, store: string): Promise<string> {
  const { code, stdout, stderr } = await runSvc([...wordsFor(from, store), '-q'])
  assert.is(code, 0, stderr)
  return stdout
}

const newFile = (): string => `sqlite:${join(temporaryFolder(), 'keyshare.sqlite')}`

/** Everything that is stored about the accounts, with decrypted secrets. A time that depends on the moment of the import is left out. */
async function stateOf(name: string, accounts: readonly MadeAccount[]): Promise<readonly unknown[]> {
  const store = await openStore(name, systemRandomness.token())
  const { secretsOf } = recordsOfRows({
    storageKeys: keys,
    random: systemRandomness,
    store: store.accounts,
    binding: 'require',
  })
  const state: unknown[] = []
  for (const { userName, kind } of accounts) {
    const id = hashOfToken(userName)
    const row = await store.accounts.load(id)
    const secrets = row?.record ? secretsOf(row) : null
    state.push({
      ...row,
      record: null,
      secrets,
      ...(kind === 'blocked before its deletion' && { blockedUntil: null }),
      addresses: await store.accounts.addressesOf(id),
      log: await store.accounts.log(id, 0, 10),
      link: await store.accounts.link(hashOfToken(`token${userName}`)),
    })
  }
  state.push(await store.accounts.count())
  await store.close()
  return state
}

for (const kind of ['SQLite', 'PostgreSQL'])
  withDatabase(
    `killed ${KILLS} times at random moments, the import into ${kind} ends in the same state`,
    async () => {
      const { address, accounts } = await database()
      const newStore = async () => (kind === 'SQLite' ? newFile() : newPostgresDatabase())
      const [whole, killed] = [await newStore(), await newStore()]
      const begun = preciseNow()
      await importWhole(address, whole)
      tellAtEnd(`import of ${COUNT} accounts into ${kind}: ${Math.round(preciseNow() - begun)} ms`)
      const moments: string[] = []
      for (let i = 0; i < KILLS; i++) {
        const running = startSvc(wordsFor(address, killed))
        const moment =
          randomInt(2) === 0
            ? `accounts=${Math.min(COUNT, 200 * (1 + randomInt(Math.ceil(COUNT / 200))))}`
            : `logEntries=${1_000 * randomInt(3)}`
        moments.push(moment)
        await Promise.race([running.says(moment).catch(() => {}), running.finished])
        await endProcess(running.process, 'SIGKILL')
      }
      await importWhole(address, killed)
      assert.equal(await stateOf(killed, accounts), await stateOf(whole, accounts), moments.join(', '))
    },
  )

async function challenged({ call }: Client, { userName, device }: MadeAccount): Promise<string> {
  if (device === null) throw new Error(`expected an account with a device, got ${userName}`)
  const jwt = await appJwt({ id: userName, exp: nowSec() + 180 }, device)
  const { json, status, text } = await call('POST', '/users/verify_start', {
    body: { auth_request_jwt: jwt },
  })
  if (status !== 200) throw new Error(`verify_start: ${status} ${text}`)
  return Object(json).challenge
}

async function login(client: Client, account: MadeAccount, pin: string): Promise<string> {
  const { userName, device } = account
  if (device === null)
    return said(await client.call('POST', '/users/verify/pin', { body: { id: userName, pin } }))
  const challenge = await challenged(client, account)
  return said(await answered(client, { userName, device }, { challenge, pin }))
}

const RIGHT = /^200 .*"status":"success"/
const ofWrong = (status: string, message: string) => new RegExp(`"status":"${status}","message":"${message}"`)

/** The PINs that are tried on an account of each kind, with the answers that the existing server would have given. */
const EXPECTED: Partial<Record<AccountKind, readonly (readonly [pin: string, answer: RegExp])[]>> = {
  'one wrong PIN': [
    [WRONG_PIN, ofWrong('failure', '1')],
    [PIN, RIGHT],
  ],
  'two wrong PINs': [
    [WRONG_PIN, ofWrong('error', '60')],
    [PIN, ofWrong('error', '(60|[1-5]?\\d)')],
  ],
  blocked: [[PIN, ofWrong('error', '3[0-5]\\d\\d')]],
  'block over': [[PIN, RIGHT]],
  'blocked before its deletion': [[PIN, ofWrong('error', '8[56]\\d\\d\\d')]],
}

withDatabase('each account logs in, and keeps its wrong PINs, its block and its deletion', async () => {
  const { address, accounts } = await database()
  const store = newFile()
  await importWhole(address, store)
  const node = await startNode({ store })
  try {
    const client = clientOf(node.port)
    const check = async (account: MadeAccount): Promise<void> => {
      const { kind, userName } = account
      if (kind === 'deleted by its owner') {
        const asked = await challenged(client, account).catch((error: Error) => error.message)
        assert.match(asked, /^verify_start: 403 .*USER_NOT_REGISTERED/, userName)
        return
      }
      for (const [pin, expected] of EXPECTED[kind] ?? [[PIN, RIGHT]])
        assert.match(await login(client, account, pin), expected, `${kind} ${userName}`)
      const row = await node.store.accounts.load(hashOfToken(userName))
      if (kind === 'warned') assert.is(row?.deleteAt, null)
    }
    for (let at = 0; at < accounts.length; at += AT_ONCE)
      await Promise.all(accounts.slice(at, at + AT_ONCE).map(check))
  } finally {
    await node.close()
  }
})

Many.run()
