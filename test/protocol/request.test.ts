/** Session requests (spec/interface#2.3 to #2.6, spec/decisions#d5 to #d10): their forms, and the parts that are stored. @module */
import * as assert from 'uvu/assert'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequest, restoreRequest, storeRequest } from '../../protocol/request.ts'
import { suite } from '../suite.ts'
import { CITY, CONTEXT, disclosure, INITIALS, OVER18, refused, STREET, SVC } from './requests.ts'

const Forms = suite('forms of a session request')

Forms('a plain disclosure request is wrapped with every default', () => {
  assert.equal(parseSessionRequest(disclosure({}), SVC), {
    validitySec: 120,
    timeoutSec: 0,
    callbackUrl: '',
    nextSession: null,
    request: {
      type: 'disclosing',
      disclose: [[[{ type: OVER18, value: null, notNull: false }]]],
      labels: {},
      skipExpiryCheck: [],
      nonRevocation: [],
      clientReturnUrl: '',
      augmentReturnUrl: false,
      host: '',
    },
    implicitDisclose: [],
    isLegacy: false,
  })
})

Forms('an extended request has options', () => {
  const nextSession = { url: 'https://shop.example/next' }
  const options = { validity: 604_800, timeout: 1, callbackUrl: 'any text', nextSession }
  const extended = parseSessionRequest({ ...options, request: disclosure({}) }, SVC)
  assert.is(extended.validitySec, 604_800)
  assert.is(extended.timeoutSec, 1)
  assert.is(extended.callbackUrl, 'any text')
  assert.equal(extended.nextSession, nextSession)
  assert.is(parseSessionRequest({ validity: 0, request: disclosure({}) }, SVC).validitySec, 120)
})

Forms('every member of a request is kept, and null counts as absent', () => {
  const { request } = parseSessionRequest(
    disclosure({
      disclose: [
        [[OVER18, { type: INITIALS, value: 'A.', notNull: true }], []],
        [[{ type: CITY, value: null, notNull: null }]],
        [['svc-demo.gov.idcard']],
      ],
      labels: { '0': { en: 'Age', nl: 'Leeftijd' }, '17': null },
      skipExpiryCheck: ['svc-demo.gov.idcard', 'a.b.c'],
      revocation: { 'svc-demo.gov.permit': { tolerance: 60 }, 'a.b.c': null },
      clientReturnUrl: 'https://shop.example/back',
      augmentReturnUrl: true,
      host: 'shop.example:8080',
    }),
    SVC,
  )
  assert.equal(request.disclose, [
    [
      [
        { type: OVER18, value: null, notNull: false },
        { type: INITIALS, value: 'A.', notNull: true },
      ],
      [],
    ],
    [[{ type: CITY, value: null, notNull: false }]],
    [[{ type: 'svc-demo.gov.idcard', value: null, notNull: false }]],
  ])
  assert.equal(request.labels, { '0': { en: 'Age', nl: 'Leeftijd' }, '17': null })
  assert.equal(request.skipExpiryCheck, ['svc-demo.gov.idcard', 'a.b.c'])
  assert.equal(request.nonRevocation, [
    { credential: 'svc-demo.gov.permit', toleranceSec: 60 },
    { credential: 'a.b.c', toleranceSec: 0 },
  ])
  assert.is(request.clientReturnUrl, 'https://shop.example/back')
  assert.is(request.augmentReturnUrl, true)
  assert.is(request.host, 'shop.example:8080')
  const absent = disclosure({
    labels: null,
    skipExpiryCheck: null,
    clientReturnUrl: null,
    augmentReturnUrl: null,
  })
  assert.equal(parseSessionRequest(absent, SVC), parseSessionRequest(disclosure({}), SVC))
})

Forms(
  '`revocation` asks for a proof of non-revocation of each type, with the tolerance of the server',
  () => {
    const { request } = parseSessionRequest(disclosure({ revocation: ['a.b.c', 'd.e.f', 'a.b.c'] }), SVC)
    assert.equal(request.nonRevocation, [
      { credential: 'a.b.c', toleranceSec: 0 },
      { credential: 'd.e.f', toleranceSec: 0 },
    ])
  },
)

Forms(
  'signature and issuance requests are read, also a signature request without disclose (spec/decisions#d6)',
  () => {
    const signature = { '@context': `${CONTEXT}/signature/v2`, message: 'I agree' }
    const signing = parseSessionRequest(signature, SVC).request
    assert.is(signing.type === 'signing' && signing.message, 'I agree')
    assert.equal(signing.disclose, [])
    const credential = {
      credential: 'svc-demo.fast.note',
      attributes: { text: 'x', extra: null },
      keyCounter: 9,
      randomblindIDs: ['url'],
    }
    const issuance = {
      '@context': `${CONTEXT}/issuance/v2`,
      credentials: [{ ...credential, validity: 2208988800 }],
    }
    const issuing = parseSessionRequest(issuance, SVC).request
    assert.equal(issuing.type === 'issuing' && issuing.credentials, [
      {
        credential: 'svc-demo.fast.note',
        validityAtSec: 2208988800,
        attributes: { text: 'x', extra: '' },
        revocationKey: '',
        keyCounter: 9,
        randomBlindIds: ['url'],
      },
    ])
  },
)

Forms('unknown members, and those that the server sets itself, are ignored', () => {
  const own = { nonce: 'AQ==', context: 5, protocolVersion: [], devMode: 'x', type: 'signing' }
  const body = { ...disclosure({ ...own, unknown: {} }), validity: 'ignored outside an extended request' }
  assert.equal(parseSessionRequest(body, SVC), parseSessionRequest(disclosure({}), SVC))
})

Forms('the whole @context is compared, with the base of the profile', () => {
  const irma = { '@context': 'https://irma.app/ld/request/disclosure/v2', disclose: [[[OVER18]]] }
  assert.is(parseSessionRequest(irma, PROFILES.irma).request.type, 'disclosing')
  refused(irma, /^Invalid session request type: expected one of https:\/\/svc\.example/)
  refused(irma, /as @context, got that of the profile irma; this server has the profile svc$/)
  const own = { ...SVC, contextBase: 'https://id.example/x' }
  const context = 'https://id.example/x/ld/request/disclosure/v2'
  assert.ok(parseSessionRequest({ ...disclosure({}), '@context': context }, own))
  assert.throws(() => parseSessionRequest(disclosure({}), own), /as @context$/)
  for (const context of [
    'x',
    `${CONTEXT}/disclosure/v1`,
    `${CONTEXT}/disclosure/v2/`,
    `${CONTEXT}/Disclosure/v2`,
  ]) {
    refused({ ...disclosure({}), '@context': context }, /^Invalid session request type: .* as @context$/)
    refused({ request: { ...disclosure({}), '@context': context } }, /^Invalid session request type/)
  }
})

Forms('a stored request is restored, and does not depend on the form of the profile', () => {
  const request = disclosure({ labels: { '2': { en: 'x' } }, disclose: [[[OVER18], []]] })
  const extended = parseSessionRequest({ request, timeout: 5 }, SVC)
  assert.equal(restoreRequest(storeRequest(extended).text).value, extended)
  const irma = { ...request, '@context': 'https://irma.app/ld/request/disclosure/v2' }
  const other = parseSessionRequest({ request: irma, timeout: 5 }, PROFILES.irma)
  assert.is(storeRequest(other).text, storeRequest(extended).text)
})

/** As written by the version before chains. */
const STORED_BY_0_1_0 =
  '{"validitySec":120,"timeoutSec":0,"callbackUrl":"","nextSession":null,"request":{"type":"disclosing","disclose":[[[{"type":"svc-demo.gov.idcard.over18","value":null,"notNull":false}]]],"labels":{},"skipExpiryCheck":[],"nonRevocation":[],"clientReturnUrl":"","augmentReturnUrl":false,"host":""},"isLegacy":false}'

Forms('a request that version 0.1.0 stored is restored, with no implicit disclosure', () => {
  assert.equal(restoreRequest(STORED_BY_0_1_0).value, parseSessionRequest(disclosure({}), SVC))
})

Forms.run()

const Legacy = suite('requests in the form before conjunctions')

Legacy('every entry becomes a disjunction of single attributes, with its label in both languages', () => {
  const content = [
    { label: 'Age', attributes: [OVER18] },
    { label: 'Place', attributes: [CITY, STREET] },
  ]
  const { request, isLegacy } = parseSessionRequest({ type: 'disclosing', content }, SVC)
  assert.ok(isLegacy)
  assert.is(request.type, 'disclosing')
  assert.equal(request.disclose, [
    [[{ type: OVER18, value: null, notNull: false }]],
    [[{ type: CITY, value: null, notNull: false }], [{ type: STREET, value: null, notNull: false }]],
  ])
  assert.equal(request.labels, { '0': { en: 'Age', nl: 'Age' }, '1': { en: 'Place', nl: 'Place' } })
})

Legacy('attributes may be a map to required values, in an extended request too', () => {
  const content = [{ label: 'Age', attributes: { [OVER18]: 'yes', [CITY]: null } }]
  const extended = parseSessionRequest({ timeout: 7, request: { type: 'disclosing', content } }, SVC)
  assert.is(extended.timeoutSec, 7)
  assert.equal(extended.request.disclose, [
    [[{ type: OVER18, value: 'yes', notNull: false }], [{ type: CITY, value: null, notNull: false }]],
  ])
})

Legacy('a signature request has content and message; an issuance request credentials and disclose', () => {
  const content = [{ label: '', attributes: [OVER18] }]
  const signing = parseSessionRequest({ type: 'signing', message: 'm', content }, SVC).request
  assert.is(signing.type === 'signing' && signing.message, 'm')
  const credentials = [{ credential: 'svc-demo.fast.note', attributes: {} }]
  const issuing = parseSessionRequest({ type: 'issuing', credentials, disclose: content }, SVC).request
  assert.is(issuing.disclose.length, 1)
})

Legacy('errors contain the names of members of that form', () => {
  refused({ type: 'disclosing', content: 5 }, 'content: expected a list, got an integer')
  refused({ type: 'disclosing', content: [5] }, 'content[0]: expected an object, got an integer')
  refused(
    { type: 'disclosing', content: [{ attributes: 5 }] },
    'content[0].attributes: expected a list, got an integer',
  )
  refused({ type: 'disclosing' }, /^Disclosure request had no attributes/)
  refused(
    { type: 'disclosing', content: [{ label: 'x', attributes: [] }, { attributes: [OVER18] }] },
    /^Empty disjunction/,
  )
})

Legacy.run()
