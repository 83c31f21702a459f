/** Conversions of attributes to values of claims, and back. */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { convert, FALSE_WORDS, TRUE_WORDS, textsOf } from '../../../sessions/sign-in/conversions.ts'
import { type Conversion, DATE_FORMATS } from '../../../sessions/sign-in/rules.ts'
import { suite } from '../../suite.ts'

const WORDS: Conversion = { to: 'boolean', true: TRUE_WORDS, false: FALSE_WORDS }
const ALL_DATES: Conversion = { to: 'date', formats: DATE_FORMATS }
const CONVERSIONS: readonly Conversion[] = [
  { to: 'text' },
  { to: 'number' },
  { to: 'presence' },
  WORDS,
  ALL_DATES,
  ...DATE_FORMATS.map(format => ({ to: 'date' as const, formats: [format] })),
]

const Conversions = suite('sign-in: conversions')

Conversions('words become true or false; another word becomes nothing', () => {
  for (const word of TRUE_WORDS) assert.is(convert(word, WORDS), true)
  for (const word of FALSE_WORDS) assert.is(convert(word, WORDS), false)
  for (const word of ['YES', ' yes', 'maybe', '']) assert.is(convert(word, WORDS), undefined)
})

Conversions('decimal digits become a number, if it is exact', () => {
  const number: Conversion = { to: 'number' }
  assert.equal(
    ['0', '42', '-7', '1.5', '-0'].map(text => convert(text, number)),
    [0, 42, -7, 1.5, 0],
  )
  for (const text of [
    '',
    ' 1',
    '1 ',
    '+1',
    '01',
    '1e3',
    '0x10',
    '1.',
    '.5',
    'NaN',
    'Infinity',
    '9007199254740993',
  ])
    assert.is(convert(text, number), undefined, text)
})

Conversions('a date has one of the formats, and exists', () => {
  const dates = ['2000-02-29', '29-02-2000', '29/02/2000', '29.02.2000', '20000229']
  for (const text of dates) assert.is(convert(text, ALL_DATES), '2000-02-29', text)
  for (const text of [
    '2001-02-29',
    '31-04-2000',
    '00-01-2000',
    '2000-13-01',
    '2000-2-9',
    '29x02x2000',
    '2000-02-29 ',
  ])
    assert.is(convert(text, ALL_DATES), undefined, text)
  assert.is(convert('29/02/2000', { to: 'date', formats: ['dd-mm-yyyy'] }), undefined)
})

Conversions('every text of a value is converted to that value', () => {
  const value = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.double(),
    fc.integer(),
    fc.date({ noInvalidDate: true }).map(date => date.toISOString().slice(0, 10)),
  )
  fc.assert(
    fc.property(value, fc.constantFrom(...CONVERSIONS), (wanted, conversion) => {
      for (const text of textsOf(wanted, conversion) ?? [])
        assert.is(convert(text, conversion), wanted === 0 ? 0 : wanted)
    }),
    { numRuns: 2_000 },
  )
})

Conversions('every valid date has a text in each format', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      date => {
        const iso = date.toISOString().slice(0, 10)
        assert.is(textsOf(iso, ALL_DATES)?.length, DATE_FORMATS.length)
      },
    ),
  )
})

Conversions('a value of another type has no text', () => {
  assert.equal(textsOf(1, { to: 'text' }), [])
  assert.equal(textsOf('yes', WORDS), [])
  assert.equal(textsOf('1', { to: 'number' }), [])
  assert.equal(textsOf(2000, ALL_DATES), [])
  assert.equal(textsOf(false, { to: 'presence' }), [])
  assert.is(textsOf(true, { to: 'presence' }), null)
})
Conversions.run()
