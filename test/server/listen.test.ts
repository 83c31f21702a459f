/** The errors for an operator if the system refuses the address or the port of a listener. @module */
import * as assert from 'uvu/assert'
import { listen } from '../../server/listen.ts'
import { SettingsError } from '../../server/settings/errors.ts'
import { suite } from '../suite.ts'

const options = { port: 81, listenAddr: '192.0.2.1', clientPort: 82, clientListenAddr: '192.0.2.2' }

/** @returns the error message if the system refuses the listener with this code */
async function refusal(of: '' | 'client_', code: string): Promise<string> {
  const failure = Object.assign(new Error('of the system'), { code })
  try {
    await listen({ listen: () => Promise.reject(failure) }, options, of)
  } catch (error) {
    if (error === failure) return 'the error of the system'
    assert.instance(error, SettingsError)
    return error instanceof Error ? error.message : ''
  }
  return 'no error'
}

const RIGHTS = 'expected a port that this user may listen on, got'
const FREE = 'expected a free port, but another process listens on'

/** For each code of the system: the messages for the listener of requestors and for that of clients. */
const SAID = {
  EACCES: [`port: ${RIGHTS} 81; choose one above 1023`, `client_port: ${RIGHTS} 82; choose one above 1023`],
  EADDRINUSE: [
    `port: ${FREE} 81; stop it, or choose another`,
    `client_port: ${FREE} 82; stop it, or choose another`,
  ],
  EADDRNOTAVAIL: [
    'listen_addr: expected an address of this machine, got "192.0.2.1"',
    'client_listen_addr: expected an address of this machine, got "192.0.2.2"',
  ],
  ENOTFOUND: [
    'listen_addr: expected an address of this machine, got "192.0.2.1"',
    'client_listen_addr: expected an address of this machine, got "192.0.2.2"',
  ],
  EAI_AGAIN: [
    'listen_addr: expected an address of this machine, got "192.0.2.1"',
    'client_listen_addr: expected an address of this machine, got "192.0.2.2"',
  ],
  EMFILE: ['the error of the system', 'the error of the system'],
} as const

const Listen = suite('svc server: a listener that the system refuses')

for (const [code, [ofRequestors, ofClients]] of Object.entries(SAID))
  Listen(`${code}: the message names the option of its listener, and what to do`, async () => {
    assert.is(await refusal('', code), ofRequestors)
    assert.is(await refusal('client_', code), ofClients)
  })

Listen('a listener that starts returns its address', async () => {
  const address = { address: '192.0.2.2', family: 'IPv4', port: 82 }
  const given: unknown[] = []
  const server = {
    listen: async (...words: unknown[]) => {
      given.push(...words)
      return address
    },
  }
  assert.is(await listen(server, options, 'client_'), address)
  assert.equal(given, [82, '192.0.2.2'])
})
Listen.run()
