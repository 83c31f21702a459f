/** The caller behind an address. */
import * as assert from 'uvu/assert'
import { countedAs } from '../../ports/network.ts'
import { suite } from '../suite.ts'

const Caller = suite('the caller behind an address')

Caller('an IPv4 address is one caller, in either spelling', () => {
  assert.is(countedAs('192.0.2.7'), '192.0.2.7')
  assert.is(countedAs('::ffff:192.0.2.7'), '192.0.2.7')
  assert.is(countedAs('::FFFF:192.0.2.7'), '192.0.2.7')
})

Caller('an IPv6 network of 64 bits is one caller', () => {
  const one = countedAs('2001:db8:0:1::1')
  for (const same of ['2001:db8:0:1:ffff::', '2001:db8:0:1:1:2:3:4', '2001:db8::1:0:0:0:9'])
    assert.is(countedAs(same), one, same)
  for (const other of ['2001:db8:0:2::1', '2001:db8::1', '::1', 'fe80::1%eth0'])
    assert.is.not(countedAs(other), one, other)
  assert.is(countedAs('fe80::1%eth0'), countedAs('fe80::2%eth0'))
})

Caller.run()
