/** Registration with an address, and its confirmation (spec/keyshare-server#13.2, #13.3, #21 property 25;
 *  spec/decisions#k12). No mail flow was recorded; these tests rest on the specification alone. @module */
import * as assert from 'uvu/assert'
import { HOUR_MS } from '../../../actors/mails/settings.ts'
import { createOwners } from '../../../actors/owners/owners.ts'
import {
  InvalidRequestError,
  RemoteError,
  TooManyRequestsError,
  UnavailableError,
} from '../../../protocol/errors.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { suite } from '../../suite.ts'
import { ADDRESS, createMailWorld, TIMES, tokenIn } from './world.ts'

async function refusalOf(work: Promise<unknown>): Promise<RemoteError> {
  try {
    await work
  } catch (error) {
    if (error instanceof RemoteError) return error
    throw error
  }
  return assert.unreachable('expected a refusal') as never
}

const Confirmations = suite('mails: confirmation of an address')

Confirmations(
  'the account, its link and the mail are one commit; the mail holds the only copy of the token',
  async () => {
    const world = createMailWorld()
    const { id } = await world.register()
    const [owed] = await world.store.deliveries.list()
    assert.equal([owed?.cause, owed?.owner, owed?.host], ['confirmation', id, 'mail.example:25'])
    await world.settled()
    const [mail] = world.sent
    assert.equal([mail?.to, mail?.subject, world.sent.length], [ADDRESS, 'Bevestig je e-mailadres', 1])
    const token = tokenIn(mail)
    assert.match(mail?.text ?? '', `https://keyshare.example/account/nl/confirm/${token}\n`)
    assert.not.match(JSON.stringify([owed, await world.store.accounts.load(id)]), token)
    assert.equal(
      (await world.store.deliveries.list()).map(({ state, message }) => [state, message]),
      [['delivered', null]],
    )
    await world.close()
  },
)

Confirmations(
  'a name beyond ASCII is refused at once where the mail server is known to take none',
  async () => {
    const world = createMailWorld()
    world.send.offersUtf8 = false
    const refusal = await refusalOf(world.register('jürgen@home.example'))
    assert.instance(refusal, InvalidRequestError)
    assert.match(refusal.message, 'expected a name in ASCII, because the mail server takes no other')
    assert.equal(await world.store.deliveries.list(), [])
    await world.register('anna@jõgeva.ee')
    await world.settled()
    assert.is(world.sent[0]?.to, 'anna@xn--jgeva-dua.ee')
    for (const known of [null, true]) {
      world.send.offersUtf8 = known
      await world.register('jürgen@home.example')
    }
    await world.close()
  },
)

Confirmations('the database in clear contains neither the token nor the address', async () => {
  const world = createMailWorld()
  await world.register()
  const [owed] = await world.store.deliveries.list()
  await world.settled()
  const stored = Buffer.from(owed?.message ?? '', 'base64').toString('latin1')
  for (const secret of [tokenIn(world.sent[0]), ADDRESS, 'confirm']) assert.not.match(stored, secret)
  assert.ok(stored.length > 100)
  await world.close()
})

Confirmations(
  'the address belongs to the account only after its link was followed, which works once',
  async () => {
    const world = createMailWorld()
    const { id } = await world.register()
    await world.settled()
    const token = tokenIn(world.sent[0])
    assert.equal(await world.store.accounts.addressesOf(id), [])
    assert.ok(await world.owners.isOpen(token, 'confirmation'))
    assert.not(await world.owners.isOpen(token, 'login'))
    assert.is(await world.owners.confirm(token), ADDRESS)
    assert.equal(await world.store.accounts.addressesOf(id), [
      { accountId: id, address: ADDRESS, deleteAt: null },
    ])
    assert.is((await world.accounts.read(id))?.seenAt, world.clock.now())
    assert.is(await world.owners.confirm(token), null)
    assert.not(await world.owners.isOpen(token, 'confirmation'))
    await world.close()
  },
)

Confirmations('if a link is followed twice at once, one call confirms the address', async () => {
  const world = createMailWorld()
  await world.register()
  await world.settled()
  const token = tokenIn(world.sent[0])
  const both = await Promise.all([world.owners.confirm(token), world.owners.confirm(token)])
  assert.equal(both.sort(), [null, ADDRESS])
  await world.close()
})

Confirmations('a link stays usable if its account cannot be changed now', async () => {
  const world = createMailWorld()
  await world.register()
  await world.settled()
  const token = tokenIn(world.sent[0])
  const failing = (error: Error) =>
    createOwners({
      ...world.ground,
      ...world,
      times: TIMES,
      report: assert.unreachable,
      accounts: { read: id => world.accounts.read(id), turn: () => Promise.reject(error) },
    })
  const late = new UnavailableError('no turn')
  assert.is(await refusalOf(failing(late).confirm(token)), late)
  assert.is(await world.owners.confirm(token), ADDRESS)
  await world.close()
})

Confirmations('a failure of the store while a link is followed is not reported as a used link', async () => {
  const world = createMailWorld()
  await world.register()
  await world.settled()
  const token = tokenIn(world.sent[0])
  const lost = new StoreError('store: lost')
  const owners = createOwners({
    ...world.ground,
    ...world,
    times: TIMES,
    report: assert.unreachable,
    accounts: {
      read: id => world.accounts.read(id),
      async turn(id, decide) {
        await world.accounts.turn(id, decide) // committed, but the caller gets no result
        throw lost
      },
    },
  })
  let error: unknown = null
  await owners.confirm(token).catch((caught: unknown) => {
    error = caught
  })
  assert.is(error, lost)
  await world.close()
})

Confirmations('a link ends after its hours, and an unknown link is refused', async () => {
  const world = createMailWorld()
  await world.register()
  await world.settled()
  const token = tokenIn(world.sent[0])
  world.clock.advance(168 * HOUR_MS - 5_001)
  assert.ok(await world.owners.isOpen(token, 'confirmation'))
  world.clock.advance(1)
  assert.not(await world.owners.isOpen(token, 'confirmation'))
  assert.is(await world.owners.confirm(token), null)
  assert.is(await world.owners.confirm('x'.repeat(20)), null)
  await world.close()
})

Confirmations('a link of an account that its owner has deleted does not confirm the address', async () => {
  const world = createMailWorld()
  const { id } = await world.register()
  await world.settled()
  assert.ok(await world.owners.disable(id))
  assert.is(await world.owners.confirm(tokenIn(world.sent[0])), null)
  assert.equal(await world.store.accounts.addressesOf(id), [])
  await world.close()
})

Confirmations(
  'the fourth within an hour to one address is refused, and its account is not stored',
  async () => {
    const world = createMailWorld()
    const rows = [await world.register(), await world.register()]
    world.clock.advance(HOUR_MS - 1)
    rows.push(await world.register())
    const refusal = await refusalOf(world.register())
    assert.instance(refusal, TooManyRequestsError)
    assert.equal(
      [refusal.status, refusal.message],
      [429, 'Too many unhandled email tokens for given email address'],
    )
    assert.is((await world.store.deliveries.list()).length, 3)
    await world.register('other@home.example')
    world.clock.advance(1)
    await world.register()
    assert.is(new Set(rows.map(({ id }) => id)).size, 3)
    await world.close()
  },
)

Confirmations('capitals in a domain do not make another address with its own count', async () => {
  const world = createMailWorld()
  const spellings = ['victim@home.example', 'victim@Home.example', 'victim@home.Example']
  for (const email of spellings) await world.register(email)
  assert.instance(await refusalOf(world.register('victim@HOME.EXAMPLE')), TooManyRequestsError)
  await world.close()
})

Confirmations(
  'simultaneous requests do not exceed the bound, and a followed link does not count',
  async () => {
    const world = createMailWorld()
    const asked = await Promise.allSettled(Array.from({ length: 9 }, () => world.register()))
    assert.is(asked.filter(({ status }) => status === 'fulfilled').length, 3)
    await world.settled()
    await world.owners.confirm(tokenIn(world.sent[0]))
    await world.register()
    await refusalOf(world.register())
    await world.close()
  },
)

for (const [what, email] of [
  ['a text that is no address', 'nobody'],
  ['an address with a line break', 'user@home.example\r\nBcc: other@home.example'],
  ['a domain that does not exist', 'user@gone.example'],
] as const)
  Confirmations(`${what} is refused, and no account is stored for it`, async () => {
    const world = createMailWorld({ 'gone.example': 'takes none' })
    const refusal = await refusalOf(world.register(email))
    assert.instance(refusal, InvalidRequestError)
    assert.match(refusal.message, /^invalid email address/)
    assert.not.match(refusal.message, 'example')
    assert.equal(await world.store.deliveries.list(), [])
    await world.close()
  })

Confirmations(
  'DNS that does not answer: 503, because the address may be right, and no account is stored',
  async () => {
    const world = createMailWorld({ 'silent.example': 'unknown' })
    const refusal = await refusalOf(world.register('user@silent.example'))
    assert.instance(refusal, UnavailableError)
    assert.match(refusal.message, 'expected DNS to say')
    assert.not.match(refusal.message, /silent|invalid/)
    assert.equal(await world.store.deliveries.list(), [])
    await world.close()
  },
)

Confirmations.run()
