/** An account that another program changed: the other accounts of its owner, and those of other owners, are not affected. */
import * as assert from 'uvu/assert'
import type { AccountRow } from '../../../stores/account-store.ts'
import { suite } from '../../suite.ts'
import { ADDRESS, CALLER, createMailWorld, tokenIn } from '../mails/world.ts'
import { after, DAY, HOUR, started, type World } from '../tasks/started.ts'

const Unreadable = suite('accounts: one that cannot be read')

/** Changes a column, as a program with access to the database can. */
async function change({ store }: World, { id }: AccountRow): Promise<void> {
  const row = await store.accounts.load(id)
  if (row === null) throw new Error('no account')
  await store.commit({ account: { id, version: row.version, row: { ...row, language: 'en' } } })
}

Unreadable('its owner can log in, and sees the other account', async () => {
  const world = createMailWorld()
  const [one, other] = [await world.confirmed(), await world.confirmed()]
  await change(world, one)
  world.loginMails.ask(ADDRESS, 'nl', CALLER)
  await world.settled()
  assert.is(await world.owners.logIn(tokenIn(world.sent.at(-1))), ADDRESS)
  const owned = await world.owners.accountsOf(ADDRESS)
  assert.equal(
    owned.map(({ row }) => row.id),
    [other.id],
  )
  assert.is(world.reports.filter(report => report.startsWith(`${one.id}: RecordError`)).length, 2)
  await world.close()
})

Unreadable('its owner is not warned, and the next owner is', async () => {
  const world = createMailWorld()
  const one = await world.confirmed('one@home.example')
  await world.confirmed('other@home.example')
  await change(world, one)
  const tasks = await started(world)
  await after(world, 365 * DAY)
  await after(world, HOUR)
  await world.settled()
  assert.is(world.sent.at(-1)?.to, 'other@home.example')
  assert.match(world.reports.join('\n'), `warn owner of ${one.id}: RecordError`)
  await after(world, 31 * DAY)
  assert.is(await world.store.accounts.load(one.id).then(row => row?.language), 'en')
  await tasks.close()
  await world.close()
})

Unreadable.run()
