/** Session requests that are refused (spec/interface#2.3 to #2.6, spec/decisions#d5 to #d10), and the texts of the refusals. @module */
import * as assert from 'uvu/assert'
import { InvalidRequestError } from '../../protocol/errors.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequest, parseSessionRequestText } from '../../protocol/request.ts'
import { suite } from '../suite.ts'
import { CITY, CONTEXT, disclosure, INITIALS, OVER18, refused, STREET, SVC } from './requests.ts'

const Refusals = suite('refused session requests')

Refusals('a text that is not JSON, or has a name with a meaning in JavaScript objects', () => {
  for (const text of ['', '{', '{"@context":"x",}', '{"__proto__":{}}', `${'['.repeat(99)}${']'.repeat(99)}`])
    assert.throws(
      () => parseSessionRequestText(text, SVC),
      (error: Error) => error instanceof InvalidRequestError && /^JSON: /.test(error.message),
    )
})

Refusals('a disclosure of more than 3,000 parts', () => {
  const parse = (count: number) =>
    parseSessionRequest(disclosure({ disclose: [[Array(count).fill(OVER18)]] }), SVC)
  assert.is(parse(2_998).request.disclose.flat(2).length, 2_998)
  assert.throws(() => parse(2_999), /^disclose: expected at most 3000 parts, got 3001$/)
})

Refusals(
  'a host that a URL would not contain as a whole: a pattern of hosts must match the host of the pointer',
  () => {
    for (const host of [
      'evil.example#.shop.example',
      'evil.example?.shop.example',
      'evil.example/.shop.example',
      'evil.example\\.shop.example',
      'user@shop.example',
      'shop.example:',
      'shop.example:x',
      'shop .example',
      '[::1',
    ])
      refused(disclosure({ host }), /^host: expected a host name, with its port .*, got another text$/)
    for (const host of ['', 'shop.example', 'Shop.example:8443', '127.0.0.1:80', '[::1]:80', 'a_b-c.example'])
      assert.is(parseSessionRequest(disclosure({ host }), SVC).request.host, host)
  },
)

Refusals('a body that is no session request', () => {
  refused(null, 'session request: expected an object, got null')
  refused([], 'session request: expected an object, got a list')
  refused('{}', 'session request: expected an object, got a string')
  for (const body of [
    {},
    { timeout: 10 },
    { request: {} },
    { request: 5 },
    { disclose: [[[OVER18]]] },
    { type: 'x' },
  ])
    refused(body, /^session request: expected an @context, or the type "disclosing", "signing", "issuing"/)
  refused({ '@context': 5 }, '@context: expected a string, got an integer')
})

Refusals('a wrong JSON type: the error contains the expected and the received type', () => {
  const cases: [JsonValue, string][] = [
    [{ disclose: {} }, 'disclose: expected a list, got an object'],
    [{ disclose: [[OVER18]] }, 'disclose[0][0]: expected a list, got a string'],
    [
      { disclose: [[[OVER18]], [[OVER18, 5]]] },
      'disclose[1][0][1]: expected an attribute type id or an object, got an integer',
    ],
    [{ disclose: [[[{ type: 5 }]]] }, 'disclose[0][0][0].type: expected a string, got an integer'],
    [
      { disclose: [[[{ type: OVER18, value: 5 }]]] },
      'disclose[0][0][0].value: expected a string, got an integer',
    ],
    [
      { disclose: [[[{ type: OVER18, notNull: 'x' }]]] },
      'disclose[0][0][0].notNull: expected true or false, got a string',
    ],
    [{ labels: { x: {} } }, 'labels: expected indices in disclose as member names, got something else'],
    [{ labels: { '01': {} } }, 'labels: expected indices in disclose as member names, got something else'],
    [{ labels: { '0': 'x' } }, 'labels.0: expected an object, got a string'],
    [{ labels: { '0': { en: 5 } } }, 'labels.0: expected a string, got an integer'],
    [{ skipExpiryCheck: 'x' }, 'skipExpiryCheck: expected a list, got a string'],
    [{ skipExpiryCheck: ['x'] }, 'credential type id: expected <scheme>.<issuer>.<credential>, got "x"'],
    [{ revocation: ['a.b'] }, 'credential type id: expected <scheme>.<issuer>.<credential>, got "a.b"'],
    [{ clientReturnUrl: {} }, 'clientReturnUrl: expected a string, got an object'],
    [{ augmentReturnUrl: 1 }, 'augmentReturnUrl: expected true or false, got an integer'],
    [{ host: [] }, 'host: expected a string, got a list'],
  ]
  for (const [members, message] of cases) refused(disclosure(Object(members)), message)
})

Refusals('timeout and validity are integers from 0 to a week', () => {
  for (const member of ['timeout', 'validity'])
    for (const [value, got] of [
      [-1, 'another integer'],
      [604_801, 'another integer'],
      [2n ** 70n, 'another integer'],
      [1.5, 'a number with a fraction or an exponent'],
      ['10', 'a string'],
      [true, 'a boolean'],
    ] as const)
      refused(
        { [member]: value, request: disclosure({}) },
        `${member}: expected an integer from 0 to 604800, got ${got}`,
      )
})

Refusals('an integer is written in digits only', () => {
  for (const member of ['timeout', 'validity'])
    for (const written of ['1e2', '100.0'])
      assert.throws(
        () =>
          parseSessionRequestText(
            `{"${member}":${written},"request":${JSON.stringify(disclosure({}))}}`,
            SVC,
          ),
        `${member}: expected an integer from 0 to 604800, got a number with a fraction or an exponent`,
      )
})

Refusals('structural rules, in their order', () => {
  const none = 'Disclosure request had no attributes: disclose: expected at least one, got none'
  for (const disclose of [null, [], [[]], [[[]]], [[[], []], [[]]]]) refused(disclosure({ disclose }), none)
  refused(disclosure({ disclose: [[[OVER18]], [], [['x']]] }), /^Empty disjunction: disclose\[1\]/)
  refused(disclosure({ disclose: [[['x']], []] }), /expected an identifier of 4 or 3 parts, got 1/)
  refused(disclosure({ disclose: [[[`${OVER18}.x`]]] }), /expected an identifier of 4 or 3 parts, got 5/)
  const signature = { '@context': `${CONTEXT}/signature/v2` }
  refused({ ...signature, disclose: [[]] }, 'Signature request had empty message')
  refused({ ...signature, message: 'm', disclose: [[]] }, /^Empty disjunction/)
  const issuance = { '@context': `${CONTEXT}/issuance/v2` }
  refused({ ...issuance, disclose: [[]] }, /^Empty issuance request/)
  refused({ ...issuance, credentials: {} }, 'credentials: expected a list, got an object')
  refused({ ...issuance, credentials: Array(257).fill({}) }, 'credentials: expected at most 256, got 257')
  refused({ ...issuance, credentials: [{}], disclose: [[]] }, /^credential type id: expected/)
  const credential = 'svc-demo.fast.note'
  const wrong = /^credentials\[0\]\.(validity|attributes): expected/
  for (const members of [{ validity: '1' }, { validity: 1.5 }, { validity: -1 }, { attributes: { text: 5 } }])
    refused({ ...issuance, credentials: [{ credential, ...members }] }, wrong)
})

Refusals('in one inner conjunction at most one credential type has more than one attribute (rule 2)', () => {
  const accepted = [
    [OVER18, CITY],
    [OVER18, INITIALS, CITY],
    [OVER18, CITY, INITIALS],
    [OVER18, INITIALS, OVER18],
  ]
  for (const inner of accepted) assert.ok(parseSessionRequest(disclosure({ disclose: [[inner]] }), SVC))
  const message =
    'disclose[0][1]: expected at most one credential type with more than one attribute, got svc-demo.gov.idcard, svc-demo.gov.address'
  refused(disclosure({ disclose: [[[OVER18], [OVER18, CITY, INITIALS, STREET]]] }), message)
})

Refusals('in profile irma, attributes of one type must be adjacent instead (spec/decisions#d10)', () => {
  const request = (inner: readonly string[]): JsonValue => ({
    '@context': 'https://irma.app/ld/request/disclosure/v2',
    disclose: [[inner]],
  })
  for (const inner of [
    [OVER18, INITIALS, CITY, STREET],
    [OVER18, CITY],
    [OVER18, OVER18],
  ])
    assert.ok(parseSessionRequest(request(inner), PROFILES.irma))
  refused(
    request([OVER18, CITY, INITIALS]),
    'disclose[0][0]: Within inner conjunctions, attributes from the same credential type must be adjacent: svc-demo.gov.idcard',
    PROFILES.irma,
  )
})

Refusals.run()
