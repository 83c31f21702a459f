/** The session result (spec/interface#2.8, spec/decisions#d19, #d20, spec/session-server#q5). @module */
import * as assert from 'uvu/assert'
import { MalformedInputError, remoteErrorObject, UnknownPublicKeyError } from '../../protocol/errors.ts'
import { parseAttributeTypeId } from '../../protocol/ids.ts'
import { writeJson } from '../../protocol/json.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { disclosedAttribute } from '../../sessions/disclosed.ts'
import {
  outcomeToShow,
  type ResultFacts,
  restoreOutcome,
  resultToPost,
  type SessionOutcome,
  sessionResult,
  storeOutcome,
} from '../../sessions/result.ts'
import { suite } from '../suite.ts'

const Result = suite('the session result')

const id = parseAttributeTypeId('svc-demo.gov.idcard.over18')
const UNKNOWN = { isNotRevoked: false, notRevokedBeforeSec: undefined }
const FACTS = {
  requestorToken: 'RT',
  status: 'DONE',
  type: 'disclosing',
  profile: PROFILES.svc,
  isLegacy: false,
} as const

function attribute(text: string | null, isExtra = false) {
  return disclosedAttribute(
    { id, bytes: text === null ? null : Buffer.from(text), issuedAtSec: 604_800, ...UNKNOWN },
    isExtra,
  )
}

function result(facts: Partial<ResultFacts>): string {
  return writeJson(sessionResult({ ...FACTS, outcome: null, ...facts }))
}

Result('without an outcome it has token, status and type', () => {
  assert.is(result({ status: 'CONNECTED' }), '{"token":"RT","status":"CONNECTED","type":"disclosing"}')
})

Result('before the final status, only the post to nextSession.url contains the outcome', () => {
  const outcome: SessionOutcome = { proofStatus: 'VALID', disclosed: [[attribute('yes')]] }
  for (const status of ['INITIALIZED', 'PAIRING', 'CONNECTED']) {
    assert.is(result({ status, outcome }), `{"token":"RT","status":"${status}","type":"disclosing"}`)
    assert.is(outcomeToShow(status, outcome), null)
  }
  for (const status of ['DONE', 'CANCELLED', 'TIMEOUT']) assert.is(outcomeToShow(status, outcome), outcome)
  assert.match(
    writeJson(resultToPost({ ...FACTS, status: 'CONNECTED', outcome })),
    /^{"token":"RT","status":"CONNECTED","type":"disclosing","proofStatus":"VALID","disclosed":\[\[/,
  )
})

Result(
  'a signature comes before the token of the next session; the legacy form has no such token (spec/decisions#d20)',
  () => {
    const nextSession = { requestorToken: 'NEXT', clientToken: 'CT', type: 'issuing', host: '' } as const
    const outcome: SessionOutcome = { proofStatus: 'VALID', signature: { message: 'm' }, nextSession }
    const end = '"proofStatus":"VALID","signature":{"message":"m"}'
    for (const profile of [PROFILES.svc, PROFILES.irma])
      assert.match(result({ outcome, profile }), `${end},"nextSession":"NEXT"}`)
    assert.match(result({ outcome, isLegacy: true }), `${end}}`)
    assert.is(result({ outcome: restoreOutcome(storeOutcome(outcome).text).value }), result({ outcome }))
  },
)

Result('the result of a cancelled session has no attributes', () => {
  assert.is(
    result({ status: 'CANCELLED', outcome: null }),
    '{"token":"RT","status":"CANCELLED","type":"disclosing"}',
  )
})

Result('with an outcome it has proof status and disclosed attributes, in the order of the wire', () => {
  const outcome: SessionOutcome = {
    proofStatus: 'MISSING_ATTRIBUTES',
    disclosed: [[attribute('yes')], null, [], [attribute(null)]],
  }
  const yes = `{"rawvalue":"yes","value":{"":"yes","en":"yes","nl":"yes"},"id":"${id}","status":"PRESENT","issuancetime":604800}`
  const none = `{"rawvalue":null,"value":null,"id":"${id}","status":"NULL","issuancetime":604800}`
  assert.is(
    result({ outcome }),
    `{"token":"RT","status":"DONE","type":"disclosing","proofStatus":"MISSING_ATTRIBUTES","disclosed":[[${yes}],null,[],[${none}]]}`,
  )
  assert.is(result({ outcome: restoreOutcome(storeOutcome(outcome).text).value }), result({ outcome }))
})

Result('an empty list of items is left out, an item without disclosed attributes is not', () => {
  assert.not.match(result({ outcome: { proofStatus: 'INVALID', disclosed: [] } }), 'disclosed"')
  assert.match(result({ outcome: { proofStatus: 'VALID', disclosed: [[]] } }), '"disclosed":[[]]')
})

Result('an attribute is extra even if it is absent', () => {
  assert.is(attribute('x', true).status, 'EXTRA')
  assert.is(attribute(null, true).status, 'EXTRA')
  assert.is(attribute(null, true).rawvalue, null)
})

Result('bytes that are not UTF-8 become U+FFFD', () => {
  const broken = { id, bytes: Uint8Array.of(0x61, 0xff, 0x62), issuedAtSec: 0, ...UNKNOWN }
  assert.is(disclosedAttribute(broken, false).rawvalue, 'a\ufffdb')
})

Result(
  'an error is a text in profile svc, and the remote error object in profile irma (spec/decisions#d19)',
  () => {
    const facts = {
      status: 'CANCELLED',
      outcome: { error: remoteErrorObject(new UnknownPublicKeyError('no key 7')) },
    }
    assert.match(result(facts), '"type":"disclosing","error":"UNKNOWN_PUBLIC_KEY: no key 7"}')
    assert.match(
      result({ ...facts, profile: PROFILES.irma }),
      '"error":{"status":403,"error":"UNKNOWN_PUBLIC_KEY","description":"Attributes were not valid against a known public key","message":"no key 7"}}',
    )
    assert.match(
      result({ outcome: { error: remoteErrorObject(new MalformedInputError()) } }),
      '"error":"MALFORMED_INPUT"}',
    )
  },
)

Result(
  'a legacy request gets a flat list in profile svc, and the modern form in profile irma (spec/session-server#q5)',
  () => {
    const outcome: SessionOutcome = {
      proofStatus: 'VALID',
      disclosed: [[attribute('a'), attribute('b')], null, [], [attribute('c')]],
    }
    const values = (facts: Partial<ResultFacts>): unknown =>
      Object(sessionResult({ ...FACTS, outcome, ...facts })).disclosed
    assert.equal(values({ isLegacy: true }), [attribute('a'), attribute('c')])
    assert.equal(values({ isLegacy: true, profile: PROFILES.irma }), outcome.disclosed)
    assert.equal(values({ isLegacy: false }), outcome.disclosed)
  },
)

Result.run()
