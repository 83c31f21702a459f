/** Times in a file, if the next process has a different clock: deadlines, leases, answers and deliveries keep their remaining time. @module */
import * as assert from 'uvu/assert'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import { openDeliveries, openStore } from '../../stores/open.ts'
import { openSqlite } from '../../stores/sqlite/statements.ts'
import type { Store } from '../../stores/store.ts'
import { settle } from '../actors/node.ts'
import { suite } from '../suite.ts'
import { newStoreFile } from '../temporary-folder.ts'
import { commitAccumulators, commitSession } from './commits.ts'
import { accumulatorRow, firstOf, issuanceRecord } from './revocation-suite.ts'
import { CLAIM, fullRow, owedRow, sessionRow } from './rows.ts'

const HOUR = 3_600_000
const START = 1_780_000_000_000

function openAt(file: string, clock: SimulatedClock, bootId = 'boot A'): Promise<Store> {
  return openStore(`sqlite:${file}`, bootId, { clock })
}

/** Writes a deadline in 60 s, a lease in 30 s, an answer 4 s old, and a delivery due in 10 s. The system clock may be set before or after the end of the process. */
async function leave(file: string, change: { readonly wallMs?: number; readonly isKilled?: boolean } = {}) {
  const clock = createSimulatedClock(START)
  const store = await openAt(file, clock)
  const snapshot = { value: 'INITIALIZED', context: { deadlineAt: START + 60_000, pairing: 'none' } }
  await commitSession(store, 'id-s', 0, sessionRow('s', { deadlineAt: START + 60_000, snapshot }))
  const { answered } = fullRow('t')
  const claimed = fullRow('t')
  await commitSession(
    store,
    'id-t',
    0,
    {
      ...claimed,
      deadlineAt: START + 60_000,
      claim: { ...CLAIM, leaseUntil: START + 30_000 },
      answered: answered && { ...answered, answeredAt: START - 4_000 },
    },
    { owed: [owedRow('d', { owedAt: START - 5_000, dueAt: START + 10_000, giveUpAt: START + 24 * HOUR })] },
  )
  await commitAccumulators(store, [firstOf()])
  await store.revocation.addRecord(issuanceRecord())
  if (change.wallMs) clock.setWall(change.wallMs)
  if (!change.isKilled) return void (await store.close())
  clock.advance(1_000) // the last renewal
  await settle()
  const other = await openSqlite(file)
  other.exec('update owner set process = null, boot_id = null') // as if its process had died
  other.close()
}

/** All times after the next start, at that time of the system clock. */
async function timesAt(file: string, nowAt: number) {
  const store = await openAt(file, createSimulatedClock(nowAt), 'boot B')
  const [s, t, d] = [
    await store.sessions.load('id-s'),
    await store.sessions.load('id-t'),
    await store.deliveries.load('d'),
  ]
  assert.is(Number(s?.snapshot?.context && Object(s.snapshot.context).deadlineAt), s?.deadlineAt)
  assert.equal([s?.version, t?.version, d?.version], [1, 2, 1])
  const record = issuanceRecord()
  assert.equal(await store.revocation.findRecord(accumulatorRow().type, 0, record.e), record)
  const due = await Promise.all([29_999, 30_000, 60_000].map(ms => store.sessions.due(nowAt + ms, 9, 9)))
  await store.close()
  const toGo = [
    s?.deadlineAt,
    t?.deadlineAt,
    t?.claim?.leaseUntil,
    t?.answered?.answeredAt,
    d?.owedAt,
    d?.dueAt,
    d?.giveUpAt,
  ]
  return { toGo: toGo.map(at => (at ?? 0) - nowAt), due }
}

const TO_GO = [60_000, 60_000, 30_000, -4_000, -5_000, 10_000, 24 * HOUR]
const DUE = [[], ['id-t'], ['id-t', 'id-s']]

const Times = suite('times in a file')

Times(
  'the clock was set back by 2 h while no process ran: every time keeps its distance from now',
  async () => {
    const file = newStoreFile()
    await leave(file)
    assert.equal(await timesAt(file, START - 2 * HOUR), { toGo: TO_GO, due: DUE })
  },
)

for (const hours of [-2, 2])
  Times(
    `the clock was set by ${hours} h while the process ran: every time keeps its distance from now`,
    async () => {
      const file = newStoreFile()
      await leave(file, { wallMs: hours * HOUR })
      assert.equal(await timesAt(file, START + hours * HOUR), { toGo: TO_GO, due: DUE })
    },
  )

Times('a process that was killed has written the time with its last renewal', async () => {
  const file = newStoreFile()
  await leave(file, { wallMs: -2 * HOUR, isKilled: true })
  const { toGo } = await timesAt(file, START - 2 * HOUR + 1_000)
  assert.equal(
    toGo,
    TO_GO.map(ms => ms - 1_000),
  )
})

Times('time that passes between two processes counts', async () => {
  const file = newStoreFile()
  await leave(file)
  const { toGo } = await timesAt(file, START + 7_000)
  assert.equal(
    toGo,
    TO_GO.map(ms => ms - 7_000),
  )
})

Times('damaged snapshots stay unchanged', async () => {
  const file = newStoreFile()
  await leave(file)
  const database = await openSqlite(file)
  database.exec(`update sessions set snapshot = '{"value":', claim = 'secret' where id = 'id-t'`)
  database.exec(`update sessions set snapshot = '{"context":7}' where id = 'id-s'`)
  database.close()
  const store = await openAt(file, createSimulatedClock(START - 2 * HOUR), 'boot B')
  const [s, t] = [await store.sessions.load('id-s'), await store.sessions.load('id-t')]
  assert.equal([s?.snapshot, t?.snapshot, t?.claim], [{ context: 7 }, null, null])
  assert.is(s?.deadlineAt, START - 2 * HOUR + 60_000)
  await store.close()
})

Times('a command beside the process uses the clock of the process, and not that of the system', async () => {
  const file = newStoreFile()
  const clock = createSimulatedClock(Date.now() - 2 * HOUR)
  clock.setWall(2 * HOUR)
  const store = await openAt(file, clock)
  const { now, close } = await openDeliveries(`sqlite:${file}`)
  assert.ok(Math.abs(now() - clock.now()) < 60_000)
  await close()
  await store.close()
})

Times.run()
