/** Messages of the server to requestor and wallet app (spec/interface#2.2, #2.9), byte for byte. @module */
import * as assert from 'uvu/assert'
import { type JsonValue, writeJson } from '../../protocol/json.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { type ExtendedRequest, parseSessionRequest } from '../../protocol/request.ts'
import { NOTHING_SENT } from '../../protocol/sent-updates.ts'
import { serverSessionResponse } from '../../protocol/server-session-response.ts'
import { sessionPackage, sessionPointer } from '../../protocol/session-package.ts'
import { clientSessionRequest, sessionRequestForApp } from '../../protocol/session-request-for-app.ts'
import { parseVersion } from '../../protocol/versions.ts'
import { suite } from '../suite.ts'

const { svc, irma } = PROFILES
const OVER18 = 'svc-demo.gov.idcard.over18'
const CITY = 'svc-demo.gov.address.city'

function disclosure(members: { readonly [name: string]: JsonValue } = {}): ExtendedRequest {
  const context = 'https://svc.example/ld/request/disclosure/v2'
  return parseSessionRequest({ '@context': context, disclose: [[[OVER18]]], ...members }, svc)
}

const ToApp = suite('messages to the wallet app')

const FACTS = {
  nonce: 'l3cYkCyo6XBz5aIsRYKBQA==',
  devMode: false,
  profile: svc,
  sent: NOTHING_SENT,
}

function forApp(request: ExtendedRequest, version = '2.8', devMode = false, profile = svc): string {
  const facts = { ...FACTS, devMode, profile, protocolVersion: parseVersion(version) }
  return writeJson(sessionRequestForApp(request, facts))
}

ToApp('a request has its members in the order of the wire, empty ones left out', () => {
  assert.is(
    forApp(disclosure()),
    `{"@context":"https://svc.example/ld/request/disclosure/v2","context":"AQ==","nonce":"l3cYkCyo6XBz5aIsRYKBQA==","protocolVersion":"2.8","disclose":[[["${OVER18}"]]]}`,
  )
  const everything = disclosure({
    disclose: [
      [
        [
          { type: OVER18, value: '<y&s>' },
          { type: CITY, notNull: true },
          { type: CITY, value: null },
        ],
        [],
      ],
    ],
    labels: { '2': { nl: 'b', en: 'a' }, '10': null },
    skipExpiryCheck: ['svc-demo.gov.idcard'],
    clientReturnUrl: 'https://shop.example/?a=1&b',
    augmentReturnUrl: true,
    host: 'shop.example',
  })
  assert.is(
    forApp(everything, '2.8', true),
    '{"@context":"https://svc.example/ld/request/disclosure/v2","context":"AQ==","nonce":"l3cYkCyo6XBz5aIsRYKBQA==","protocolVersion":"2.8",' +
      '"devMode":true,"clientReturnUrl":"https://shop.example/?a=1\\u0026b","augmentReturnUrl":true,"host":"shop.example",' +
      `"disclose":[[[{"type":"${OVER18}","value":"\\u003cy\\u0026s\\u003e"},{"type":"${CITY}","notNull":true},"${CITY}"],[]]],` +
      '"labels":{"10":null,"2":{"en":"a","nl":"b"}},"skipExpiryCheck":["svc-demo.gov.idcard"]}',
  )
})

ToApp('a request from the legacy form also has its type', () => {
  const content = [{ label: 'Age', attributes: [OVER18] }]
  assert.match(
    forApp(parseSessionRequest({ type: 'disclosing', content }, svc)),
    '"protocolVersion":"2.8","type":"disclosing","disclose"',
  )
})

// spec/interface#2.9, spec/decisions#d12
ToApp(
  'from 2.8 on: with pairing only the options; without pairing the request, in irma with the options',
  () => {
    const facts = { ...FACTS, protocolVersion: parseVersion('2.8') }
    const head = '{"@context":"https://svc.example/ld/request/client/v1","protocolVersion":"2.8",'
    const options = '"options":{"@context":"https://svc.example/ld/options/v1","pairingMethod":'
    const without = { ...facts, pairingCode: null }
    const request = `"request":${forApp(disclosure())}}`
    assert.is(writeJson(clientSessionRequest(disclosure(), without)), `${head}${request}`)
    const inIrma = { ...without, profile: { ...irma, contextBase: svc.contextBase } }
    assert.is(writeJson(clientSessionRequest(disclosure(), inIrma)), `${head}${options}"none"},${request}`)
    assert.is(
      writeJson(clientSessionRequest(disclosure(), { ...facts, pairingCode: '0761' })),
      `${head}${options}"pin","pairingCode":"0761"}}`,
    )
  },
)

ToApp('below version 2.8 the first answer is the bare request', () => {
  for (const version of ['2.5', '2.6', '2.7']) {
    const facts = { ...FACTS, protocolVersion: parseVersion(version), pairingCode: null }
    assert.is(writeJson(clientSessionRequest(disclosure(), facts)), forApp(disclosure(), version))
  }
})

ToApp('below version 2.5 the request has the form before conjunctions', () => {
  const request = disclosure({
    disclose: [[[OVER18]], [[CITY], ['svc-demo.gov.idcard']], [[{ type: CITY, value: 'Utrecht' }], [OVER18]]],
    labels: { '0': { en: 'Age', nl: 'Leeftijd' }, '2': { nl: 'Stad' } },
    clientReturnUrl: 'https://shop.example',
  })
  assert.is(
    forApp(request, '2.4', true),
    '{"context":"AQ==","nonce":"l3cYkCyo6XBz5aIsRYKBQA==","protocolVersion":"2.4","type":"disclosing","content":[' +
      `{"label":"Age","attributes":["${OVER18}"]},{"label":"city","attributes":["${CITY}","svc-demo.gov.idcard"]},` +
      `{"label":"city","attributes":{"${CITY}":"Utrecht","${OVER18}":null}}]}`,
  )
})

const CREDENTIALS = [
  { credential: 'svc-demo.uni.ballot', attributes: { url: 'u', election: '<e>' }, revocationKey: 'SECRET' },
  { credential: 'svc-demo.fast.note', attributes: { text: 'x' } },
]

/** A request in the form of `prepareRequest`, including values that are hidden from apps. */
function issuance(members: { readonly [name: string]: JsonValue } = {}): ExtendedRequest {
  const context = 'https://svc.example/ld/request/issuance/v2'
  const parsed = parseSessionRequest({ '@context': context, credentials: CREDENTIALS, ...members }, svc)
  if (parsed.request.type !== 'issuing') throw new Error('expected an issuance request')
  const [ballot, note] = parsed.request.credentials
  if (!ballot || !note) throw new Error('expected two credentials')
  const credentials = [
    { ...ballot, keyCounter: 1, validityAtSec: 1_800_000_001, randomBlindIds: ['url'] },
    { ...note, validityAtSec: 1_800_000_002 },
  ]
  const implicitDisclose = disclosure().request.disclose
  return { ...parsed, implicitDisclose, request: { ...parsed.request, credentials } }
}

const WRITTEN_CREDENTIALS =
  '"credentials":[{"validity":1799884800,"keyCounter":1,"credential":"svc-demo.uni.ballot",' +
  '"attributes":{"election":"\\u003ce\\u003e","url":"u"},"revocationSupported":true,"randomblindIDs":["url"]},' +
  '{"validity":1799884800,"credential":"svc-demo.fast.note","attributes":{"text":"x"}}]'

ToApp(
  'an issuance request ends with its credentials, without revocation keys and implicit disclosures',
  () => {
    assert.is(
      forApp(issuance({ disclose: [[[CITY]]], skipExpiryCheck: ['svc-demo.gov.address'] })),
      '{"@context":"https://svc.example/ld/request/issuance/v2","context":"AQ==","nonce":"l3cYkCyo6XBz5aIsRYKBQA==","protocolVersion":"2.8",' +
        `"disclose":[[["${CITY}"]]],"skipExpiryCheck":["svc-demo.gov.address"],${WRITTEN_CREDENTIALS}}`,
    )
  },
)

ToApp('the validity is rounded down to a week in profile svc, and as requested in profile irma (2.5)', () => {
  const validities = (version: string, profile: typeof svc): string[] =>
    forApp(issuance(), version, false, profile).match(/"validity":\d+/g) ?? []
  for (const version of ['2.4', '2.5', '2.8']) {
    assert.equal(validities(version, svc), ['"validity":1799884800', '"validity":1799884800'])
    assert.equal(validities(version, irma), ['"validity":1800000001', '"validity":1800000002'])
  }
})

ToApp('below version 2.5 the credentials come before disclose, which is sent even if empty', () => {
  const head =
    '{"context":"AQ==","nonce":"l3cYkCyo6XBz5aIsRYKBQA==","protocolVersion":"2.4","type":"issuing",'
  assert.is(
    forApp(issuance({ disclose: [[[CITY]]] }), '2.4'),
    `${head}${WRITTEN_CREDENTIALS},"disclose":[{"label":"city","attributes":["${CITY}"]}]}`,
  )
  assert.is(forApp(issuance(), '2.4'), `${head}${WRITTEN_CREDENTIALS},"disclose":[]}`)
})

ToApp('a signature request ends with its message, in the older form too', () => {
  const context = 'https://svc.example/ld/request/signature/v2'
  const signature = (members: object): ExtendedRequest =>
    parseSessionRequest({ '@context': context, message: 'I <agree>', ...members }, svc)
  const nonce = '"context":"AQ==","nonce":"l3cYkCyo6XBz5aIsRYKBQA=="'
  assert.is(
    forApp(signature({ disclose: [[[CITY]]], labels: { '0': { en: 'City' } } })),
    `{"@context":"${context}",${nonce},"protocolVersion":"2.8","disclose":[[["${CITY}"]]],"labels":{"0":{"en":"City"}},"message":"I \\u003cagree\\u003e"}`,
  )
  assert.is(
    forApp(signature({}), '2.4'),
    `{${nonce},"protocolVersion":"2.4","type":"signing","content":[],"message":"I \\u003cagree\\u003e"}`,
  )
})

ToApp('the answer to a submission is an object from version 2.7 on, and only the proof status below', () => {
  assert.is(
    writeJson(serverSessionResponse({ proofStatus: 'VALID' }, parseVersion('2.7'))),
    '{"proofStatus":"VALID"}',
  )
  assert.is(writeJson(serverSessionResponse({ proofStatus: 'EXPIRED' }, parseVersion('2.6'))), '"EXPIRED"')
})

ToApp.run()

const ToRequestor = suite('the session package')

const TOKENS = { clientToken: 'CT', requestorToken: 'RT', frontendToken: 'FT' }

ToRequestor('the session package has pointer, requestor token and frontend request, in this order', () => {
  assert.is(
    writeJson(sessionPackage(disclosure(), { ...TOKENS, url: 'https://example.com/', profile: svc })),
    '{"sessionPtr":{"u":"https://example.com/svc/session/CT","svcqr":"disclosing"},"token":"RT",' +
      '"frontendRequest":{"authorization":"FT","minProtocolVersion":"1.0","maxProtocolVersion":"1.1"}}',
  )
})

ToRequestor('the pointer joins URL, prefix and token; the host of the request replaces host and port', () => {
  const pointer = (url: string, host = ''): string =>
    writeJson(sessionPointer({ url, host, profile: irma, clientToken: 'CT', type: 'signing' }))
  assert.is(
    pointer('http://127.0.0.1:8188'),
    '{"u":"http://127.0.0.1:8188/irma/session/CT","irmaqr":"signing"}',
  )
  assert.match(pointer('https://example.com/base//'), '"https://example.com/base/irma/session/CT"')
  assert.match(
    pointer('https://example.com:8443/base', 'b.example'),
    '"https://b.example/base/irma/session/CT"',
  )
  assert.match(pointer('http://example.com', 'b.example:99'), '"http://b.example:99/irma/session/CT"')
})

ToRequestor(
  'pairing is advised for a required value, a follow-up session, signing and issuing (spec/decisions#d11)',
  () => {
    const hint = (request: ExtendedRequest): unknown =>
      sessionPackage(request, { ...TOKENS, url: 'https://x', profile: svc }).frontendRequest.pairingHint
    assert.is(hint(disclosure({ disclose: [[[{ type: OVER18, notNull: true }]]] })), undefined)
    assert.is(hint(disclosure({ disclose: [[[OVER18]], [[CITY], [{ type: CITY, value: '' }]]] })), true)
    assert.is(hint({ ...disclosure(), nextSession: { url: 'https://next' } }), true)
    const context = 'https://svc.example/ld/request/signature/v2'
    assert.is(hint(parseSessionRequest({ '@context': context, message: 'm' }, svc)), true)
  },
)

ToRequestor.run()
