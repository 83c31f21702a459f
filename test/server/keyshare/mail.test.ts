/** A keyshare server and a real mail server. Mails arrive, wait while the mail server is down, and can be listed and replayed by `svc deliveries`. @module */
import { once } from 'node:events'
import { createServer } from 'node:net'
import * as assert from 'uvu/assert'
import { type KeyshareServerOptions, startKeyshareServer } from '../../../libraries/index.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import type { DeliveryRow } from '../../../stores/delivery-store.ts'
import { settle } from '../../actors/node.ts'
import { freePort, runSvc } from '../../cli/run-svc.ts'
import { clientOf } from '../../http/client.ts'
import { startMailServer } from '../../mail-server.ts'
import { untilThere } from '../../patience.ts'
import { suite } from '../../suite.ts'
import { newStoreFile } from '../../temporary-folder.ts'
import { NEEDED, type NodeOfTest, startNode } from './node.ts'

const ADDRESS = 'user@home.example'
const URL = 'https://keyshare.example/'

/** A server whose mails go to that port, and a function that registers a user with an address. */
async function started(mailPort: number, store = 'memory') {
  const clock = createSimulatedClock(Date.UTC(2030, 0, 1))
  const node = await startNode(
    { url: URL, store, email_server: `127.0.0.1:${mailPort}`, email_from: 'Keyshare <accounts@svc.example>' },
    { clock, instead: { takesMail: async () => 'takes mail' } },
  )
  const client = clientOf(node.port)
  const register = async (email = ADDRESS): Promise<void> => {
    const body = { pin: 'pin', email, language: 'nl-NL' }
    assert.is((await client.call('POST', '/client/register', { body })).status, 200)
  }
  const close = async (): Promise<void> => {
    const closed = node.close()
    clock.advance(60_000)
    await closed
  }
  return { clock, node, client, register, close }
}

/** Waits until the only delivery is in the wanted state. The mail server is another program, so its answers take real time. */
async function deliveryThat(
  { store }: NodeOfTest,
  isWanted: (row: DeliveryRow) => boolean,
): Promise<DeliveryRow> {
  const wanted = async (): Promise<DeliveryRow | null> => {
    const [row] = await store.deliveries.list()
    return row && isWanted(row) ? row : null
  }
  return untilThere(wanted, 'a delivery in the wanted state')
}

const Mail = suite('a keyshare server and its mail server')

Mail('a user who registers with an address gets a mail, whose link confirms the address', async () => {
  const mails = await startMailServer()
  const { node, client, register, close } = await started(mails.port)
  await register()
  const { from, to, content } = await mails.next()
  assert.equal([from, to], ['accounts@svc.example', [ADDRESS]])
  assert.match(content, /^From: Keyshare <accounts@svc\.example>\r$/m)
  assert.match(content, /^Subject: Bevestig je e-mailadres\r$/m)
  const [, token] = /https:\/\/keyshare\.example\/account\/nl\/confirm\/(\w{20})\r?\n/.exec(content) ?? []
  assert.is((await client.call('POST', '/verify', { body: token })).status, 204)
  const { state, message } = await deliveryThat(node, row => row.state === 'delivered')
  assert.equal([state, message], ['delivered', null])
  await close()
  await mails.close()
})

Mail('while the mail server is down, the mail waits; afterwards it arrives once', async () => {
  const gone = await startMailServer()
  await gone.close()
  const { clock, node, register, close } = await started(gone.port)
  await register()
  const { lastOutcome } = await deliveryThat(node, row => row.attempts === 1 && row.state === 'waiting')
  assert.is(lastOutcome, 'expected a connection to an SMTP server, got ECONNREFUSED')
  const mails = await startMailServer({ port: gone.port })
  clock.advance(9_999)
  await settle()
  assert.is((await node.store.deliveries.list())[0]?.attempts, 1)
  clock.advance(1)
  await settle()
  clock.advance(5_000)
  assert.equal((await mails.next()).to, [ADDRESS])
  await deliveryThat(node, row => row.state === 'delivered')
  clock.advance(3_600_000)
  await settle()
  assert.is(mails.mails.length, 1)
  await close()
  await mails.close()
})

Mail(
  'a mail to a name beyond ASCII that the mail server does not accept is given up at once, with the reason',
  async () => {
    const mails = await startMailServer({ hidesUtf8: true })
    const { node, register, close } = await started(mails.port)
    await register('jürgen@home.example')
    const { attempts, lastOutcome } = await deliveryThat(node, row => row.state === 'givenUp')
    assert.equal(
      [attempts, lastOutcome],
      [1, 'expected a server that takes names with letters beyond ASCII (SMTPUTF8), got none'],
    )
    await close()
    await mails.close()
  },
)

Mail('svc deliveries shows a waiting mail without its address, and can have it sent now', async () => {
  const file = newStoreFile()
  const gone = await startMailServer()
  await gone.close()
  const { clock, node, register, close } = await started(gone.port, `sqlite:${file}`)
  await register()
  const { id } = await deliveryThat(node, row => row.attempts === 1 && row.state === 'waiting')
  const store = ['--store', `sqlite:${file}`]
  const { stdout } = await runSvc(['deliveries', 'list', '--keyshare', ...store])
  assert.ok(
    stdout.startsWith(
      `${id} waiting (confirmation) 127.0.0.1:${gone.port}: 1 attempt, last: expected a connection`,
    ),
    stdout,
  )
  assert.not.match(stdout, ADDRESS)
  assert.match((await runSvc(['deliveries', 'show', id, ...store])).stdout, `host: 127.0.0.1:${gone.port}`)
  const mails = await startMailServer({ port: gone.port })
  assert.match((await runSvc(['deliveries', 'replay', id, ...store])).stdout, `${id}: posted next`)
  clock.advance(5_000)
  assert.equal((await mails.next()).to, [ADDRESS])
  await deliveryThat(node, row => row.state === 'delivered')
  await close()
  await mails.close()
})

/** @param mailPort the port of the mail server */
async function optionsWith(mailPort: number): Promise<KeyshareServerOptions> {
  const port = await freePort()
  return {
    schemesPath: NEEDED.schemes_path,
    keyshareAttribute: NEEDED.keyshare_attribute,
    storagePrimaryKeyFile: NEEDED.storage_primary_key_file,
    jwtPrivkeyFile: NEEDED.jwt_privkey_file,
    store: 'memory',
    quiet: true,
    workers: 1,
    port,
    listenAddr: '127.0.0.1',
    emailServer: `127.0.0.1:${mailPort}`,
    emailFrom: 'accounts@svc.example',
  }
}

/** A listener that greets with one line and closes the connection. */
async function greeting(line: string) {
  const server = createServer(socket => socket.on('error', () => {}).end(`${line}\r\n`))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, close: () => server.close() }
}

Mail('a server starts while its mail server is unreachable or answers 421', async () => {
  const [gone, busy] = [await startMailServer(), await greeting('421 too busy')]
  await gone.close()
  for (const { port } of [gone, busy]) {
    const running = await startKeyshareServer(await optionsWith(port))
    assert.is((await clientOf(running.port).call('GET', '/health')).status, 200)
    await running.close()
  }
  busy.close()
})

Mail('a server whose mail server refuses it permanently does not start, and gives the reason', async () => {
  const refusing = await greeting('554 no service here')
  const refusal = await startKeyshareServer(await optionsWith(refusing.port)).catch(error => error)
  refusing.close()
  assert.match(
    String(refusal),
    /^SettingsError: email_server: 127\.0\.0\.1:\d+: expected a connection to an SMTP server, got answer 554; see /,
  )
})

Mail.run()
