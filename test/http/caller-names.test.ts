/** The network address under which the calls of a caller are counted: that of the connection, or one from the header of a trusted proxy. */
import type { Context } from 'koa'
import * as assert from 'uvu/assert'
import { createCallerNames } from '../../http/caller-names.ts'
import { networksOf } from '../../ports/network.ts'
import { suite } from '../suite.ts'

const TRUSTED = ['10.1.0.0/16', '192.0.2.7', 'fd12::/16', '127.0.0.1']

/** @param header undefined: the call has none */
function called(peer: string | undefined, header = ''): Context {
  const ctx: unknown = { req: { socket: { remoteAddress: peer } }, get: () => header }
  return ctx as Context
}

/** Address of the connection, header, name. */
const CASES: readonly (readonly [string, string, string])[] = [
  ['198.51.100.1', '', '198.51.100.1'],
  ['10.1.2.3', '', '10.1.2.3'],
  ['::ffff:198.51.100.1', '', '198.51.100.1'],
  ['2001:db8:1:2:3:4:5:6', '', '2001:db8:1:2::/64'],
  ['2001:db8::6', '', '2001:db8:0:0::/64'],
  ['2001:0DB8:1:02::', '', '2001:db8:1:2::/64'],
  ['::1', '', '0:0:0:0::/64'],
  ['fe80::1%eth0', '', 'fe80:0:0:0::/64'],
  // a header of a caller that is no trusted proxy
  ['198.51.100.1', '203.0.113.9', '198.51.100.1'],
  ['198.51.100.1', '203.0.113.9, 10.1.2.3', '198.51.100.1'],
  // a header of a trusted proxy
  ['10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['fd12:1::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  // entries before that of the proxy are ignored, because the caller may have written them
  ['10.1.2.3', '198.51.100.99, 203.0.113.9', '203.0.113.9'],
  ['10.1.2.3', 'nonsense, 203.0.113.9', '203.0.113.9'],
  ['10.1.2.3', '10.1.9.9, 203.0.113.9', '203.0.113.9'],
  // several proxies
  ['10.1.2.3', '203.0.113.9, 10.1.5.5, 192.0.2.7', '203.0.113.9'],
  ['10.1.2.3', '10.1.5.5', '10.1.5.5'],
  // entries with ports, and entries that are no address
  ['10.1.2.3', '203.0.113.9:4711', '203.0.113.9'],
  ['10.1.2.3', '[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
  ['10.1.2.3', '203.0.113.9, unknown', '10.1.2.3'],
  ['10.1.2.3', '203.0.113.9, 10.1.5.5, ', '10.1.2.3'],
]

const Names = suite('names of callers')

for (const [peer, header, name] of CASES)
  Names(`${peer}${header && ` with "${header}"`}: ${name}`, () => {
    const names = createCallerNames(networksOf(TRUSTED), () => {})
    assert.is(names.of(called(peer, header)), name)
  })

Names('the name of a closed connection is empty', () => {
  assert.is(createCallerNames(networksOf(TRUSTED), () => {}).of(called(undefined)), '')
})

Names('a header of an untrusted address causes one warning', () => {
  const warnings: string[] = []
  const names = createCallerNames(networksOf(TRUSTED), text => warnings.push(text))
  names.of(called('10.1.2.3', '203.0.113.9'))
  names.of(called('198.51.100.1'))
  assert.equal(warnings, [])
  for (const peer of ['198.51.100.1', '198.51.100.2']) names.of(called(peer, '203.0.113.9'))
  assert.equal(warnings, [
    'trusted_proxies: X-Forwarded-For of 198.51.100.1 is ignored, and all callers behind it share one bound; add this address if it is your proxy',
  ])
})

Names.run()
