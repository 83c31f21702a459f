/** The harness reads recorded bodies byte for byte. @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { readJsonText } from './json-text.ts'

const Text = suite('replay: JSON as text')

Text('members keep the order of the document, numbers their digits', () => {
  const document = '{ "10": 12345678901234567890, "2": [ true, null, { } ], "a": { "b": "c d" } }'
  assert.is(readJsonText(document).text, '{"10":12345678901234567890,"2":[true,null,{}],"a":{"b":"c d"}}')
})

Text('strings are written as on the wire', () => {
  assert.is(
    readJsonText('"<a href=\\"\\u00e9\\">&\\u2028"').text,
    '"\\u003ca href=\\"é\\"\\u003e\\u0026\\u2028"',
  )
})

Text('parts are found by name and position', () => {
  const { members } = readJsonText('{"a":{"b":[1,{"c":"x,]}"}]}}')
  assert.is(members.get('a')?.members.get('b')?.items[1]?.members.get('c')?.text, '"x,]}"')
})

Text.run()
