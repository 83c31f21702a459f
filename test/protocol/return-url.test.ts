/** The address to which a wallet app sends its user at the end (spec/interface#2.3). @module */
import * as assert from 'uvu/assert'
import { isReturnUrl, withToken } from '../../protocol/return-url.ts'
import { suite } from '../suite.ts'

const ReturnUrl = suite('the return URL of a request')

ReturnUrl('web sites, universal links and addresses with a scheme of an app are return URLs', () => {
  for (const url of [
    'https://shop.example',
    'https://shop.example/back?a=b#c',
    'http://localhost:3000/',
    'shopapp://back',
    'app://x',
    'tel:+31000000',
    'intent://x/#Intent;scheme=shop;end',
    'com.shop:/x',
  ])
    assert.ok(isReturnUrl(url), url)
})

ReturnUrl('code, local files, addresses without a scheme and control characters are refused', () => {
  for (const url of [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'vbscript:x',
    'view-source:x',
    'data:text/html,x',
    'blob:https://a.example/1',
    'file:///etc/passwd',
    'filesystem:x',
    'about:blank',
    '',
    'back',
    '/back',
    '//shop.example',
    'shop.example',
    'https://',
    'https://shop.example/\u001b[2J',
  ])
    assert.not.ok(isReturnUrl(url), JSON.stringify(url))
})

const AUGMENTED: readonly (readonly [url: string, augmented: string])[] = [
  ['https://a.example', 'https://a.example?token=T'],
  ['https://a.example/', 'https://a.example/?token=T'],
  ['https://a.example/?b=c', 'https://a.example/?b=c&token=T'],
  ['https://a.example/?', 'https://a.example/?token=T'],
  ['https://a.example/?b=c&', 'https://a.example/?b=c&token=T'],
  ['https://a.example/#f', 'https://a.example/?token=T#f'],
  ['https://a.example/?a=1#f', 'https://a.example/?a=1&token=T#f'],
  ['https://a.example/#/route?x=1', 'https://a.example/?token=T#/route?x=1'],
  ['https://a.example/?a=1#', 'https://a.example/?a=1&token=T#'],
  ['https://a.example/?q=a%20b+c&é=%C3%A9', 'https://a.example/?q=a%20b+c&é=%C3%A9&token=T'],
  ['https://a.example/?redirect=/x?y=1', 'https://a.example/?redirect=/x?y=1&token=T'],
  ['https://a.example/?token=old', 'https://a.example/?token=T'],
  ['https://a.example/?token=old&a=1&%74oken=x', 'https://a.example/?a=1&token=T'],
  ['https://a.example/?tokens=1&mytoken=2', 'https://a.example/?tokens=1&mytoken=2&token=T'],
  ['app://x', 'app://x?token=T'],
  ['app://x?y#z', 'app://x?y&token=T#z'],
  ['tel:+31000000', 'tel:+31000000?token=T'],
]

for (const [url, augmented] of AUGMENTED)
  ReturnUrl(`the token is one query parameter of ${url}, before its fragment`, () => {
    assert.is(withToken(url, 'T'), augmented)
    assert.equal(
      new URLSearchParams(augmented.split('#')[0]?.split('?').slice(1).join('?')).getAll('token'),
      ['T'],
    )
  })

ReturnUrl.run()
