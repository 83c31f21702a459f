/** A requestor lets the server call a service inside the network of the operator, by an address in every spelling and by a name. @module */
import { createServer } from 'node:http'
import { until } from '../../patience.ts'
import type { Attack } from '../attack.ts'

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
    const port: number = Object(inside.address()).port
    const server = await start('server', { outgoing_hosts: ['public'], allow_unsigned_callbacks: true })
    let log = ''
    server.process.stderr?.on('data', chunk => {
      log += chunk
    })
    let sessions = 0
    for (const host of HOSTS) sessions += (await endSession(server.url, `http://${host}:${port}/`)) ? 1 : 0
    const outcomes = (): number => [...log.matchAll(/ callback .* attempts=1 /g)].length
    await until(() => outcomes() >= sessions, 'an outcome of each callback')
    inside.close()
    return called.length === 0
      ? null
      : `${called.length} of ${HOSTS.length} addresses were called: ${called.join(', ')}`
  },
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
