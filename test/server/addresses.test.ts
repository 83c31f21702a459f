/** Addresses of listeners: one of IPv6 may stand in brackets, as in a URL. */
import * as assert from 'uvu/assert'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { toServerSettings } from '../../server/settings/server-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'
import { refused } from './refused.ts'

const OPTIONS = ['listen_addr', 'client_listen_addr', 'metrics_listen_addr', 'inspect_listen_addr'] as const

const Addresses = suite('settings: addresses of listeners')

for (const { server, of } of [
  { server: sessionServer, of: OPTIONS },
  { server: keyshareServer, of: OPTIONS.filter(option => option !== 'client_listen_addr') },
])
  for (const option of of)
    Addresses(`${server.name}: ${option} may have brackets, in every source`, () => {
      const variable = server.variableOf(option)
      const sources = [
        { flags: { [option]: '[::1]' }, variables: {}, file: undefined },
        { flags: {}, variables: { [variable]: '[::1]' }, file: undefined },
        { flags: {}, variables: {}, file: { name: 'f.yml', values: { [option]: '[::1]' } } },
      ]
      for (const source of sources) assert.is(Object(server.resolve(source).options)[option], '::1')
    })

Addresses('brackets around anything else stay, and what is wrong is refused as it was written', () => {
  const file = { name: 'f.yml', values: { inspect_listen_addr: '[127.0.0.1]' } }
  const { options } = sessionServer.resolve({ flags: {}, variables: {}, file })
  refused(
    () => toServerSettings(options, '192.0.2.1'),
    'inspect_listen_addr: expected a loopback address (127.0.0.1 or ::1), because only this machine may watch, got "[127.0.0.1]"',
  )
})

Addresses('the default of "url" has the address in brackets, once, and knows [::] as all addresses', () => {
  const urlOf = (listen_addr: string): string => {
    const file = { name: 'f.yml', values: { listen_addr } }
    const { options } = sessionServer.resolve({ flags: {}, variables: {}, file })
    return toServerSettings(options, '192.0.2.1').url
  }
  assert.equal(['[::1]', '::1', '[::]'].map(urlOf), [
    'http://[::1]:8088/',
    'http://[::1]:8088/',
    'http://192.0.2.1:8088/',
  ])
})
Addresses.run()
