/** Changes of accounts that only time causes (spec/keyshare-server#14), with a clock that the test moves. @module */
import * as assert from 'uvu/assert'
import { expiryWarnings, type TaskDeps } from '../../../actors/tasks/expiry-warnings.ts'
import { suite } from '../../suite.ts'
import { ADDRESS, createMailWorld, TIMES } from '../mails/world.ts'
import { settle } from '../node.ts'
import { after, DAY, HOUR, started, type World } from './started.ts'

async function warningsOf({ store }: World): Promise<number> {
  return (await store.deliveries.list()).filter(({ cause }) => cause === 'expiry').length
}

const Tasks = suite('accounts: changes by time alone')

Tasks(
  'the owner of an account that was unused for a year is warned once, and it is deleted 30 days later',
  async () => {
    const world = createMailWorld()
    const { id, userName } = await world.confirmed()
    const tasks = await started(world)
    await after(world, 365 * DAY)
    assert.is(await warningsOf(world), 0)
    await after(world, HOUR)
    const warnedAt = world.clock.now()
    assert.is((await world.accounts.read(id))?.deleteAt, warnedAt + 30 * DAY)
    await world.settled()
    const mail = world.sent.at(-1)
    assert.equal([mail?.to, mail?.subject], [ADDRESS, 'Je account wordt verwijderd'])
    assert.match(mail?.text ?? '', userName)
    await after(world, HOUR)
    assert.is(world.sent.length, 2)
    await after(world, 30 * DAY - 2 * HOUR)
    assert.ok(await world.accounts.read(id))
    await after(world, HOUR)
    assert.is(await world.accounts.read(id), null)
    assert.equal(world.reports, [])
    await tasks.close()
  },
)

Tasks('an account that is used after its warning is kept', async () => {
  const world = createMailWorld()
  const { id } = await world.confirmed()
  const tasks = await started(world)
  await after(world, 366 * DAY)
  await world.accounts.turn(id, () => ({ event: { type: 'owner.visited' } }))
  await after(world, 31 * DAY)
  assert.is((await world.accounts.read(id))?.deleteAt, null)
  await tasks.close()
})

Tasks('the row of an account that its owner has deleted is removed after 30 days', async () => {
  const world = createMailWorld()
  const { id } = await world.confirmed()
  const tasks = await started(world)
  await world.owners.disable(id)
  await after(world, 30 * DAY - 1)
  assert.ok(await world.accounts.read(id))
  await after(world, HOUR)
  assert.is(await world.accounts.read(id), null)
  await tasks.close()
})

Tasks('accounts that cannot be deleted are reported once in a run, and do not delay others', async () => {
  const world = createMailWorld()
  const rows = []
  for (let i = 0; i < 205; i++) rows.push(await world.register(''))
  const stuck = new Set(rows.slice(0, 101).map(({ id }) => id))
  for (const { id } of rows) await world.owners.disable(id)
  const accounts: TaskDeps['accounts'] = {
    turn: (id, decide) =>
      stuck.has(id) ? Promise.reject(new Error('it cannot be woken')) : world.accounts.turn(id, decide),
  }
  const tasks = await started(world, true, { accounts })
  await after(world, 30 * DAY)
  await settle(2_000)
  const stored = await world.store.accounts.toDelete(world.clock.now(), 1_000)
  assert.equal([...stored].sort(), [...stuck].sort())
  const reported = [...stuck].map(id => `delete account ${id}: Error: it cannot be woken`)
  assert.equal([...world.reports].sort(), reported.sort())
  await tasks.close()
})

Tasks(
  'an account that another node has deleted, or that is used at this moment, is left unchanged',
  async () => {
    const world = createMailWorld()
    const [gone, used] = [await world.confirmed(), await world.confirmed('other@home.example')]
    const tasks = await started(world, true, {
      accounts: {
        async turn(id, decide) {
          if (id === gone.id) await world.accounts.turn(id, () => ({ event: { type: 'server.deleted' } }))
          else await world.accounts.turn(id, () => ({ event: { type: 'owner.visited' } }))
          return world.accounts.turn(id, decide)
        },
      },
    })
    for (const { id } of [gone, used]) {
      const deleteAt = world.clock.now() + DAY
      await world.accounts.turn(id, () => ({ event: { type: 'server.warned', deleteAt } }))
    }
    await after(world, DAY)
    assert.equal(
      [await world.accounts.read(gone.id), (await world.accounts.read(used.id))?.deleteAt, world.reports],
      [null, null, []],
    )
    await tasks.close()
  },
)

Tasks('a used account without an address gets no warning, and so is never deleted', async () => {
  const world = createMailWorld()
  const { id } = await world.register('')
  await world.accounts.turn(id, () => ({ event: { type: 'owner.visited' } }))
  const tasks = await started(world)
  for (let i = 0; i < 3; i++) await after(world, 400 * DAY)
  assert.equal([(await world.accounts.read(id))?.deleteAt, world.sent], [null, []])
  await tasks.close()
})

Tasks('without a mail server no owner is warned; accounts that were deleted before are removed', async () => {
  const world = createMailWorld()
  const { id } = await world.confirmed()
  const other = await world.confirmed('other@home.example')
  await world.owners.disable(other.id)
  const tasks = await started(world, false)
  await after(world, 400 * DAY)
  assert.equal([(await world.accounts.read(id))?.deleteAt, await world.accounts.read(other.id)], [null, null])
  assert.equal(world.reports, [])
  await tasks.close()
})

Tasks('two nodes that look at the same time send one mail', async () => {
  const world = createMailWorld()
  await world.confirmed()
  const nodes = [await started(world), await started(world)]
  await after(world, 366 * DAY)
  await after(world, HOUR)
  assert.is(await warningsOf(world), 1)
  for (const node of nodes) await node.close()
})

Tasks('no warning is sent if the account is used at this moment', async () => {
  const world = createMailWorld()
  const { id } = await world.confirmed()
  const accounts: TaskDeps['accounts'] = {
    async turn(name, decide) {
      await world.accounts.turn(id, () => ({ event: { type: 'owner.visited' } }))
      return world.accounts.turn(name, decide)
    },
  }
  const tasks = await started(world, true, { accounts })
  await after(world, 366 * DAY)
  assert.equal([await warningsOf(world), (await world.accounts.read(id))?.deleteAt], [0, null])
  await tasks.close()
})

Tasks(
  'no warning is sent for an account that was used exactly a year ago, even if the store names it',
  async () => {
    const world = createMailWorld()
    const { id } = await world.confirmed()
    const { accounts } = world.store
    const seenAt = (await world.accounts.read(id))?.seenAt ?? 0
    const stored: TaskDeps['stored'] = {
      unused: async () => [id],
      addressesOf: asked => accounts.addressesOf(asked),
      toDelete: (...asked) => accounts.toDelete(...asked),
      tidy: at => accounts.tidy(at),
    }
    const warnUnused = expiryWarnings({
      ...world,
      ...world.ground,
      stored,
      times: TIMES,
      report: assert.unreachable,
    })
    await after(world, seenAt + 365 * DAY - world.clock.now())
    await warnUnused()
    assert.is(await warningsOf(world), 0)
    await after(world, 1)
    await warnUnused()
    assert.is(await warningsOf(world), 1)
  },
)

Tasks('a run warns ten owners at most, and the next run continues', async () => {
  const world = createMailWorld()
  for (let i = 0; i < 12; i++) await world.confirmed(`user${i}@home.example`)
  const tasks = await started(world)
  await after(world, 366 * DAY)
  assert.is(await warningsOf(world), 10)
  await after(world, HOUR)
  assert.is(await warningsOf(world), 12)
  await tasks.close()
})

Tasks('any number of accounts whose mail cannot arrive is skipped, and does not delay others', async () => {
  const domains: Record<string, 'takes none'> = {}
  const world = createMailWorld(domains)
  for (let i = 0; i < 12; i++) await world.confirmed(`user${i}@gone.example`)
  await world.confirmed()
  domains['gone.example'] = 'takes none'
  const tasks = await started(world)
  await after(world, 366 * DAY)
  assert.is(await warningsOf(world), 0)
  await after(world, HOUR)
  assert.is(await warningsOf(world), 1)
  await tasks.close()
})

Tasks('after ten thousand skipped accounts, all of them are tried again', async () => {
  const world = createMailWorld({ 'gone.example': 'takes none' })
  const limits: number[] = []
  let named = 0
  const { accounts } = world.store
  const stored: TaskDeps['stored'] = {
    async unused(_seenBefore, limit) {
      limits.push(limit)
      const one = limits.length === 1_001 // one more than ten thousand
      return Array.from({ length: one ? 1 : 10 }, () => `id-${named++}`)
    },
    addressesOf: async accountId => [{ accountId, address: 'a@gone.example', deleteAt: null }],
    toDelete: (...asked) => accounts.toDelete(...asked),
    tidy: at => accounts.tidy(at),
  }
  const warnUnused = expiryWarnings({
    ...world,
    ...world.ground,
    stored,
    times: TIMES,
    report: assert.unreachable,
  })
  for (let run = 1; run <= 1_003; run++) await warnUnused()
  assert.equal([limits[0], limits[1_000], limits[1_001], limits[1_002]], [10, 10_010, 10, 20])
})

Tasks('without DNS no owner is warned', async () => {
  const domains: Record<string, 'unknown'> = {}
  const world = createMailWorld(domains)
  await world.confirmed()
  domains['home.example'] = 'unknown'
  const tasks = await started(world)
  await after(world, 366 * DAY)
  assert.is(await warningsOf(world), 0)
  delete domains['home.example']
  await after(world, HOUR)
  assert.is(await warningsOf(world), 1)
  await tasks.close()
})

Tasks('expired links are removed, and others stay', async () => {
  const world = createMailWorld()
  await world.register()
  const tasks = await started(world)
  const links = () => world.store.accounts.countLinks(ADDRESS, 'confirmation', 0)
  await after(world, 168 * HOUR - 1)
  assert.is(await links(), 1)
  await after(world, HOUR)
  assert.is(await links(), 0)
  await tasks.close()
})

Tasks.run()
