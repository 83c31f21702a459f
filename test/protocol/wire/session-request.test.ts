/** The schemas of session requests, compared with the reader of the server in both directions. */
import * as assert from 'uvu/assert'
import { RemoteError } from '../../../protocol/errors.ts'
import type { JsonValue } from '../../../protocol/json.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import { parseSessionRequest } from '../../../protocol/request.ts'
import { sessionRequestSchemas } from '../../../protocol/wire/session-request.ts'
import { suite } from '../../suite.ts'
import { CITY, CONTEXT, INITIALS, OVER18 } from '../requests.ts'
import { changed } from './changed.ts'

const MEMBERS = ['labels', 'skipExpiryCheck', 'revocation', 'clientReturnUrl', 'augmentReturnUrl', 'host']
const OPTIONS = ['validity', 'timeout', 'callbackUrl', 'nextSession', 'request', '@context']
/** Rules for a request that JSON Schema cannot express. */
const BEYOND = /adjacent|at most one credential type with more than one|at most 3000 parts/

const DISCLOSURE = {
  '@context': `${CONTEXT}/disclosure/v2`,
  disclose: [[[OVER18, { type: INITIALS, value: 'J.', notNull: true }], []], [['svc-demo.gov.idcard']]],
  labels: { 0: { en: 'Age', nl: null }, 1: null },
  skipExpiryCheck: ['svc-demo.gov.idcard'],
  revocation: { 'svc-demo.gov.permit': { tolerance: 10 }, 'svc-demo.gov.idcard': null },
  clientReturnUrl: 'https://shop.example',
  augmentReturnUrl: true,
  host: 'shop.example:80',
}
const CREDENTIALS = [
  {
    credential: 'svc-demo.gov.idcard',
    validity: 1_900_000_000,
    attributes: { over18: 'yes', initials: null },
    revocationKey: 'k',
    keyCounter: 1,
    randomblindIDs: ['x'],
    sdJwtBatchSize: 3,
  },
]
const LEGACY = [
  { label: 'Age', attributes: [OVER18, CITY] },
  { label: 'City', attributes: { [CITY]: null, [INITIALS]: 'J.' } },
]
const REQUESTS: Readonly<Record<string, JsonValue>> = {
  disclosure: DISCLOSURE,
  'disclosure with a list of types that can be revoked': {
    ...DISCLOSURE,
    revocation: ['svc-demo.gov.permit'],
  },
  signature: { '@context': `${CONTEXT}/signature/v2`, message: 'I agree', disclose: [[[OVER18]]] },
  issuance: { '@context': `${CONTEXT}/issuance/v2`, credentials: CREDENTIALS, disclose: [] },
  'request with options': {
    request: { '@context': `${CONTEXT}/disclosure/v2`, disclose: [[[OVER18]]] },
    validity: 60,
    timeout: 60,
    callbackUrl: 'https://shop.example',
    nextSession: { url: 'https://shop.example' },
  },
  'disclosure in the form before conjunctions': { type: 'disclosing', content: LEGACY },
  'signature in that form': { type: 'signing', message: 'I agree', content: LEGACY },
  'issuance in that form': { type: 'issuing', credentials: CREDENTIALS, disclose: LEGACY },
  'request in that form with options': { request: { type: 'disclosing', content: LEGACY }, timeout: 5 },
}
const { sessionRequest } = sessionRequestSchemas(PROFILES.svc)

/** The reason of the refusal; null if the reader accepts it. */
function refusal(json: JsonValue): string | null {
  try {
    parseSessionRequest(json, PROFILES.svc)
    return null
  } catch (error) {
    if (error instanceof RemoteError) return error.message
    throw error
  }
}

const Schemas = suite('schemas of session requests')

for (const [name, request] of Object.entries(REQUESTS))
  Schemas(`the schema accepts a ${name}, and the same changed forms as the reader`, () => {
    assert.is(refusal(request), null)
    assert.ok(sessionRequest.safeParse(request).success)
    const cases = [...changed(request, name.includes('options') ? OPTIONS : MEMBERS)]
    assert.ok(cases.length > 100)
    const apart = cases.filter(json => {
      const why = refusal(json)
      return sessionRequest.safeParse(json).success !== (why === null || BEYOND.test(why))
    })
    assert.equal(apart.map(json => `${JSON.stringify(json)}: ${refusal(json)}`).slice(0, 5), [])
  })

Schemas.run()
