/** The option static_sessions (spec/session-server#16, #20.1): values with which a server refuses to start. @module */
import * as assert from 'uvu/assert'
import type { ServerSettings } from '../../http/settings.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { toServerSettings } from '../../server/settings/server-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { checkStaticSessions } from '../../server/settings/static-sessions.ts'
import { disclosure } from '../http/harness.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { refused as refusedSettings } from './refused.ts'

const Static = suite('settings: static sessions')
const schemes = await loadSchemes(DEMO_SCHEMES)
const callbackUrl = 'https://site.example/results'
const request = disclosure()
const ISSUANCE = {
  '@context': 'https://svc.example/ld/request/issuance/v2',
  credentials: [{ credential: 'svc-demo.fast.note', attributes: { text: 'a' } }],
}

function settings(static_sessions: unknown, others: object = {}): ServerSettings {
  const values = { static_sessions, ...others }
  const { options } = sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'f', values } })
  const told = toServerSettings(options, '192.0.2.1')
  checkStaticSessions(told, schemes)
  return told
}

function refused(static_sessions: unknown, message: RegExp, others: object = {}): void {
  refusedSettings(() => settings(static_sessions, others), message)
}

Static('accepted: a name and an extended request, with a callback or a next session', () => {
  const nextSession = { url: callbackUrl }
  const told = settings({ over18: { callbackUrl, request }, a_B_9: { nextSession, request } })
  assert.equal([...told.staticSessions.keys()], ['over18', 'a_B_9'])
  assert.is(told.staticSessions.get('over18')?.callbackUrl, callbackUrl)
  assert.is(settings(undefined).staticSessions.size, 0)
})

Static('accepted: a legacy request, and a signature request', () => {
  const content = [{ label: 'Age', attributes: ['svc-demo.gov.idcard.over18'] }]
  const told = settings({
    old: { callbackUrl, request: { type: 'disclosing', content } },
    sign: { callbackUrl, request: { type: 'signing', content, message: 'I agree' } },
  })
  assert.is(told.staticSessions.get('old')?.isLegacy, true)
  assert.is(told.staticSessions.get('sign')?.request.type, 'signing')
})

Static('names are letters, digits and underscores', () => {
  for (const name of ['', 'a-b', 'a/b', 'a b', 'é', 'a.b'])
    refused({ [name]: { callbackUrl, request } }, /^static_sessions: expected names of letters, digits/)
})

Static('a value that is no extended request is refused, and not quoted', () => {
  for (const wrong of [null, 'secret', [], { callbackUrl }, { callbackUrl, request: {} }, { request: 5 }])
    refused({ over18: wrong }, /^static_sessions\.over18: (?!.*secret)/)
  refused('secret', /^static_sessions in f: expected an object.*, got text that is not shown$/)
})

Static('only disclosures and signatures are accepted', () => {
  refused(
    { note: { callbackUrl, request: ISSUANCE } },
    /^static_sessions\.note: expected a disclosure or signature request, got one for issuance$/,
  )
})

Static('the request must have a valid callbackUrl or nextSession', () => {
  refused({ over18: { request } }, /over18: expected a callbackUrl or a nextSession, .*, got neither$/)
  refused({ over18: request }, /got neither$/)
  refused({ over18: { callbackUrl: 'site.example', request } }, /over18: callbackUrl: expected an http or/)
  refused({ over18: { nextSession: { url: 'ftp://a' }, request } }, /nextSession\.url: expected an http or/)
  refused(
    { over18: { callbackUrl, nextSession: { url: '' }, request } },
    /nextSession provided with empty URL/,
  )
})

Static('in profile irma, a callback needs a JWT key or allow_unsigned_callbacks', () => {
  const contextBase = 'https://irma.app'
  const over18 = { callbackUrl, request: disclosure(contextBase) }
  refused({ over18 }, /^static_sessions\.over18: callbackUrl: .* no JWT key/, { profile: 'irma' })
  settings({ over18 }, { profile: 'irma', allow_unsigned_callbacks: true })
})

Static('an identifier that no scheme has is refused when the server starts', () => {
  const unknown = { ...request, disclose: [[['svc-demo.gov.idcard.none']]] }
  refused(
    { over18: { callbackUrl, request: unknown } },
    /over18: Unknown identifiers: svc-demo\.gov\.idcard\.none/,
  )
  const augmented = { ...request, clientReturnUrl: 'https://a.example', augmentReturnUrl: true }
  refused({ over18: { callbackUrl, request: augmented } }, /augmenting client return url not enabled/)
})

Static('a return URL that runs code is refused when the server starts', () => {
  const hostile = { ...request, clientReturnUrl: 'javascript:alert(1)' }
  refused({ over18: { callbackUrl, request: hostile } }, /^static_sessions\.over18: clientReturnUrl: /)
})

Static('a return URL over max_client_return_url is refused when the server starts', () => {
  const over18 = { callbackUrl, request: { ...request, clientReturnUrl: 'https://a.example' } }
  settings({ over18 }, { max_client_return_url: 17 })
  refused(
    { over18 },
    /^static_sessions\.over18: clientReturnUrl: expected at most 16 characters .*, got 17$/,
    {
      max_client_return_url: 16,
    },
  )
})

Static.run()
