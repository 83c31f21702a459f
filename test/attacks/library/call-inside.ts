/** A requestor lets the server call a service inside the network of the operator: by an address in every spelling, by a name, by a redirect of a host that may be
 *  called, and as the next session of a chain. @module */
import { createServer, type Server } from 'node:http'
import { draftDisclosure } from '../../../crypto/disclosure.ts'
import { MismatchError } from '../../../libraries/conformance/expect.ts'
import { disclosureMessage } from '../../../protocol/disclosure-message.ts'
import { writeJson } from '../../../protocol/json.ts'
import { until } from '../../patience.ts'
import type { Attack } from '../attack.ts'
import { arithmetic, ask, bytes, hidden, prove } from '../forge.ts'
import { holderOf, subjectOf } from '../holder.ts'
import { serviceAt } from '../own-service.ts'

/** The one host that the server may call. It redirects. */
const REDIRECTING = '127.0.0.2'
const HOSTS = ['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '[::1]', 'localhost', 'localhost.']
export const attack: Attack = {
  name: 'call-inside',
  gains: 'a call from the server to a service that only its own network reaches',
  cites: 'spec/decisions#outgoing_hosts',
  on: 'own servers',
  async run({ start }) {
    const called: string[] = []
    const inside = createServer(({ headers }, response) => {
      called.push(headers.host ?? '')
      response.end()
    }).listen(0)
    const port = portOf(inside)
    let redirects = 0
    const redirecting = createServer((_, response) => {
      redirects += 1
      response.writeHead(307, { Location: `http://127.0.0.1:${port}/` }).end()
    }).listen(0, REDIRECTING)
    await until(() => redirecting.listening, 'a listener that redirects')
    const outgoing_hosts = ['public', REDIRECTING]
    const server = await start('server', { outgoing_hosts, allow_unsigned_callbacks: true })
    let log = ''
    server.process.stderr?.on('data', chunk => {
      log += chunk
    })
    let sessions = 0
    const addresses = [
      ...HOSTS.map(host => `http://${host}:${port}/`),
      `http://${REDIRECTING}:${portOf(redirecting)}/`,
    ]
    for (const address of addresses) sessions += (await endSession(server.url, address)) ? 1 : 0
    const outcomes = (): number => [...log.matchAll(/ callback .* attempts=1 /g)].length
    await until(() => outcomes() >= sessions, 'an outcome of each callback')
    for (const address of addresses) await answerBefore(server.url, address)
    inside.close()
    redirecting.close()
    if (redirects < 2) throw new Error(`expected both calls to ${REDIRECTING}, got ${redirects}`)
    return called.length === 0 ? null : `${called.length} calls arrived inside: ${called.join(', ')}`
  },
}

function portOf(server: Server): number {
  return Object(server.address()).port
}

/** Answers a session, after which the server asks for the next one at this address. A server may refuse the address with the request. */
async function answerBefore(server: string, url: string): Promise<void> {
  await serviceAt(server, async service => {
    const holder = holderOf(service)
    const { credential, index } = subjectOf(service, holder)
    const asked = await ask(service, { request: service.disclosure(), nextSession: { url } }).catch(
      (error: unknown) => {
        if (error instanceof MismatchError && error.message.endsWith('got 400 INVALID_REQUEST')) return null
        throw error
      },
    )
    if (asked === null) return null
    const draft = draftDisclosure(
      arithmetic,
      { credential, disclosed: [index] },
      hidden(holder.secretKey),
      bytes,
    )
    const body = writeJson(disclosureMessage(prove(asked, [draft]), [[{ cred: 0, attr: index }]]))
    await service.asApp(asked.session, 'POST', '/proofs', body)
    return null
  })
}

/** Starts a session with a callback, and cancels it, which causes the callback.
 *  @returns false if the session was refused */
async function endSession(server: string, callbackUrl: string): Promise<boolean> {
  const request = {
    '@context': 'https://svc.example/ld/request/disclosure/v2',
    disclose: [[['svc-demo.gov.idcard.over18']]],
  }
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ request, callbackUrl })
  const answer = await fetch(`${server}/session`, { method: 'POST', headers, body })
  if (!answer.ok) return false
  const { token } = Object(await answer.json())
  await fetch(`${server}/session/${token}`, { method: 'DELETE' })
  return true
}
