/** The memory of a node: which commitments it may answer, and the latest rows that it has seen. */
import * as assert from 'uvu/assert'
import { RecordError } from '../../../accounts/record-error.ts'
import { Answerable } from '../../../actors/accounts/answerable.ts'
import { LatestRows } from '../../../actors/accounts/latest-rows.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { OverloadedError } from '../../../protocol/errors.ts'
import type { AccountRow, StoredCommitment } from '../../../stores/account-store.ts'
import { accountRow } from '../../stores/account-rows.ts'
import { suite } from '../../suite.ts'
import { bytesOf } from './nodes.ts'

const Memory = suite('keyshare logins: the memory of a node')

const of = (name: string): StoredCommitment => ({
  lastKey: 'a.b-0',
  hashedComms: null,
  sealedRandomizer: bytesOf(name),
})
const row = (name: string | null): AccountRow =>
  accountRow('a', { commitment: name === null ? null : of(name) })

Memory('a commitment that was taken, replaced or deleted with its account is not answered', () => {
  const answerable = new Answerable(createSimulatedClock(0), 'any')
  answerable.note(row(null), row('taken'))
  assert.ok(answerable.has(of('taken')))
  answerable.note(row('taken'), row('taken'))
  assert.ok(answerable.has(of('taken')), 'another commit of the account')
  answerable.note(row('taken'), row(null))
  answerable.note(row('replaced'), row('new'))
  answerable.note(row('deleted'), null)
  assert.equal(
    ['taken', 'replaced', 'new', 'deleted', 'foreign'].map(name => answerable.has(of(name))),
    [false, false, true, false, true],
  )
  answerable.note(row(null), row('taken'))
  assert.not.ok(answerable.has(of('taken')), 'also if it begins again')
})

Memory('a finished commitment is remembered for the lifetime of a commitment, 20 s, and no longer', () => {
  const clock = createSimulatedClock(0)
  const answerable = new Answerable(clock, 'any', 1)
  answerable.note(row('a'), row(null))
  clock.advance(20_000)
  assert.throws(
    () => answerable.requireRoom(),
    (error: Error) => error instanceof OverloadedError,
  )
  assert.not.ok(answerable.has(of('a')))
  clock.advance(1)
  answerable.requireRoom()
  assert.ok(answerable.has(of('a')))
})

Memory('the latest versions of a bounded number of accounts are remembered', async () => {
  const latest = new LatestRows(2)
  const read = (id: string, version: number) =>
    latest.read(`id-${id}`, async () => accountRow(id, { version })).catch((error: unknown) => error)
  latest.note(accountRow('a', { version: 3 }))
  assert.instance(await read('a', 2), RecordError)
  for (const id of ['b', 'c']) await read(id, 1)
  assert.not.instance(await read('a', 2), Error)
})

Memory(
  'a row that is read before a commit and arrives after it does not count as an outdated row',
  async () => {
    const latest = new LatestRows()
    latest.note(accountRow('a', { version: 1 }))
    const slow = latest.read('id-a', async () => {
      latest.note(accountRow('a', { version: 2 }))
      return accountRow('a', { version: 1 })
    })
    assert.is((await slow)?.version, 1)
    const error = await latest.read('id-a', async () => accountRow('a', { version: 1 })).catch(error => error)
    assert.instance(error, RecordError)
  },
)

Memory.run()
