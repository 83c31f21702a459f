/** Times of accounts in a file, if the next process has a different clock: blocks, challenges, commitments, links and deletions keep their remaining time,
 *  and past events keep their age. @module */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { openStore } from '../../stores/open.ts'
import type { Store } from '../../stores/store.ts'
import { suite } from '../suite.ts'
import { newStoreFile } from '../temporary-folder.ts'
import { accountRow, addressOf, commitAccount, linkFor } from './account-rows.ts'

const HOUR = 3_600_000
const START = 1_780_000_000_000

/** The place of each of these times, with a distance in hours from a moment; negative before it. */
const HOURS = {
  challengeEndsAt: 1,
  commitmentEndsAt: 2,
  dueAt: 3,
  blockedUntil: 4,
  deleteAt: 5,
  seenAt: -6,
  loggedAt: -7,
  addressDeletedAt: 8,
  linkMadeAt: -9,
  linkEndsAt: 10,
}
type Times = Readonly<Record<keyof typeof HOURS, number>>

function timesAfter(at: number): Times {
  const times = { ...HOURS }
  for (const [name, hours] of Object.entries(HOURS)) Object.assign(times, { [name]: at + hours * HOUR })
  return times
}

function open(at: number, file: string, bootId: string): Promise<Store> {
  return openStore(`sqlite:${file}`, bootId, { clock: createSimulatedClock(at) })
}

async function leave(file: string): Promise<void> {
  const times = timesAfter(START)
  const before = await open(START, file, 'boot A')
  const { challengeEndsAt, commitmentEndsAt, dueAt, blockedUntil, deleteAt, seenAt } = times
  const snapshot = { value: 'active', context: { challengeEndsAt, commitmentEndsAt } }
  await commitAccount(before, 0, accountRow('a', { snapshot, dueAt, blockedUntil, deleteAt, seenAt }), {
    account: {
      log: [{ at: times.loggedAt, event: 'PIN_CHECK_FAILED', param: 2 }],
      addresses: [addressOf('a', { deleteAt: times.addressDeletedAt })],
      links: [linkFor('l', { madeAt: times.linkMadeAt, endsAt: times.linkEndsAt })],
    },
  })
  const none = { value: 'active', context: { challengeEndsAt: null, commitmentEndsAt: null } }
  await commitAccount(before, 0, accountRow('none', { snapshot: none, seenAt: START }), {
    account: { addresses: [addressOf('none')] },
  })
  await before.close()
}

async function timesIn({ accounts }: Store): Promise<Partial<Times>> {
  const row = await accounts.load('id-a')
  const link = await accounts.link('hash-l')
  return {
    ...Object(row?.snapshot?.context),
    dueAt: row?.dueAt,
    blockedUntil: row?.blockedUntil,
    deleteAt: row?.deleteAt,
    seenAt: row?.seenAt,
    loggedAt: (await accounts.log('id-a', 0, 1))[0]?.at,
    addressDeletedAt: (await accounts.addressesOf('id-a'))[0]?.deleteAt,
    linkMadeAt: link?.madeAt,
    linkEndsAt: link?.endsAt,
  }
}

const KeptTimes = suite('times of accounts in a file')

KeptTimes('the clock was set back by 2 h: every time keeps its distance from now', async () => {
  const file = newStoreFile()
  await leave(file)
  const now = START - 2 * HOUR
  const after = await open(now, file, 'boot B')
  assert.equal(await timesIn(after), timesAfter(now))
  assert.equal(
    [(await after.accounts.load('id-a'))?.version, (await after.accounts.log('id-a', 0, 9)).length],
    [1, 1],
  )
  await after.close()
})

KeptTimes('times that are not set stay unset', async () => {
  const file = newStoreFile()
  await leave(file)
  const now = START - 2 * HOUR
  const after = await open(now, file, 'boot B')
  const none = { value: 'active', context: { challengeEndsAt: null, commitmentEndsAt: null } }
  assert.equal(await after.accounts.load('id-none'), accountRow('none', { snapshot: none, seenAt: now }))
  assert.equal(await after.accounts.addressesOf('id-none'), [addressOf('none')])
  await after.close()
})

KeptTimes('time that passes between two processes counts', async () => {
  const file = newStoreFile()
  await leave(file)
  const after = await open(START + HOUR, file, 'boot B')
  assert.equal(await timesIn(after), timesAfter(START))
  await after.close()
})

KeptTimes.run()
