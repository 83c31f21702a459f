/** Subjects of OpenID Connect Core 8. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { parseAttributeTypeId } from '../../../protocol/ids.ts'
import { attributeSeed, subjectOf } from '../../../sessions/sign-in/subject.ts'
import { suite } from '../../suite.ts'

const SALT = Buffer.from('a salt of the provider')
const NUMBER = parseAttributeTypeId('svc-demo.gov.idcard.docnumber')

const Subjects = suite('sign-in: subjects')

Subjects('a subject is HMAC-SHA-256 of the sector, with HMAC-SHA-256 of the attribute as its key', () => {
  const framed = (...texts: string[]): Buffer =>
    Buffer.concat(
      texts.flatMap(text => {
        const length = Buffer.alloc(4)
        length.writeUInt32BE(Buffer.byteLength(text))
        return [length, Buffer.from(text)]
      }),
    )
  const hmac = (key: Uint8Array | string, bytes: Uint8Array): string =>
    createHmac('sha256', key).update(bytes).digest('base64url')
  const seed = hmac(SALT, framed('svc sign-in seed 1', NUMBER, 'é42'))
  assert.is(attributeSeed(SALT, NUMBER, 'é42'), seed)
  assert.is(subjectOf(seed, 'shop.example'), hmac(seed, framed('svc sign-in subject 1', 'shop.example')))
})

Subjects('a subject is the same at each login, and differs by sector, value, attribute and salt', () => {
  const of = (salt: string, attribute: string, value: string, sector: string): string =>
    subjectOf(attributeSeed(Buffer.from(salt), parseAttributeTypeId(attribute), value), sector)
  const one = of('salt', NUMBER, '42', 'a.example')
  assert.is(one, of('salt', NUMBER, '42', 'a.example'))
  const others = [
    of('salt', NUMBER, '42', 'b.example'),
    of('salt', NUMBER, '43', 'a.example'),
    of('salt', 'svc-demo.gov.idcard.initials', '42', 'a.example'),
    of('other', NUMBER, '42', 'a.example'),
  ]
  assert.is(new Set([one, ...others]).size, 5)
  for (const subject of [one, ...others]) assert.match(subject, /^[\w-]{43}$/)
})

Subjects('no two inputs collide, wherever their texts are divided', () => {
  const name = fc.stringMatching(/^[a-z0-9]{1,6}$/)
  fc.assert(
    fc.property(name, name, fc.integer({ min: 1, max: 5 }), (left, right, cut) => {
      const whole = left + right
      const at = Math.min(cut, whole.length - 1)
      if (at === left.length || at === 0) return
      const seed = (attribute: string, value: string): string =>
        attributeSeed(SALT, parseAttributeTypeId(`s.i.c.${attribute}`), value)
      assert.is.not(seed(left, right), seed(whole.slice(0, at), whole.slice(at)))
    }),
  )
})
Subjects.run()
