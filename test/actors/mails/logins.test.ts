/** Links that log the owner of an address in (spec/keyshare-server#15). @module */
import * as assert from 'uvu/assert'
import { InvalidRequestError, UnavailableError } from '../../../protocol/errors.ts'
import { suite } from '../../suite.ts'
import { ADDRESS, CALLER, createMailWorld, START, tokenIn } from './world.ts'

const MINUTE = 60_000
const Logins = suite('mails: links to log in')

Logins('a confirmed address gets a link, which works once and for an hour', async () => {
  const world = createMailWorld()
  const { id } = await world.confirmed()
  world.loginMails.ask(ADDRESS, 'en', CALLER)
  await world.settled()
  const mail = world.sent.at(-1)
  assert.equal([mail?.to, mail?.subject], [ADDRESS, 'Log in to manage your account'])
  const token = tokenIn(mail)
  world.clock.advance(60 * MINUTE - 5_001)
  assert.ok(await world.owners.isOpen(token, 'login'))
  assert.is(await world.owners.logIn(token), ADDRESS)
  assert.is((await world.accounts.read(id))?.seenAt, world.clock.now())
  assert.is(await world.owners.logIn(token), null)
  world.loginMails.ask(ADDRESS, 'en', CALLER)
  await world.settled()
  world.clock.advance(60 * MINUTE - 5_000)
  assert.is(await world.owners.logIn(tokenIn(world.sent.at(-1))), null)
  assert.ok(world.clock.now() > START)
  await world.close()
})

Logins(
  'an address that is unknown, not confirmed or of a deleted account gets no link, and the answer is the same',
  async () => {
    const world = createMailWorld()
    await world.register('new@home.example')
    const { id } = await world.confirmed()
    await world.owners.disable(id)
    await world.settled()
    const { length } = world.sent
    for (const email of ['nobody@home.example', 'new@home.example', ADDRESS])
      world.loginMails.ask(email, 'en', CALLER)
    await world.settled()
    assert.equal([world.sent.length, world.reports], [length, []])
    await world.close()
  },
)

Logins('within two minutes no other link is sent, unless the first was followed', async () => {
  const world = createMailWorld()
  await world.confirmed()
  const before = world.sent.length
  const ask = async () => {
    world.loginMails.ask(ADDRESS, 'en', CALLER)
    world.loginMails.ask(ADDRESS, 'nl', CALLER)
    await world.settled()
    return world.sent.length - before
  }
  assert.is(await ask(), 1)
  world.clock.advance(2 * MINUTE - 5_001)
  assert.is(await ask(), 1)
  assert.is(await ask(), 2)
  await world.owners.logIn(tokenIn(world.sent.at(-1)))
  assert.is(await ask(), 3)
  await world.close()
})

Logins('a link to confirm an address cannot be used to log in', async () => {
  const world = createMailWorld()
  await world.register()
  await world.settled()
  assert.is(await world.owners.logIn(tokenIn(world.sent[0])), null)
  assert.is(await world.owners.confirm(tokenIn(world.sent[0])), ADDRESS)
  await world.close()
})

Logins('a text that is no address is refused', () => {
  const world = createMailWorld()
  assert.throws(
    () => world.loginMails.ask('nobody', 'en', CALLER),
    (error: unknown) => error instanceof InvalidRequestError,
  )
})

Logins('a hundred requests are handled at once, and further callers must try again later', async () => {
  const world = createMailWorld()
  const ask = (): void => world.loginMails.ask('nobody@home.example', 'en', CALLER)
  for (let asked = 0; asked < 100; asked++) ask()
  assert.throws(ask, (error: unknown) => error instanceof UnavailableError)
  await world.loginMails.close()
  ask()
  await world.close()
})

Logins('a server that stops stores the requested mails first', async () => {
  const world = createMailWorld()
  await world.confirmed()
  world.loginMails.ask(ADDRESS, 'en', CALLER)
  await world.loginMails.close()
  const causes = (await world.store.deliveries.list()).map(({ cause }) => cause)
  assert.ok(causes.includes('login'))
  await world.close()
})

Logins(
  'an account that was warned is kept after a login; one login counts for all accounts with the address',
  async () => {
    const world = createMailWorld()
    const ids = [(await world.confirmed()).id, (await world.confirmed()).id]
    for (const id of ids)
      await world.accounts.turn(id, () => ({ event: { type: 'server.warned', deleteAt: START + 1_000_000 } }))
    assert.equal((await world.owners.accountsOf(ADDRESS)).map(({ row }) => row.id).sort(), [...ids].sort())
    world.loginMails.ask(ADDRESS, 'en', CALLER)
    await world.settled()
    await world.owners.logIn(tokenIn(world.sent.at(-1)))
    assert.equal(
      (await world.owners.accountsOf(ADDRESS)).map(({ row }) => row.deleteAt),
      [null, null],
    )
    await world.close()
  },
)

Logins.run()
