/** Records are bound to the times of their rows. If the clock was set while no process ran, the next one moves the times of a file, and the records still open. */
import * as assert from 'uvu/assert'
import { RecordError } from '../../../accounts/record-error.ts'
import { newSecrets } from '../../../accounts/secrets.ts'
import type { AccountStep, Accounts } from '../../../actors/accounts/accounts.ts'
import { createAccounts } from '../../../actors/accounts/create-accounts.ts'
import type { LoginEvent } from '../../../machines/login-events.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { openStore } from '../../../stores/open.ts'
import { openSqlite } from '../../../stores/sqlite/statements.ts'
import { suite } from '../../suite.ts'
import { newStoreFile } from '../../temporary-folder.ts'
import { bytesOf, DEVICE_KEY, enter, ID, keysOf, PIN, USER } from './nodes.ts'

const Times = suite('keyshare logins: times that a store moves')

const START = 1_780_000_000_000
const HOUR = 3_600_000
const commitment = { lastKey: 'a.b-0', hashedComms: null, sealedRandomizer: bytesOf('w') }

/** Runs a process whose clock shows this time. */
async function at(now: number, file: string, use: (accounts: Accounts) => Promise<void>): Promise<void> {
  const clock = createSimulatedClock(now)
  const store = await openStore(`sqlite:${file}`, `boot at ${now}`, { clock })
  const accounts = createAccounts({
    store,
    clock,
    bootId: `boot at ${now}`,
    storageKeys: keysOf(7),
    random: systemRandomness,
    binding: 'write',
    commitmentsOf: 'any',
    report: (_id, error) => assert.unreachable(String(error)),
  })
  await use(accounts)
  await accounts.close()
  await store.close()
}

/** A block, a challenge and a commitment. */
async function begun(file: string): Promise<void> {
  await at(START, file, async accounts => {
    const secrets = newSecrets(PIN, { mk: 5n, tokenId: new Uint8Array(32), deviceKey: DEVICE_KEY })
    await accounts.register({ userName: USER, language: 'en', secrets })
    for (let i = 0; i < 3; i++) await enter(accounts, { type: 'app.sentPin', isSignedByDevice: true })
    await enter(accounts, { type: 'app.startedLogin' }, { challenge: bytesOf('c') })
    await enter(accounts, { type: 'app.requestedCommitments', version: 'v1' }, { commitment })
  })
}

Times(
  'the clock was set back twice: the record can be opened each time, also after a commit and at a later start',
  async () => {
    const file = newStoreFile()
    await begun(file)
    const expectBlockAt = async (
      now: number,
      ...[event, written]: [] | [LoginEvent, Omit<AccountStep, 'event'>]
    ): Promise<void> =>
      at(now, file, async accounts => {
        const row = await accounts.read(ID)
        assert.equal([row?.blockedUntil, row?.seenAt], [now + 60_000, now])
        if (event) assert.is((await enter(accounts, event, written)).isRefused, false)
      })
    await expectBlockAt(START - 2 * HOUR)
    await expectBlockAt(START - 3 * HOUR, { type: 'app.startedLogin' }, { challenge: bytesOf('d') })
    await at(START + HOUR, file, async accounts => assert.ok(await accounts.read(ID)))
  },
)

Times('a time in the file that another program moved: refused', async () => {
  for (const change of [
    'blocked_until = blocked_until - 1',
    'seen_at = seen_at - 1',
    'due_at = due_at + 1',
  ]) {
    const file = newStoreFile()
    await begun(file)
    const database = await openSqlite(file)
    database.exec(`update accounts set ${change}`)
    database.close()
    await at(START, file, async accounts => {
      const error = await accounts.read(ID).catch((error: unknown) => error)
      assert.instance(error, RecordError, change)
    })
  }
})

Times.run()
