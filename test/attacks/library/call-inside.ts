/** A requestor lets the server call a service inside the network of the operator, by an address in every spelling and by a name. @module */
import { createServer } from 'node:http'
import type { Attack } from '../attack.ts'

const HOSTS = ['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '[::1]', 'localhost', 'localhost.']
/** The server posts a callback when its session ends. A callback that was not made within this time is not made. */
const WAIT_MS = 2_000

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
    const { url } = await start('server', { outgoing_hosts: ['public'], allow_unsigned_callbacks: true })
    for (const host of HOSTS) await endSession(url, `http://${host}:${port}/`)
    await new Promise(resolve => setTimeout(resolve, WAIT_MS))
    inside.close()
    return called.length === 0
      ? null
      : `${called.length} of ${HOSTS.length} addresses were called: ${called.join(', ')}`
  },
}

/** Starts a session with a callback, and cancels it, which causes the callback. */
async function endSession(server: string, callbackUrl: string): Promise<void> {
  const request = {
    '@context': 'https://svc.example/ld/request/disclosure/v2',
    disclose: [[['svc-demo.gov.idcard.over18']]],
  }
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ request, callbackUrl })
  const answer = await fetch(`${server}/session`, { method: 'POST', headers, body })
  if (!answer.ok) return // refused at once
  const { token } = Object(await answer.json())
  await fetch(`${server}/session/${token}`, { method: 'DELETE' })
}
