/** The bounds on mails that strangers can cause (spec/decisions#bounds-of-callers). */
import * as assert from 'uvu/assert'
import { mailboxOf, parseMailAddress } from '../../../accounts/mails/address.ts'
import { DAY_MS, HOUR_MS, type MailRates } from '../../../actors/mails/settings.ts'
import { TooManyRequestsError } from '../../../protocol/errors.ts'
import { suite } from '../../suite.ts'
import { CALLER, createMailWorld, MAIL_SETTINGS } from './world.ts'

const Bounds = suite('mails: bounds')

const NONE: MailRates = { perCaller: 0, perDomain: 0, perMailbox: 0 }

/** @returns how many of the registrations with these addresses were accepted */
async function accepted(
  world: ReturnType<typeof createMailWorld>,
  addresses: readonly string[],
  caller = CALLER,
): Promise<number> {
  let count = 0
  for (const address of addresses)
    try {
      await world.register(address, caller)
      count += 1
    } catch (error) {
      if (!(error instanceof TooManyRequestsError) || error.waitMs === null) throw error
    }
  return count
}

const many = (count: number, write: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => write(i))

Bounds(
  'by default at most 10 mails a day go to one mailbox, counted over all spellings of its address',
  async () => {
    assert.equal(MAIL_SETTINGS.rates, { perCaller: 200, perDomain: 1_000, perMailbox: 10 })
    const world = createMailWorld()
    const spelled = many(15, i => (i % 2 === 0 ? `victim+${i}@home.example` : `VICtim+${i}@Home.example`))
    assert.is(await accepted(world, spelled), 10)
    assert.is(await accepted(world, ['other@home.example']), 1)
    world.clock.advance(DAY_MS / 10)
    assert.is(await accepted(world, ['victim+a@home.example', 'victim+b@home.example']), 1)
    await world.close()
  },
)

Bounds('the bound of a domain is for each hour', async () => {
  const world = createMailWorld({}, { ...NONE, perDomain: 5 })
  assert.is(
    await accepted(
      world,
      many(9, i => `user${i}@home.example`),
    ),
    5,
  )
  assert.is(await accepted(world, ['user@other.example']), 1)
  world.clock.advance(HOUR_MS)
  assert.is(
    await accepted(
      world,
      many(9, i => `next${i}@home.example`),
    ),
    5,
  )
  await world.close()
})

Bounds('a mail that the bound of its domain refuses does not count for its mailbox', async () => {
  const world = createMailWorld({}, { ...NONE, perDomain: 1, perMailbox: 1 })
  assert.is(await accepted(world, ['other@home.example', 'user@home.example', 'user@home.example']), 1)
  world.clock.advance(HOUR_MS)
  assert.is(await accepted(world, ['user@home.example']), 1)
  await world.close()
})

Bounds('the bound of a caller is for each hour, and over it no domain is looked up', async () => {
  const looked: string[] = []
  const world = createMailWorld({}, { ...NONE, perCaller: 3 }, domain => looked.push(domain))
  assert.is(
    await accepted(
      world,
      many(5, i => `user@home${i}.example`),
    ),
    3,
  )
  assert.equal(looked, ['home0.example', 'home1.example', 'home2.example'])
  assert.is(await accepted(world, ['user@home9.example'], '192.0.2.9'), 1)
  world.clock.advance(HOUR_MS / 3)
  assert.is(await accepted(world, ['user@home7.example', 'user@home8.example']), 1)
  await world.close()
})

Bounds(
  'requests for login links count for the bound of a caller, with known and unknown addresses',
  async () => {
    for (const address of ['known@home.example', 'unknown@home.example']) {
      const world = createMailWorld({}, { ...NONE, perCaller: 3 })
      await world.confirmed('known@home.example')
      const ask = (): void => world.loginMails.ask(address, 'en', CALLER)
      ask()
      ask()
      assert.throws(ask, (error: unknown) => error instanceof TooManyRequestsError)
      world.loginMails.ask(address, 'en', '192.0.2.9')
      await world.settled()
      await world.close()
    }
  },
)

Bounds(
  'login links have the same bounds with a separate count, and no answer reveals a refusal',
  async () => {
    const world = createMailWorld({}, { ...NONE, perMailbox: 2 })
    await world.confirmed('user@home.example')
    await world.register('User+1@home.example')
    const before = world.sent.length
    const asked: number[] = []
    for (let i = 0; i < 4; i++) {
      world.clock.advance(180_000)
      world.loginMails.ask('user@home.example', 'en', CALLER)
      await world.settled()
      asked.push(world.sent.length - before - 1)
    }
    assert.equal([asked, world.reports], [[1, 2, 2, 2], []])
    await world.close()
  },
)

Bounds('the mailbox of an address is in lower case, without the tag', () => {
  for (const [address, mailbox] of [
    ['User@Home.example', 'user@home.example'],
    ['user+tag+more@home.example', 'user@home.example'],
    ['+tag@home.example', '+tag@home.example'],
    ['u@home.example', 'u@home.example'],
    ['JÜRGEN+x@home.example', 'jürgen@home.example'],
  ])
    assert.is(mailboxOf(parseMailAddress(address ?? '')), mailbox)
})

Bounds.run()
