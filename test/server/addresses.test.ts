/** Addresses of listeners. An IPv6 address may be in brackets, as in a URL. */
import * as assert from 'uvu/assert'
import { shownAddress } from '../../protocol/shown-address.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { oidcServer } from '../../server/settings/oidc-server.ts'
import { toServerSettings } from '../../server/settings/server-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'
import { refused } from './refused.ts'

const OPTIONS = ['listen_addr', 'client_listen_addr', 'metrics_listen_addr', 'inspect_listen_addr'] as const

const Addresses = suite('settings: addresses of listeners')

const SERVERS = [
  { server: sessionServer, of: OPTIONS },
  { server: keyshareServer, of: OPTIONS.filter(option => option !== 'client_listen_addr') },
  { server: oidcServer, of: OPTIONS.filter(option => option !== 'client_listen_addr') },
]

for (const { server, of } of SERVERS)
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

const NO_ADDRESSES = [
  ...['[::1', '::1]', '[127.0.0.1]', '[[::1]]', ':::', '256.1.1.1', '1.2.3.4.5', '127.0.0.1:8088', ':8088'],
  ...['[::1]:8088', 'a b', ' ', 'a/b', 'http://127.0.0.1', '-.-..', `${'a'.repeat(64)}.example`, 'a\0b'],
]

for (const { server, of } of SERVERS)
  for (const option of of)
    Addresses(`${server.name}: ${option}: a text that is no address is refused as it was written`, () => {
      for (const text of NO_ADDRESSES)
        refused(
          () =>
            server.resolve({ flags: {}, variables: {}, file: { name: 'f.yml', values: { [option]: text } } }),
          `${option} in f.yml: expected an IP address or a host name, without a port, got ${shownAddress(text)}`,
        )
    })

Addresses('names, short forms and zones are kept unchanged', () => {
  for (const text of ['', 'localhost', 'node-1.shop_a.example.', '0.0.0.0', '127.1', '::', 'fe80::1%eth0']) {
    const file = { name: 'f.yml', values: { listen_addr: text } }
    assert.is(sessionServer.resolve({ flags: {}, variables: {}, file }).options.listen_addr, text)
  }
})

Addresses('the inspector accepts only a loopback address', () => {
  const file = { name: 'f.yml', values: { inspect_listen_addr: '192.0.2.1' } }
  const { options } = sessionServer.resolve({ flags: {}, variables: {}, file })
  refused(
    () => toServerSettings(options, '192.0.2.1'),
    'inspect_listen_addr: expected a loopback address (127.0.0.1 or ::1), because only this machine may watch, got "192.0.2.1"',
  )
})

Addresses('the default of "url" has one pair of brackets, and for [::] the address of this machine', () => {
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

function settingsOf(values: Readonly<Record<string, unknown>>) {
  const { options } = sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'f.yml', values } })
  return toServerSettings(options, '192.0.2.1')
}

Addresses('a query and a fragment are refused, because a session pointer would lose them', () => {
  for (const [url, shown] of [
    ['https://a.example/?key=S3cret', 'https://a.example/?...'],
    ['https://a.example/svc#S3cret', 'https://a.example/svc#...'],
    ['https://a.example?', 'https://a.example?...'],
  ] as const)
    refused(() => settingsOf({ url }), `url: expected an address without query and fragment, got "${shown}"`)
})

Addresses('context_base has no query and no fragment', () => {
  for (const [mark, context_base] of [
    ['?', 'https://a.example?key=S3cret'],
    ['#', 'https://a.example/ld#S3cret'],
  ] as const) {
    const shown = JSON.stringify(`${context_base.slice(0, context_base.indexOf(mark) + 1)}...`)
    refused(
      () => settingsOf({ context_base }),
      `context_base: expected an address without query and fragment, got ${shown}`,
    )
  }
})

Addresses('a refused api_prefix is not blamed on the default of "url"', () => {
  refused(
    () => settingsOf({ api_prefix: '/a b' }),
    'api_prefix: expected a path that begins with "/", of letters, digits and "-._~", got "/a b"',
  )
})

Addresses.run()
