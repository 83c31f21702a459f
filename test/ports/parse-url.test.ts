/** URLs are read the same by a new process and by one that has read many. */
import * as assert from 'uvu/assert'
import { addressOf } from '../../ports/outgoing-address.ts'
import { parseUrl } from '../../ports/parse-url.ts'
import { isReturnUrl } from '../../protocol/return-url.ts'
import { suite } from '../suite.ts'

const Urls = suite('URLs')
/** After so many calls Node compiles a function. */
const MANY = 100_000

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  parseUrl: (text: string) => parseUrl(text)?.href,
  addressOf: (text: string) => addressOf(text)?.href,
  isReturnUrl: (text: string) => isReturnUrl(text),
}
for (const [name, read] of Object.entries(READERS))
  Urls(`${name}: characters of Latin-1 are read the same after ${MANY} other texts`, () => {
    const texts = ['http://é.example/', 'http:Ñ', 'https://x.example/é', 'http://x.example/?é', 'http://ü:1/']
    const before = texts.map(text => read(text))
    for (let i = 0; i < MANY; i++) read(`http://x.example/${i}`)
    assert.equal(
      texts.map(text => read(text)),
      before,
    )
    for (const each of before) assert.ok(each)
  })

Urls('a text that is no URL gives null, also below a base', () => {
  for (const text of ['', 'x', '//x.example', 'http://', 'http://[']) assert.is(parseUrl(text), null, text)
  assert.is(parseUrl('//[', 'http://host'), null)
  assert.is(parseUrl('/a?b', 'http://host')?.pathname, '/a')
})

Urls.run()
