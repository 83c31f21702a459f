/** Values that are stored as text. @module */
import * as assert from 'uvu/assert'
import { StoredValue } from '../../protocol/stored-value.ts'
import { suite } from '../suite.ts'

const Stored = suite('values that are stored as text')

Stored('a text is parsed when its value is first read, and once for all rows that share it', () => {
  let parsed = 0
  const value = new StoredValue('{"a":[1]}', json => {
    parsed++
    return json
  })
  const rows = [{ value }, { value }]
  assert.equal([value.text, parsed], ['{"a":[1]}', 0])
  for (const row of rows) assert.equal(row.value.value, { a: [1] })
  assert.is(rows[0]?.value.value, rows[1]?.value.value)
  assert.is(parsed, 1)
})

Stored('every read of a damaged text throws an error, which does not quote the text', () => {
  const damaged = new StoredValue('{"SECRET', json => json)
  for (let i = 0; i < 2; i++)
    assert.throws(
      () => damaged.value,
      (error: Error) => error instanceof SyntaxError && !`${error.stack}${error.cause}`.includes('SECRET'),
    )
})

Stored.run()
