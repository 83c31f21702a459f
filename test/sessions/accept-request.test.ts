/** The order of the checks that accept or refuse a session request (spec/session-server#6.1). @module */
import { generateKeyPairSync } from 'node:crypto'
import * as assert from 'uvu/assert'
import {
  InvalidRequestError,
  type RemoteError,
  UnauthorizedError,
  UnsupportedError,
} from '../../protocol/errors.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequest } from '../../protocol/request.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { type AcceptSettings, acceptFacts } from '../../sessions/accept-facts.ts'
import { type AcceptFacts, acceptRequest } from '../../sessions/accept-request.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { settingsOfTest } from '../server/node-of-test.ts'
import { suite } from '../suite.ts'
import { acceptFactsOfTest } from './facts-of-test.ts'

const schemes = await loadSchemes(DEMO_SCHEMES)
const profile = PROFILES.svc
const NOTHING = { disclosePerms: [], signPerms: [], issuePerms: [], revokePerms: [], hostPerms: [] }
const SHOP = { name: 'shop', ...NOTHING, disclosePerms: ['svc-demo.*'], issuePerms: ['svc-demo.fast.*'] }
const FACTS: AcceptFacts = acceptFactsOfTest({
  profile,
  globals: NOTHING,
  mayPostResults: true,
  nowSec: 1_800_000_000,
})

function accept(type: 'disclosure' | 'issuance', members: object, options: object = {}, facts = FACTS) {
  const context = `${profile.contextBase}/ld/request/${type}/v2`
  const json: JsonValue = { ...options, request: { '@context': context, ...members } }
  return acceptRequest(parseSessionRequest(json, profile), SHOP, { ...facts, schemes })
}

function refused(kind: new () => RemoteError, message: RegExp, run: () => unknown): void {
  assert.throws(run, (error: Error) => error instanceof kind && message.test(error.message), `${message}`)
}

const UNKNOWN = { disclose: [[['svc-demo.gov.idcard.nope']]] }
const OTHER = { disclose: [[['svc-keyshare.keyshare.mail.address']]] }
const OVER18 = { disclose: [[['svc-demo.gov.idcard.over18']]] }

const Accept = suite('accepting a session request')

Accept('permissions are checked first', () => {
  const options = { callbackUrl: 'https://x', nextSession: { url: '' } }
  refused(UnauthorizedError, /^svc-keyshare/, () => accept('disclosure', OTHER, options))
})

Accept('next are an empty nextSession URL, the right to post results, and the schemes, in this order', () => {
  const facts = { ...FACTS, mayPostResults: false }
  const both = { callbackUrl: 'https://x', nextSession: { url: '' } }
  refused(InvalidRequestError, /^nextSession provided with empty URL/, () =>
    accept('disclosure', UNKNOWN, both, facts),
  )
  refused(UnsupportedError, /^callbackUrl: expected none/, () =>
    accept('disclosure', UNKNOWN, { callbackUrl: 'https://x' }, facts),
  )
  refused(UnsupportedError, /^nextSession: expected none/, () =>
    accept('disclosure', UNKNOWN, { nextSession: { url: 'https://x' } }, facts),
  )
  refused(InvalidRequestError, /^Unknown identifiers/, () =>
    accept('disclosure', UNKNOWN, { callbackUrl: 'https://x' }),
  )
})

const NO_ADDRESSES = [
  'shop.example/done',
  '/done',
  'ftp://a.example',
  'javascript:0',
  'http://',
  'https://me:pw@a.example',
]

for (const url of NO_ADDRESSES)
  Accept(`an invalid address is refused before the right to post results is checked: ${url}`, () => {
    for (const [options, name] of [
      [{ callbackUrl: url }, 'callbackUrl'],
      [{ nextSession: { url } }, 'nextSession.url'],
    ] as const)
      for (const mayPostResults of [true, false])
        assert.throws(
          () => accept('disclosure', OVER18, options, { ...FACTS, mayPostResults }),
          (error: Error) =>
            error instanceof InvalidRequestError &&
            error.message ===
              `${name}: expected an http or https address without a user name, got another text`,
        )
  })

for (const port of [0, 25, 6000, 6669, 10080])
  Accept(`a port that HTTP clients block is refused: ${port}`, () => {
    for (const [options, name] of [
      [{ callbackUrl: `https://x.example:${port}/secret` }, 'callbackUrl'],
      [{ nextSession: { url: `http://x.example:${port}/secret` } }, 'nextSession.url'],
    ] as const)
      refused(
        InvalidRequestError,
        new RegExp(
          `^${name}: expected a port that HTTP clients call, got one that belongs to another protocol`,
        ),
        () => accept('disclosure', OVER18, options),
      )
    assert.is(
      accept('disclosure', OVER18, { callbackUrl: `https://x.example:${port + 2}/` }).nextSession,
      null,
    )
  })

Accept('a chain and a callback are accepted if results may be posted', () => {
  const options = { callbackUrl: 'https://x', nextSession: { url: 'https://y' } }
  const { nextSession, callbackUrl } = accept('disclosure', OVER18, options)
  assert.equal([nextSession, callbackUrl], [{ url: 'https://y' }, 'https://x'])
})

Accept('results may be posted with a key that signs them, or with allow_unsigned_callbacks', () => {
  const settings = settingsOfTest({ url: 'https://x.example', allowUnsignedCallbacks: false })
  const parts = { schemes, clock: { wallNow: () => 0 }, revocation: { canIssue: () => false } }
  const mayPost = (given: Partial<AcceptSettings>): boolean =>
    acceptFacts({ ...parts, settings: { ...settings, ...given } }, profile).mayPostResults
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const resultSigner = { issuer: '', privateKey, publicKeyPem: '' }
  assert.equal([{}, { resultSigner }, { allowUnsignedCallbacks: true }].map(mayPost), [false, true, true])
})

Accept('an accepted request is prepared', () => {
  const credentials = [{ credential: 'svc-demo.fast.note', attributes: { text: 'x' } }]
  const { request } = accept('issuance', { ...OVER18, credentials })
  assert.ok(request.type === 'issuing' && request.credentials[0]?.validityAtSec)
})

Accept.run()
