/** Which addresses the entries of `NO_PROXY` name. @module */
import * as assert from 'uvu/assert'
import { noProxyRule } from '../../ports/no-proxy.ts'
import { suite } from '../suite.ts'

const CASES: readonly (readonly [list: string, direct: readonly string[], proxied: readonly string[]])[] = [
  ['', [], ['http://a.example']],
  ['*', ['http://a.example', 'http://[2001:db8::1]:81'], []],
  ['b.example *', ['http://a.example'], []],
  [
    'a.example',
    [
      'http://a.example',
      'https://A.example:81/',
      'http://x.a.example',
      'http://a.example.',
      'http://x.a.example.',
    ],
    ['http://ba.example', 'http://a.example.b', 'http://example'],
  ],
  ['a.example.', ['http://a.example', 'http://x.a.example.'], ['http://b.example']],
  ['.a.example', ['http://a.example', 'http://x.a.example'], ['http://xa.example']],
  ['.a.example.', ['http://a.example.', 'http://x.a.example'], ['http://xa.example']],
  ['*.a.example', ['http://x.a.example'], ['http://xa.example']],
  [
    'A.Example,b.example  c.example',
    ['http://a.example', 'http://b.example', 'http://c.example'],
    ['http://d.example'],
  ],
  ['bücher.example', ['http://xn--bcher-kva.example'], []],
  [
    'a.example:81',
    ['http://a.example:81', 'http://x.a.example:81'],
    ['http://a.example', 'http://a.example:811'],
  ],
  ['a.example:443', ['https://a.example'], ['http://a.example']],
  ['a.example:80', ['http://a.example'], ['https://a.example']],
  ['192.0.2.1', ['http://192.0.2.1:81'], ['http://192.0.2.2', 'http://a.192.0.2.1.example']],
  ['192.0.2.1:81', ['http://192.0.2.1:81'], ['http://192.0.2.1']],
  [
    '192.0.2.0/24',
    ['http://192.0.2.1', 'https://192.0.2.255'],
    ['http://192.0.3.1', 'http://[2001:db8::1]', 'http://a.example'],
  ],
  ['0.0.0.0/0', ['http://192.0.2.1'], ['http://a.example']],
  ['2001:db8::1', ['http://[2001:db8::1]'], ['http://[2001:db8::2]']],
  ['[2001:db8:0::1]', ['http://[2001:db8::1]:81'], ['http://[2001:db8::2]']],
  ['[2001:db8::1]:81', ['http://[2001:db8::1]:81'], ['http://[2001:db8::1]']],
  ['2001:db8::/32', ['http://[2001:db8:1::1]'], ['http://[2001:db9::1]']],
  ['[2001:db8::]/32', ['http://[2001:db8:1::1]'], ['http://[2001:db9::1]']],
  // entries that match nothing
  [
    '192.0.2.0/33, 2001:db8::/129, a/8, /8, ., *., :81, a b/c',
    [],
    ['http://192.0.2.1', 'http://b.example:81', 'http://[2001:db8::1]'],
  ],
]

const NoProxy = suite('NO_PROXY')

for (const [list, direct, proxied] of CASES)
  NoProxy(`"${list}"`, () => {
    const isDirect = noProxyRule(list)
    for (const url of direct) assert.ok(isDirect(new URL(url)), `directly: ${url}`)
    for (const url of proxied) assert.not(isDirect(new URL(url)), `through the proxy: ${url}`)
  })

NoProxy.run()
