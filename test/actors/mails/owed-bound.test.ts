/** The maximum number of mails that wait for the mail server (spec/laws#5). At the maximum, calls that need another mail are refused. No mail is dropped. @module */
import * as assert from 'uvu/assert'
import { rejection } from '../../faults/rejection.ts'
import { owedRow } from '../../stores/rows.ts'
import { suite } from '../../suite.ts'
import { ADDRESS, CALLER, createMailWorld } from './world.ts'

const Bound = suite('mails: the bound of waiting mails')

Bound(
  'at the bound, a registration with an address is refused before it is stored, and no login link is made',
  async () => {
    const world = createMailWorld()
    await world.confirmed()
    const before = { sent: world.sent.length, accounts: await world.store.accounts.count() }
    const later = { host: 'mail.example:25', requestor: null, dueAt: 2 ** 50, giveUpAt: 2 ** 50 }
    const waiting = Array.from({ length: 10_000 }, (_, i) => owedRow(`w${i}`, later))
    await world.store.commit({ inserts: { owed: waiting } })
    const refused = /^UnavailableError: expected fewer than 10000 mails that are not sent yet/
    assert.match(await rejection(world.register('new@home.example')), refused)
    world.loginMails.ask(ADDRESS, 'en', CALLER)
    await world.settled()
    assert.equal({ sent: world.sent.length, accounts: await world.store.accounts.count() }, before)
    assert.match(world.reports.join(), 'expected fewer than 10000 mails')
    assert.is(await world.store.deliveries.countOwed({ host: 'mail.example:25' }, 20_000), 10_000)
    await world.close()
  },
)

Bound.run()
