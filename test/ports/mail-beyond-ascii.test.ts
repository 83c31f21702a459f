/** Mail to names with letters beyond ASCII is sent only to a server with SMTPUTF8. @module */
import * as assert from 'uvu/assert'
import { createMailPort, type Mail, MailError } from '../../ports/mail.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { MAIL_CA, startMailServer } from '../mail-server.ts'
import { suite } from '../suite.ts'

const MAIL: Mail = {
  id: 'mail-1',
  from: { name: '', address: 'accounts@svc.example' },
  to: 'jürgen@xn--mnchen-3ya.example',
  subject: 'Bevestig je e-mailadres',
  text: 'één keer\n',
  html: '<p>één keer</p>\n',
}
const NEVER = new AbortController().signal

function portAt(port: number) {
  const clock = createSimulatedClock(1_000)
  return createMailPort({ host: 'localhost', port, tlsName: null, credentials: null }, { clock, ca: MAIL_CA })
}

const Beyond = suite('mail: names beyond ASCII')

for (const hasTls of [false, true])
  Beyond(`a server that offers SMTPUTF8 gets the mail, ${hasTls ? 'with' : 'without'} TLS`, async () => {
    const server = await startMailServer({ hasTls })
    const port = portAt(server.port)
    assert.is(port.offersUtf8(), null)
    await port.check()
    assert.is(port.offersUtf8(), true)
    assert.is(await port.send(MAIL, NEVER), 250)
    const { to } = await server.next()
    assert.match(to.join(), /^jürgen@(münchen|xn--mnchen-3ya)\.example$/)
    await server.close()
  })

Beyond(
  'without SMTPUTF8 the mail fails permanently, and a mail to an ASCII address is still sent',
  async () => {
    const server = await startMailServer({ hidesUtf8: true })
    try {
      const port = portAt(server.port)
      const failure = await port.send(MAIL, NEVER).catch(error => error)
      assert.instance(failure, MailError)
      assert.equal([failure.step, failure.isPermanent], ['address', true])
      assert.is(
        failure.message,
        'expected a server that takes names with letters beyond ASCII (SMTPUTF8), got none',
      )
      assert.is(port.offersUtf8(), false)
      assert.is(await port.send({ ...MAIL, to: 'user@xn--mnchen-3ya.example' }, NEVER), 250)
      await server.next()
      assert.is(server.mails.length, 1)
    } finally {
      await server.close()
    }
  },
)

Beyond.run()
