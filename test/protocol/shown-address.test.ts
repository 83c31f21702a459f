/** The part of an address that a message shows. @module */
import * as assert from 'uvu/assert'
import { shownAddress } from '../../protocol/shown-address.ts'
import { suite } from '../suite.ts'

const Shown = suite('addresses in messages')

Shown('a password is not shown, even if the "@" after it is missing', () => {
  for (const text of [
    'redis://:S3cret',
    'redis://shop:S3cret',
    'redis://shop:S3cret/0',
    'redis://:S3cret?socket=/run/x',
    'redis://h,shop:S3cret/m',
    'postgres://shop:S3cret/db',
  ])
    assert.is(shownAddress(text), `"${text.slice(0, text.indexOf('//'))}//..."`, text)
  for (const text of ['redis://shop:S3cret@h', 'shop:S3cret@h'])
    assert.not.match(shownAddress(text), /S3cret|shop/)
})

Shown('the values of a connection string of the form name=value are not shown', () => {
  assert.is(shownAddress('host=h password=S3cret dbname=d'), '"host=..."')
  assert.is(shownAddress('h password = S3cret'), '"h password =..."')
})

Shown('hosts, ports and paths are shown', () => {
  for (const text of [
    'redis://h:6379/0',
    'redis+sentinel://a:1,b,[::1]:2/m',
    'ftp://h-1.example/x',
    'https://',
    'sqlite::memory:',
    'memry',
  ])
    assert.is(shownAddress(text), JSON.stringify(text))
  assert.is(shownAddress('http://h/x?key=S3cret#y'), '"http://h/x?..."')
  assert.is(shownAddress('http://h/x#key=S3cret?y'), '"http://h/x#..."')
  assert.is(shownAddress('http://h#S3cret'), '"http://h#..."')
})

Shown.run()
