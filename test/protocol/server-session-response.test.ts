/** The answer to a submission (spec/interface#2.9, spec/session-server#7.3), written like existing servers, and read like a wallet. @module */
import * as assert from 'uvu/assert'
import { type JsonValue, readJson, writeJson } from '../../protocol/json.ts'
import {
  issuedCredential,
  readIssuedCredentials,
  readProofStatus,
  serverSessionResponse,
} from '../../protocol/server-session-response.ts'
import { isObject, ShapeError } from '../../protocol/shape.ts'
import { parseVersion } from '../../protocol/versions.ts'
import { suite } from '../suite.ts'
import { bodyText, recordedPosts } from './recorded.ts'

const Response = suite('the server session response')

const NAMES = ['issuance-two-credentials', 'issuance-randomblind', 'combined-two-and-two']
const OLD = ['2.5', '2.6'].map(version => `version-${version}-issuance`)

function answers(names: readonly string[]): string[] {
  return recordedPosts(names, '/commitments').flatMap(({ response }) =>
    response ? [bodyText(response)] : [],
  )
}

function sigsOf(json: JsonValue, count: number): object[] {
  return readIssuedCredentials(json, count).map(issuedCredential)
}

Response('every recorded answer with signatures is read and written again to the byte', () => {
  for (const text of answers(NAMES)) {
    const json = readJson(text)
    const { sigs } = Object(json)
    assert.ok(isObject(json) && sigs.length > 0)
    const written = serverSessionResponse(
      { proofStatus: readProofStatus(json.proofStatus), sigs: sigsOf(sigs, sigs.length) },
      parseVersion('2.7'),
    )
    assert.is(writeJson(written), text)
  }
})

Response('below version 2.7 the answer is the list of signatures, or only the proof status', () => {
  for (const text of answers(OLD)) {
    const sigs = sigsOf(readJson(text), 1)
    assert.is(writeJson(serverSessionResponse({ proofStatus: 'VALID', sigs }, parseVersion('2.6'))), text)
  }
  assert.is(serverSessionResponse({ proofStatus: 'EXPIRED' }, parseVersion('2.5')), 'EXPIRED')
})

Response('the pointer to a next session is the last member', () => {
  const nextSession = { u: 'http://x/svc/session/t', svcqr: 'issuing' } as const
  assert.is(
    writeJson(serverSessionResponse({ proofStatus: 'VALID', nextSession, sigs: [] }, parseVersion('2.7'))),
    '{"proofStatus":"VALID","sigs":[],"nextSession":{"u":"http://x/svc/session/t","svcqr":"issuing"}}',
  )
})

Response('a wallet accepts exactly as many signatures as it requested', () => {
  const [sig] = sigsOf(readJson(answers(OLD)[0] ?? ''), 1)
  const json = readJson(writeJson(sig))
  const refused = (sigs: JsonValue, message: RegExp): void =>
    assert.throws(
      () => readIssuedCredentials(sigs, 1),
      (error: Error) => error instanceof ShapeError && message.test(error.message),
    )
  refused([], /^sigs: expected 1, got 0/)
  refused([json, json], /^sigs: expected 1, got 2/)
  refused([{}], /^sigs\[0\]\.signature: expected an object, got nothing/)
  refused([{ ...Object(json), proof: null }], /^sigs\[0\]\.proof: expected an object, got null/)
  refused([{ ...Object(json), m_issuer: { '03': 'AQ==' } }], /m_issuer: expected attribute indices/)
  assert.throws(() => readProofStatus('valid'), /expected a word in capitals/)
})

Response.run()
