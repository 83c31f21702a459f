/** The times at which the tasks of a keyshare server run, and the work that their close stops. @module */
import * as assert from 'uvu/assert'
import type { TaskDeps } from '../../../actors/tasks/expiry-warnings.ts'
import { suite } from '../../suite.ts'
import { createMailWorld } from '../mails/world.ts'
import { deferred, settle } from '../node.ts'
import { after, DAY, started } from './started.ts'

const Runs = suite('runs of the tasks')

Runs('a task that fails is reported; the other tasks and the next run continue', async () => {
  const world = createMailWorld()
  const { id } = await world.confirmed()
  await world.owners.disable(id)
  const { accounts } = world.store
  const stored: TaskDeps['stored'] = {
    unused: (...asked) => accounts.unused(...asked),
    addressesOf: asked => accounts.addressesOf(asked),
    toDelete: (...asked) => accounts.toDelete(...asked),
    async tidy() {
      throw new Error('the store is gone')
    },
  }
  const tasks = await started(world, true, { stored })
  await after(world, 31 * DAY)
  const failed = 'clean links and addresses: Error: the store is gone'
  assert.equal(world.reports, [failed, failed])
  assert.is(await world.accounts.read(id), null)
  await tasks.close()
})

Runs('close waits for the running task, and no other task begins', async () => {
  const world = createMailWorld()
  const { id } = await world.confirmed()
  await world.owners.disable(id)
  world.clock.advance(31 * DAY)
  const tidied = deferred()
  const { accounts } = world.store
  const stored: TaskDeps['stored'] = {
    unused: async () => {
      throw new Error('expected no other task')
    },
    addressesOf: asked => accounts.addressesOf(asked),
    toDelete: (...asked) => accounts.toDelete(...asked),
    tidy: () => tidied.promise,
  }
  const tasks = await started(world, true, { stored })
  let hasEnded = false
  const ending = tasks.close().then(() => {
    hasEnded = true
  })
  await settle()
  assert.not(hasEnded)
  tidied.resolve()
  await ending
  assert.ok(await world.accounts.read(id))
  await world.close()
  assert.equal([world.clock.nextTimerAt(), world.reports], [null, []])
})

Runs('no task runs after close', async () => {
  const world = createMailWorld()
  const { id } = await world.confirmed()
  await world.owners.disable(id)
  const tasks = await started(world)
  await tasks.close()
  await after(world, 60 * DAY)
  assert.ok(await world.accounts.read(id))
})

Runs('no timer is left after close', async () => {
  const world = createMailWorld()
  const tasks = await started(world)
  await tasks.close()
  await world.close()
  assert.is(world.clock.nextTimerAt(), null)
})

Runs.run()
