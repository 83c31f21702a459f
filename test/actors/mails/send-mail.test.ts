/** One attempt to send a pending mail. @module */
import * as assert from 'uvu/assert'
import { sendMail } from '../../../actors/mails/send-mail.ts'
import { type Mail, MailError } from '../../../ports/mail.ts'
import { owedRow } from '../../stores/rows.ts'
import { suite } from '../../suite.ts'
import { createMailWorld, MAIL_SETTINGS, STORAGE_KEYS } from './world.ts'

const NEVER = new AbortController().signal

const Sending = suite('mails: an attempt')

Sending(
  'after a temporary failure of the mail server a mail is retried, after a permanent refusal it is given up at once',
  async () => {
    for (const [isPermanent, state] of [
      [false, 'waiting'],
      [true, 'givenUp'],
    ] as const) {
      const world = createMailWorld()
      world.send.one = async () => {
        throw new MailError('message', 'answer 550', isPermanent)
      }
      await world.register()
      await world.settled()
      const [row] = await world.store.deliveries.list()
      assert.equal([row?.state, row?.message === null], [state, isPermanent])
      assert.is(row?.lastOutcome, 'expected a server that takes the message, got answer 550')
      await world.close()
    }
  },
)

Sending('a mail is repeated with the same name until it is accepted', async () => {
  const world = createMailWorld()
  let attempts = 0
  world.send.one = async () => {
    attempts += 1
    if (attempts < 3) throw new MailError('connection', 'ECONNREFUSED', false)
    return 250
  }
  await world.register()
  for (let i = 0; i < 4; i++) await world.settled()
  assert.equal([world.sent.length, new Set(world.sent.map(({ id }) => id)).size], [3, 1])
  const [row] = await world.store.deliveries.list()
  assert.equal([row?.state, row?.lastOutcome, row?.message], ['delivered', 'answered 250', null])
  await world.close()
})

Sending('a stored mail that cannot be opened is given up without a call to the mail server', async () => {
  const sent: Mail[] = []
  const mail = {
    send: async (one: Mail): Promise<number> => sent.push(one),
  }
  const attempt = sendMail({ mail, storageKeys: STORAGE_KEYS, settings: MAIL_SETTINGS })
  const world = createMailWorld()
  await world.register()
  const [owed = owedRow('none')] = await world.store.deliveries.list()
  for (const row of [
    { ...owed, id: 'mail-of-another' },
    { ...owed, message: 'AAAA' },
    { ...owed, message: null },
  ]) {
    const { event, words } = await attempt(row, NEVER)
    assert.equal([event.type, words], ['server.refused', 'the stored mail could not be read'])
  }
  assert.equal(sent, [])
  assert.is((await attempt(owed, NEVER)).event.type, 'receiver.accepted')
  await world.close()
})

Sending('an error that is not a MailError is thrown', async () => {
  const mail = {
    async send(): Promise<number> {
      throw new TypeError('a bug')
    },
  }
  const world = createMailWorld()
  await world.register()
  const [owed = owedRow('none')] = await world.store.deliveries.list()
  try {
    await sendMail({ mail, storageKeys: STORAGE_KEYS, settings: MAIL_SETTINGS })(owed, NEVER)
    assert.unreachable()
  } catch (error) {
    assert.instance(error, TypeError)
  }
  await world.close()
})

Sending.run()
