/** Mail through a real SMTP server: TLS, credentials, refusals, limits of time, and the text of failures. @module */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import * as assert from 'uvu/assert'
import { createMailPort, type Mail, MailError, type MailServer } from '../../ports/mail.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { MAIL_CA, startMailServer } from '../mail-server.ts'
import { until } from '../patience.ts'
import { scriptedMailServer } from '../scripted-mail-server.ts'
import { suite } from '../suite.ts'

const MAIL: Mail = {
  id: 'mail-1',
  from: { name: 'Account "service"', address: 'accounts@svc.example' },
  to: 'user@home.example',
  subject: 'Bevestig je e-mailadres',
  text: 'één keer: https://keyshare.example/a\n',
  html: '<p>één keer</p>\n',
}
const CREDENTIALS = { user: 'svc', password: 'top secret' }
const NEVER = new AbortController().signal

function portOf(port: number, server: Partial<MailServer> = {}, ca: string = MAIL_CA) {
  const clock = createSimulatedClock(1_000)
  const whole: MailServer = { host: 'localhost', port, tlsName: null, credentials: null, ...server }
  return { clock, ...createMailPort(whole, { clock, ca }) }
}

async function failureOf(work: Promise<unknown>): Promise<MailError> {
  try {
    await work
  } catch (error) {
    if (error instanceof MailError) return error
    throw error
  }
  return assert.unreachable('expected a failure of mail') as never
}

const Sending = suite('mail: one message')

Sending('the mail arrives unchanged, with one recipient', async () => {
  const server = await startMailServer()
  assert.is(await portOf(server.port).send(MAIL, NEVER), 250)
  const { from, to, isEncrypted, user, content } = await server.next()
  assert.equal([from, to, isEncrypted, user], ['accounts@svc.example', ['user@home.example'], false, ''])
  assert.match(content, /^From: "Account \\"service\\"" <accounts@svc\.example>\r$/m)
  assert.match(content, /^To: user@home\.example\r$/m)
  assert.match(content, /^Subject: Bevestig je e-mailadres\r$/m)
  assert.match(content, /^Message-ID: <mail-1@svc\.example>\r$/m)
  assert.match(content, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(content, MAIL.text.trim())
  assert.match(content, MAIL.html.trim())
  await server.close()
})

Sending('a line break in a field adds no other field', async () => {
  const server = await startMailServer()
  const injected = 'x\r\nBcc: other@home.example'
  const from = { name: injected, address: 'accounts@svc.example' }
  await portOf(server.port).send({ ...MAIL, from, subject: injected }, NEVER)
  const { to, content } = await server.next()
  assert.equal(to, ['user@home.example'])
  assert.not.match(content, /^Bcc:/im)
  await server.close()
})

Sending('TLS is used if the server offers it, and credentials are sent after that', async () => {
  const server = await startMailServer({ hasTls: true, credentials: CREDENTIALS })
  const port = portOf(server.port, { credentials: CREDENTIALS })
  await port.check()
  await port.send(MAIL, NEVER)
  const { isEncrypted, user } = await server.next()
  assert.equal([isEncrypted, user, server.mails.length], [true, 'svc', 1])
  await server.close()
})

Sending('without tlsName, a server without TLS is accepted', async () => {
  const server = await startMailServer()
  await portOf(server.port, { host: '127.0.0.1' }).check()
  await server.close()
})

Sending('credentials are sent to this machine without TLS', async () => {
  const server = await startMailServer({ credentials: CREDENTIALS })
  for (const host of ['localhost', '127.0.0.1'])
    await portOf(server.port, { host, credentials: CREDENTIALS }).check()
  await server.close()
})

const Refused = suite('mail: what is refused')

/** The fault, the server, the call, and the failure. */
const CHECKS: readonly (readonly [
  string,
  Parameters<typeof startMailServer>[0],
  Partial<MailServer>,
  string,
  string,
])[] = [
  ['no TLS although tlsName is set', {}, { tlsName: 'localhost' }, 'TLS', 'answer 500'],
  [
    'a certificate for another name',
    { hasTls: true },
    { tlsName: 'mail.example' },
    'TLS',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ],
  [
    'wrong credentials',
    { credentials: CREDENTIALS },
    { credentials: { ...CREDENTIALS, password: 'guess' } },
    'credentials',
    'answer 535',
  ],
  [
    'credentials without TLS, to a host that is not this one',
    { credentials: CREDENTIALS, host: '127.0.0.2' },
    { credentials: CREDENTIALS, host: '127.0.0.2' },
    'TLS',
    'answer 500',
  ],
]

for (const [what, options, called, step, got] of CHECKS)
  Refused(`${what}: check and send fail`, async () => {
    const server = await startMailServer(options)
    const port = portOf(server.port, called)
    for (const work of [() => port.check(), () => port.send(MAIL, NEVER)]) {
      const failure = await failureOf(work())
      assert.equal([failure.step, failure.isPermanent, failure.needsOperator], [step, false, true])
      assert.match(failure.message, new RegExp(`, got ${got}$`))
    }
    assert.is(server.mails.length, 0)
    await server.close()
  })

Refused('a certificate of an unknown authority is refused', async () => {
  const server = await startMailServer({ hasTls: true })
  const clock = createSimulatedClock(1_000)
  const port = createMailPort(
    { host: 'localhost', port: server.port, tlsName: null, credentials: null },
    { clock },
  )
  assert.is((await failureOf(port.check())).step, 'TLS')
  await server.close()
})

Refused('a port without a server fails', async () => {
  const { port, close } = await startMailServer()
  await close()
  const { message, step, needsOperator } = await failureOf(
    portOf(port, { host: '127.0.0.1' }).send(MAIL, NEVER),
  )
  assert.equal([step, message], ['connection', 'expected a connection to an SMTP server, got ECONNREFUSED'])
  assert.is(needsOperator, false)
})

for (const status of [450, 550])
  for (const where of ['recipient', 'content'] as const)
    Refused(
      `the ${where} is refused with ${status}: ${status < 500 ? 'may succeed later' : 'permanent'}`,
      async () => {
        const server = await startMailServer({ refusals: { [where]: () => status } })
        const failure = await failureOf(portOf(server.port).send(MAIL, NEVER))
        assert.equal([failure.step, failure.isPermanent], ['message', status === 550])
        assert.is(failure.message, `expected a server that takes the message, got answer ${status}`)
        assert.equal(Object.keys(failure).sort(), ['isPermanent', 'name', 'needsOperator', 'step'])
        await server.close()
      },
    )

/** @param offer the extension that EHLO announces
 *  @param step the command that gets `status` */
function refusing(offer: string, step: string, status: number) {
  return (line: string): string => {
    if (line.startsWith(step)) return `${status} not now\r\n`
    return line.startsWith('EHLO') ? `250-here\r\n250 ${offer}\r\n` : '250 ok\r\n'
  }
}

const Away = suite('mail: a server that is unavailable, or refuses the settings')

for (const status of [421, 454, 554])
  for (const [where, offer, step, greeting] of [
    ['the greeting', '', 'none', `${status} not now\r\n`],
    ['STARTTLS', 'STARTTLS', 'STARTTLS', '220 here\r\n'],
    ['the credentials', 'AUTH PLAIN', 'AUTH', '220 here\r\n'],
  ] as const)
    Away(`${where} answered with ${status}`, async () => {
      const { server, port } = await scriptedMailServer(refusing(offer, step, status), greeting)
      const credentials = step === 'AUTH' ? CREDENTIALS : null
      const failure = await failureOf(portOf(port, { credentials }).check())
      assert.match(failure.message, `got answer ${status}`)
      assert.is(failure.needsOperator, status >= 500)
      server.close()
    })

for (const [when, offer, end] of [
  ['before the greeting', '', 'connect'],
  ['during the handshake of TLS', 'STARTTLS', 'STARTTLS'],
] as const)
  Away(`a connection that ends ${when} needs no operator, because a later attempt may succeed`, async () => {
    const { server, port } = await scriptedMailServer((line, socket) => {
      if (line.startsWith('STARTTLS')) socket.write('220 go\r\n', () => socket.destroy())
      return line.startsWith('EHLO') ? `250-here\r\n250 ${offer}\r\n` : null
    }, '220 here\r\n')
    if (end === 'connect') server.prependListener('connection', socket => socket.destroy())
    const { needsOperator } = await failureOf(portOf(port).check())
    assert.is(needsOperator, false)
    server.close()
  })

const Over = suite('mail: servers that stop answering')

Over('a connection that breaks in the middle of the message is a failure that may be retried', async () => {
  const { server, port } = await scriptedMailServer((line, socket) => {
    if (!line.startsWith('DATA')) return '250 ok\r\n'
    socket.destroy()
    return null
  })
  const failure = await failureOf(portOf(port).send(MAIL, NEVER))
  assert.equal([failure.step, failure.isPermanent], ['connection', false])
  server.close()
})

/** A server that sends nothing after its greeting; with an empty greeting it sends nothing at all. */
async function silentServer(greeting: string) {
  const { server, port } = await scriptedMailServer(() => null, greeting)
  const accepted = once(server, 'connection').then(([socket]: Socket[]) => socket)
  return { server, port, accepted }
}

for (const [what, greeting] of [
  ['that sends only a greeting', '220 here\r\n'],
  ['that sends nothing', ''],
] as const)
  for (const [called, ms] of [
    ['check', 3_000],
    ['send', 20_000],
  ] as const)
    Over(`a server ${what}: ${called} waits ${ms / 1_000} s, and ends its connection`, async () => {
      const { server, port, accepted } = await silentServer(greeting)
      const { clock, send, check } = portOf(port)
      const failing = failureOf(called === 'send' ? send(MAIL, NEVER) : check())
      const socket = await accepted
      clock.advance(ms - 1)
      assert.is(await Promise.race([failing, Promise.resolve('it waits')]), 'it waits')
      clock.advance(1)
      const { step, message, needsOperator } = await failing
      const words = `expected an answer in time, got none within ${ms / 1_000} s`
      assert.equal([step, message, needsOperator], ['time', words, false])
      await until(() => !socket || socket.readableEnded || socket.destroyed, 'the end of the connection')
      server.close()
    })

Over('a name beyond ASCII: a stop ends the check whether the server supports it', async () => {
  const { server, port, accepted } = await silentServer('220 here\r\n')
  const stop = new AbortController()
  const failing = failureOf(portOf(port).send({ ...MAIL, to: 'jürgen@home.example' }, stop.signal))
  const socket = await accepted
  stop.abort()
  assert.equal([(await failing).step, (await failing).isPermanent], ['connection', false])
  await until(() => !socket || socket.readableEnded || socket.destroyed, 'the end of the connection')
  server.close()
})

Over('a successful check ends its connection, even if the server does not answer QUIT', async () => {
  const { server, port } = await scriptedMailServer(line => (line.startsWith('EHLO') ? '250 here\r\n' : null))
  const accepted = once(server, 'connection').then(([socket]: Socket[]) => socket)
  await portOf(port).check()
  const socket = await accepted
  await until(() => !socket || socket.readableEnded || socket.destroyed, 'the end of the connection')
  server.close()
})

Over('a stop ends the connection of a mail on its way', async () => {
  const { server, port, accepted } = await silentServer('220 here\r\n')
  const stop = new AbortController()
  const failing = failureOf(portOf(port).send(MAIL, stop.signal))
  const socket = await accepted
  stop.abort()
  assert.equal([(await failing).step, (await failing).isPermanent], ['connection', false])
  await until(() => !socket || socket.readableEnded || socket.destroyed, 'the end of the connection')
  const given = new AbortController()
  given.abort()
  assert.is(
    (await failureOf(portOf(port).send({ ...MAIL, to: 'jürgen@home.example' }, given.signal))).step,
    'connection',
  )
  server.close()
})

Sending.run()
Refused.run()
Away.run()
Over.run()
