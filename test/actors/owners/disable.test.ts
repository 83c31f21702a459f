/** An account that its owner deletes (spec/keyshare-server#15, #21 property 22). @module */
import * as assert from 'uvu/assert'
import { createOwners } from '../../../actors/owners/owners.ts'
import { suite } from '../../suite.ts'
import { ADDRESS, createMailWorld, TIMES, tokenIn } from '../mails/world.ts'

const DAY = 24 * 3_600_000
const Disabling = suite('owners: the end of an account')

Disabling('its secrets are deleted at once, its row 30 days later, and its owner gets a mail', async () => {
  const world = createMailWorld()
  const { id, userName } = await world.confirmed()
  const before = world.sent.length
  assert.ok(await world.owners.disable(id))
  const row = await world.accounts.read(id)
  assert.equal([row?.record, row?.tokenIdHash, row?.deleteAt], [null, null, world.clock.now() + 30 * DAY])
  await world.settled()
  const mail = world.sent.at(-1)
  assert.equal(
    [mail?.to, mail?.subject, world.sent.length - before],
    [ADDRESS, 'Je account is verwijderd', 1],
  )
  assert.match(mail?.text ?? '', userName)
  assert.equal(await world.owners.accountsOf(ADDRESS), [])
  await world.close()
})

Disabling('an account is deleted once', async () => {
  const world = createMailWorld()
  const { id } = await world.confirmed()
  const both = await Promise.all([world.owners.disable(id), world.owners.disable(id)])
  await world.settled()
  assert.equal(both, [true, false])
  assert.is(world.sent.filter(({ subject }) => subject === 'Je account is verwijderd').length, 1)
  assert.not(await world.owners.disable('nobody'))
  await world.close()
})

Disabling(
  'an account that ends while its owner views it or confirms an address causes no error',
  async () => {
    const world = createMailWorld()
    const { id } = await world.confirmed()
    await world.owners.confirmAnother({ accountId: id, email: ADDRESS, language: 'en', caller: '192.0.2.1' })
    await world.settled()
    const token = tokenIn(world.sent.at(-1))
    const row = await world.accounts.read(id)
    if (row === null) throw new Error('no account')
    const parts = { ...world.ground, ...world, times: TIMES, report: assert.unreachable }
    const disabled = { ...row, record: null, tokenIdHash: null }
    for (const found of [null, disabled]) {
      const owners = createOwners({ ...parts, accounts: { read: async () => found, turn: async () => null } })
      assert.equal(await owners.accountsOf(ADDRESS), [])
      assert.is(await owners.confirm(token), null)
      assert.is(await owners.disable(id), false)
    }
    await world.close()
  },
)

Disabling.run()
