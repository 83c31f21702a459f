import * as assert from 'uvu/assert'
import { utf8Of, utf8OrPemOf } from '../../ports/utf8.ts'
import { suite } from '../suite.ts'

const Utf8 = suite('texts in UTF-8')
const latin = (text: string) => Buffer.from(text, 'latin1')

Utf8('other bytes than UTF-8 are no text; a byte order mark is part of the text', () => {
  assert.is(utf8Of(Buffer.from('\ufeffé€')), '\ufeffé€')
  assert.is(utf8Of(latin('é')), null)
})

Utf8('PEM may have a comment in another encoding', () => {
  const pem = '# é\n-----BEGIN CERTIFICATE-----\n'
  assert.is(utf8OrPemOf(Buffer.from(pem)), pem)
  assert.is(utf8OrPemOf(latin(pem)), pem)
  assert.is(utf8OrPemOf(latin('é')), null)
})

Utf8.run()
