/** JSON: no value is lost, no name affects JavaScript's objects, and everything is bounded. @module */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { RepeatedNameError, readJson, restoreJson, writeJson } from '../../protocol/json.ts'
import { suite } from '../suite.ts'

const FORBIDDEN = /__proto__|constructor|prototype/

const Reading = suite('reading JSON')

function refuses(text: string, kind: 'SyntaxError' | 'RangeError', message: RegExp, options = {}): void {
  assert.throws(
    () => readJson(text, options),
    (error: Error) => error.name === kind && message.test(error.message),
    `${text.slice(0, 40)} -> ${kind} ${message}`,
  )
}

Reading('an integer of any size is read exactly, as a bigint beyond the safe integers', () => {
  assert.is(readJson('9007199254740991'), 9007199254740991)
  assert.is(readJson('9007199254740992'), 9007199254740992n)
  assert.is(readJson('-9007199254740993'), -9007199254740993n)
  const digits = '7'.repeat(2000)
  assert.equal(readJson(`{"A":${digits}}`), { A: BigInt(digits) })
})

Reading('a number of more than 4096 digits, or beyond every double, is refused', () => {
  assert.is(readJson('9'.repeat(4096)), BigInt('9'.repeat(4096)))
  refuses('9'.repeat(4097), 'RangeError', /^JSON: expected at most 4096 digits in a number, got more$/)
  refuses('1e999', 'RangeError', /^JSON: expected a number up to 1\.79\d+e\+308, got a larger one$/)
  assert.is(readJson('1e300'), 1e300)
})

Reading('below the depth of integersFrom a number with a fraction or an exponent is read as NaN', () => {
  for (const number of ['1e3', '1000.0', '1E+3', '-0.0', '10e-1'])
    assert.equal(
      [readJson(`[${number}]`), readJson(`[[${number}]]`, { integersFrom: 2 }), readJson(number)],
      [[Number(number)], [[Number.NaN]], Number(number)],
    )
  assert.equal(readJson('[[1000],1e3]', { integersFrom: 2 }), [[1000], 1e3])
  assert.equal(readJson('1.5', { integersFrom: 0 }), Number.NaN)
})

Reading('depth is bounded', () => {
  assert.ok(readJson(`${'['.repeat(64)}${']'.repeat(64)}`))
  refuses('['.repeat(65), 'RangeError', /^JSON: expected at most 64 levels of nesting, got more$/)
  refuses('{"a":'.repeat(100_000), 'RangeError', /^JSON: expected at most 64 levels of nesting, got more$/)
  refuses('[[[]]]', 'RangeError', /^JSON: expected at most 2 levels of nesting, got more$/, { maxDepth: 2 })
})

Reading('names that reach into JavaScript objects are refused, however they are spelled', () => {
  for (const name of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__', 'construct\\u006fr'])
    refuses(
      `{"a":[{"${name}":1}]}`,
      'SyntaxError',
      /^JSON: expected another member name than __proto__, constructor or prototype before position \d+, got one of these$/,
    )
  assert.equal(readJson('{"proto":1,"toString":2}'), { proto: 1, toString: 2 })
})

Reading('a repeated name is refused below uniqueNamesBelow; elsewhere the last value counts', () => {
  const options = { uniqueNamesBelow: ['a_disclosed', 'a_responses'] }
  assert.equal(readJson('{"a":1,"a":2}', options), { a: 2 })
  refuses('{"proofs":[{"a_disclosed":{"1":"AQ==","1":"Ag=="}}]}', 'SyntaxError', /second time/, options)
  refuses('{"a_responses":{"1":"","\\u0031":""}}', 'SyntaxError', /second time/, options)
  refuses('{"a_responses":[{"x":{"y":1,"y":2}}]}', 'SyntaxError', /second time/, options)
  assert.equal(readJson('{"a_responses":{"1":""},"x":{"y":1,"y":2}}', options), {
    a_responses: { 1: '' },
    x: { y: 2 },
  })
})

Reading(
  'with hasUniqueNames a repeated name is refused everywhere; the message of the error does not quote it',
  () => {
    const options = { hasUniqueNames: true }
    for (const text of ['{"a":1,"a":2}', '{"b":[{"a":1,"\\u0061":1}]}'])
      try {
        readJson(text, options)
        assert.unreachable(text)
      } catch (error) {
        assert.instance(error, RepeatedNameError)
        assert.is(error instanceof RepeatedNameError && error.memberName, 'a')
        assert.not.match(`${error}`, /"|\ba\b(?! member)/)
      }
    assert.equal(readJson('[{"a":1},{"a":{"a":1}}]', options), [{ a: 1 }, { a: { a: 1 } }])
  },
)

Reading(
  'maxItems limits only lists in members of the outermost object, which are read no further than the limit',
  () => {
    const options = { maxItems: { proofs: 2 } }
    assert.equal(readJson('{"proofs":[1,2]}', options), { proofs: [1, 2] })
    refuses('{"proofs":[1,2,3]}', 'RangeError', /^proofs: expected at most 2, got 3 or more$/, options)
    refuses('{"proofs":[1,2,and this is not JSON', 'RangeError', /^proofs: expected at most 2/, options)
    refuses('{"proofs":[1,2],"proofs":[1,2,3]}', 'RangeError', /^proofs: expected at most 2/, options)
    for (const text of [
      '{"x":{"proofs":[1,2,3]}}',
      '{"proofs":{"proofs":[1,2,3]}}',
      '[[1,2,3]]',
      '{"x":[1,2,3]}',
    ])
      assert.ok(readJson(text, options))
  },
)

Reading('a lone surrogate becomes U+FFFD, a pair stays', () => {
  assert.is(readJson('"\\ud800x\\ud83d\\ude00"'), '\ufffdx\u{1f600}')
})

Reading('a text has at most 65,536 values, and a long integer counts as several', () => {
  const many = (count: number, item: string) => `[${Array(count).fill(item).join(',')}]`
  assert.is((readJson(many(65_535, '{}')) as unknown[]).length, 65_535)
  for (const item of ['{}', '[]', '1', '"a"', 'null', '[[]]'])
    refuses(many(65_536, item), 'RangeError', /^JSON: expected at most 65536 values, got more$/)
  assert.is((readJson(many(1_000, '9'.repeat(2_000))) as unknown[]).length, 1_000)
  refuses(many(2_500, '9'.repeat(4_096)), 'RangeError', /^JSON: expected at most 65536 values, got more$/)
})

Reading('with maxValues a text is read no further than the first value beyond the limit', () => {
  const options = { maxValues: 4 }
  for (const text of ['[1,[2]]', '{"a":{"b":1},"b":{}}', `[1,2,${'9'.repeat(4_000)}]`])
    assert.equal(readJson(text, options), readJson(text))
  for (const text of ['[1,[2],{},0', '{"a":{"b":1},"b":{},"c":{', '[[[[[', '[1,2,3,x'])
    refuses(text, 'RangeError', /^JSON: expected at most 4 values, got more$/, options)
})

Reading('a text that is not JSON is refused, and the error does not quote it', () => {
  const texts = [
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "'a'",
    '01',
    '+1',
    '.5',
    '1.',
    '-',
    '1e',
    'nul',
    'true1',
  ]
  const more = [
    '"a',
    '"\\',
    '"\\x"',
    '"\\u12g4"',
    '"a\nb"',
    '[1 2]',
    '{"a" 1}',
    '{"a":}',
    '[]]',
    '\ufeff1',
    '\u00a01',
  ]
  for (const text of [...texts, ...more]) {
    assert.throws(() => JSON.parse(text))
    refuses(text, 'SyntaxError', /^JSON: expected .*, got /)
  }
  for (const text of ['["SECRET', '{"a":SECRET}', '"SECRET\\x"', '"a" SECRET'])
    assert.throws(
      () => readJson(text),
      (error: Error) => !`${error.stack}${String(error.cause)}`.includes('SECRET'),
    )
})

Reading('a damaged stored text is refused, and the error does not quote it', () => {
  assert.equal(restoreJson('{"a":[1]}'), { a: [1] })
  for (const text of ['SECRET', '{"a":SECRET}', '"SECRET', '{"a":"SECRET"}}', '\0'])
    assert.throws(
      () => restoreJson(text),
      (error: Error) =>
        error instanceof SyntaxError && !`${error.stack}${String(error.cause)}`.includes('SECRET'),
    )
})

Reading('a valid text, in any layout, has the same value as with JSON.parse', () => {
  const value = fc.jsonValue({ maxDepth: 8 })
  const layout = fc.constantFrom(undefined, 1, '\t', '\r\n ')
  fc.assert(
    fc.property(value, layout, (json, space) => {
      const text = JSON.stringify(json, null, space)
      fc.pre(!FORBIDDEN.test(text))
      const expected = JSON.parse(text)
      assert.equal(normal(readJson(text)), normal(expected))
    }),
    { numRuns: 500 },
  )
})

/** Converts doubles that were written as long integers, and so were read as bigint. */
function normal(json: unknown): unknown {
  return JSON.stringify(json, (_, value) => (typeof value === 'bigint' ? Number(value) : value))
}

Reading('broken text is refused exactly when JSON.parse refuses it', () => {
  const text = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', ',', '}', '\\', '0', 'e', ' '))
  fc.assert(
    fc.property(text, ([json, at, insert]) => {
      const cut = at % (json.length + 1)
      const broken = json.slice(0, cut) + insert + json.slice(cut + 1)
      const error = errorOf(() => readJson(broken))
      if (error instanceof RangeError || FORBIDDEN.test(broken)) return // limits and forbidden names are our own rules
      assert.is(error?.name, errorOf(() => JSON.parse(broken))?.name)
    }),
    { numRuns: 1000 },
  )
})

function errorOf(run: () => unknown): Error | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error('not an error')
  }
}

Reading.run()

const Writing = suite('writing JSON')

Writing('compact, in the order as built, without undefined members and without a newline', () => {
  assert.is(
    writeJson({ b: 1, a: [true, null, 'x'], c: undefined, '': {} }),
    '{"b":1,"a":[true,null,"x"],"":{}}',
  )
})

Writing('the members of a map are sorted as strings', () => {
  const map = new Map<string, unknown>([
    [
      '2',
      new Map([
        ['nl', 'b'],
        ['en', 'a'],
      ]),
    ],
    ['10', null],
  ])
  assert.is(writeJson({ labels: map }), '{"labels":{"10":null,"2":{"en":"a","nl":"b"}}}')
})

Writing('characters with a meaning in HTML or in old scripts are escaped, in names too', () => {
  assert.is(
    writeJson({ '<': '</script>&\u2028\u2029é' }),
    '{"\\u003c":"\\u003c/script\\u003e\\u0026\\u2028\\u2029é"}',
  )
})

Writing('a value that JSON cannot represent is refused', () => {
  for (const value of [1n, undefined, Number.NaN, Number.POSITIVE_INFINITY, () => 1, [undefined]])
    assert.throws(
      () => writeJson(value),
      (error: Error) => error instanceof TypeError && /that JSON can hold/.test(error.message),
    )
})

Writing('a written value is read back unchanged', () => {
  const value = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' })
  fc.assert(
    fc.property(value, json => {
      fc.pre(!FORBIDDEN.test(JSON.stringify(json)))
      assert.is(normal(readJson(writeJson(json))), normal(JSON.parse(JSON.stringify(json))))
    }),
    { numRuns: 500 },
  )
})

Writing.run()
