/** Identifiers (spec/interface#2.1). The lists in ids/ work for any implementation: one identifier a line, `#` starts a comment. @module */
import * as assert from 'uvu/assert'
import { MalformedInputError } from '../../protocol/errors.ts'
import * as ids from '../../protocol/ids.ts'
import { suite } from '../suite.ts'
import { linesOf } from './ids/lists.ts'

const Ids = suite('identifiers')

const PARSERS = {
  'scheme-id': ids.parseSchemeId,
  'issuer-id': ids.parseIssuerId,
  'credential-type-id': ids.parseCredentialTypeId,
  'attribute-type-id': ids.parseAttributeTypeId,
  'attribute-request-id': ids.parseAttributeRequestId,
}

for (const [name, parse] of Object.entries(PARSERS)) {
  Ids(`every ${name} of the valid list is accepted as it is`, () => {
    for (const line of linesOf(`${name}_valid`)) assert.is(parse(line), line)
  })

  Ids(`no ${name} of the invalid list is accepted, and no empty one`, () => {
    for (const line of ['', ...linesOf(`${name}_invalid`)])
      assert.throws(
        () => parse(line),
        (error: Error) => error instanceof MalformedInputError && /: expected .*, got /.test(error.message),
        `accepted: "${line}"`,
      )
  })
}

Ids('an error quotes at most 100 characters of the text', () => {
  assert.throws(
    () => ids.parseSchemeId('.'.repeat(1e6)),
    (error: Error) => error.message.length < 250,
  )
})

Ids('the parts of an identifier are read from both ends', () => {
  const attribute = ids.parseAttributeTypeId('svc-demo.gov.idcard.over18')
  assert.is(ids.schemeOf(attribute), 'svc-demo')
  assert.is(ids.issuerOf(attribute), 'svc-demo.gov')
  assert.is(ids.credentialTypeOf(attribute), 'svc-demo.gov.idcard')
  assert.is(ids.attributeNameOf(attribute), 'over18')
  const nameless = ids.parseAttributeTypeId('svc-demo.fast.badge.')
  assert.is(ids.credentialTypeOf(nameless), 'svc-demo.fast.badge')
  assert.is(ids.attributeNameOf(nameless), '')
  assert.not(ids.isCredentialTypeId(nameless))
  assert.ok(ids.isCredentialTypeId(ids.parseCredentialTypeId('svc-demo.gov.idcard')))
})

Ids.run()
