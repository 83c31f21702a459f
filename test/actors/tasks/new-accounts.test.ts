/** New accounts leave 30 days after their registration, unless they are used (spec/decisions#accounts). */
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { ADDRESS, createMailWorld, tokenIn } from '../mails/world.ts'
import { after, DAY, HOUR, started, type World } from './started.ts'

const New = suite('accounts: new ones that are never used')

New('an account that never logged in is deleted 30 days after its registration, with its link', async () => {
  for (const email of ['', ADDRESS]) {
    const world = createMailWorld()
    const { id, deleteAt } = await world.register(email)
    assert.is(deleteAt, world.clock.now() + 30 * DAY)
    const tasks = await started(world)
    await after(world, 30 * DAY - 1)
    assert.ok(await world.accounts.read(id))
    await after(world, HOUR)
    assert.is(await world.accounts.read(id), null)
    assert.is(await world.store.accounts.countLinks(ADDRESS, 'confirmation', 0), 0)
    await tasks.close()
  }
})

/** The uses that keep a new account. */
const USES: Readonly<Record<string, (world: World, id: string) => Promise<unknown>>> = {
  'a login': async ({ accounts }, id) => {
    await accounts.turn(id, () => ({ event: { type: 'app.sentPin', isSignedByDevice: true } }))
    const { version: attempt = 0 } = (await accounts.read(id)) ?? {}
    await accounts.turn(id, () => ({ event: { type: 'server.acceptedPin', attempt } }))
  },
  'a session': async ({ accounts }, id) => {
    const commitment = { lastKey: 'a.b-0', hashedComms: null, sealedRandomizer: new Uint8Array(112) }
    await accounts.turn(id, () => ({
      event: { type: 'app.requestedCommitments', version: 'v1' },
      commitment,
    }))
    await accounts.turn(id, () => ({ event: { type: 'app.requestedResponse', version: 'v1' } }))
  },
  'the confirmation of its address': async ({ owners, sent }) => owners.confirm(tokenIn(sent.at(-1))),
}
for (const [use, perform] of Object.entries(USES))
  New(`a new account is kept from its first use on: ${use}`, async () => {
    const world = createMailWorld()
    const { id } = await world.register()
    const tasks = await started(world)
    await after(world, 6 * DAY)
    await perform(world, id)
    await after(world, 30 * DAY)
    assert.is((await world.accounts.read(id))?.deleteAt, null)
    await tasks.close()
  })

New('a wrong PIN does not count as a use of a new account', async () => {
  const world = createMailWorld()
  const { id } = await world.register('')
  const tasks = await started(world)
  await world.accounts.turn(id, () => ({ event: { type: 'app.sentPin', isSignedByDevice: true } }))
  await world.accounts.turn(id, () => ({
    event: { type: 'server.refusedPin', attempt: 2, triesLeft: 2 },
    refused: { triesLeft: 2, waitSec: 0 },
  }))
  await after(world, 30 * DAY + HOUR)
  assert.is(await world.accounts.read(id), null)
  await tasks.close()
})

New.run()
