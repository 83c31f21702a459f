/** Session pointers: the valid content of a QR code or link (spec/schemes-and-cli#18). @module */
import * as assert from 'uvu/assert'
import { SessionError } from '../../libraries/wallet/failure.ts'
import { parseSessionPointer, readSessionPointer } from '../../libraries/wallet/pointer.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { suite } from '../suite.ts'

const U = 'https://shop.example.test/svc/session/TOKEN0123456789abcdef'
const JSON_POINTER = JSON.stringify({ u: U, svcqr: 'disclosing' })

const Pointer = suite('session pointer')

Pointer('has the address, the host, the type and the profile', () => {
  assert.equal(parseSessionPointer(JSON_POINTER), {
    u: U,
    host: 'shop.example.test',
    isPlainHttp: false,
    type: 'disclosing',
    profile: PROFILES.svc,
  })
  const other = parseSessionPointer('{"u":"http://127.0.0.1:8088/irma/session/T/","irmaqr":"issuing","x":1}')
  assert.equal(other, {
    u: 'http://127.0.0.1:8088/irma/session/T',
    host: '127.0.0.1:8088',
    isPlainHttp: true,
    type: 'issuing',
    profile: PROFILES.irma,
  })
})

const LINKS = [
  `irma://qr/json/${encodeURIComponent(JSON_POINTER)}`,
  `cardemu://qr/json/${encodeURIComponent(JSON_POINTER)}`,
  `intent://qr/json/${encodeURIComponent(JSON_POINTER)}#Intent;package=org.example;scheme=irma;l.timestamp=1;end`,
  `https://irma.app/-/session#${encodeURIComponent(JSON_POINTER)}`,
  `https://irma.app/-pilot/session#${encodeURIComponent(JSON_POINTER)}`,
  `https://open.yivi.app/-/session#${encodeURIComponent(JSON_POINTER)}`,
  `https://open.staging.yivi.app/-/session#${encodeURIComponent(JSON_POINTER)}`,
  encodeURIComponent(JSON_POINTER),
  ` ${JSON_POINTER}\n`,
]

for (const link of LINKS)
  Pointer(`is found in ${link.slice(0, 40).trim()}`, () => assert.is(parseSessionPointer(link).u, U))

const REFUSED: readonly (readonly [text: string, reason: RegExp])[] = [
  ['', /JSON or a link around it/],
  ['hello', /JSON or a link around it/],
  ['%', /percent-encoded text/],
  ['[]', /a JSON object/],
  ['https://shop.example.test/', /JSON or a link around it/],
  [`{"u":"${U}"}`, /a member "svcqr" or "irmaqr"/],
  [`{"u":"${U}","svcqr":"disclosing","irmaqr":"disclosing"}`, /a member "svcqr" or "irmaqr"/],
  [`{"u":"${U}","svcqr":"static"}`, /a session type of disclosing, signing, issuing/],
  [`{"u":"${U}","svcqr":1}`, /a session type/],
  ['{"svcqr":"disclosing"}', /an absolute http or https address/],
  ['{"u":"/svc/session/T","svcqr":"disclosing"}', /an absolute http or https address/],
  ['{"u":"ftp://shop.example.test/T","svcqr":"disclosing"}', /an absolute http or https address/],
  ['{"u":"https://user@shop.example.test/T","svcqr":"disclosing"}', /an absolute http or https address/],
  ['{"u":"https://shop.example.test/T?x","svcqr":"disclosing"}', /an absolute http or https address/],
  ['{"u":"https://shop.example.test/T#x","svcqr":"disclosing"}', /an absolute http or https address/],
  [`{"__proto__":{},"u":"${U}","svcqr":"disclosing"}`, /JSON or a link around it/],
  [JSON_POINTER + ' '.repeat(20_000), /at most 10000 characters/],
]

for (const [text, reason] of REFUSED)
  Pointer(`refuses ${text.slice(0, 100).trim() || 'nothing'}`, () => {
    try {
      parseSessionPointer(text)
    } catch (error) {
      assert.instance(error, SessionError)
      assert.match(error instanceof Error ? error.message : '', reason)
      return
    }
    assert.unreachable()
  })

Pointer('of a static session is accepted from a QR code, and refused from a server', () => {
  const pointer = { u: U, irmaqr: 'redirect' }
  const { type, profile } = parseSessionPointer(JSON.stringify(pointer))
  assert.equal([type, profile.name], ['redirect', 'irma'])
  assert.throws(() => readSessionPointer(pointer), /a session type of disclosing, signing, issuing/)
})

Pointer('from a server has at most 10,000 characters, and slashes at its end are dropped', () => {
  const pointer = (length: number) => ({ u: U.padEnd(length, '/'), svcqr: 'disclosing' })
  assert.is(readSessionPointer(pointer(10_000)).u, U)
  assert.throws(() => readSessionPointer(pointer(10_001)), /at most 10000 characters in "u"/)
})

Pointer.run()
