/** Messages between a frontend and the server (spec/interface#2.10, #4.4). The messages of the server are compared byte for byte. @module */
import * as assert from 'uvu/assert'
import { MalformedInputError, UnexpectedRequestError } from '../../protocol/errors.ts'
import { frontendStatus, parseFrontendOptions, sessionOptions } from '../../protocol/frontend-messages.ts'
import { writeJson } from '../../protocol/json.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { suite } from '../suite.ts'

const { svc, irma } = PROFILES

const Frontend = suite('messages of the frontend')
const CONTEXT = 'https://svc.example/ld/request/frontendoptions/v1'

function options(body: object, profile = svc): string {
  return parseFrontendOptions(JSON.stringify(body), profile)
}

Frontend('options name a pairing method; without one the profile decides', () => {
  assert.is(options({ '@context': CONTEXT, pairingMethod: 'pin', other: 1 }), 'pin')
  assert.is(options({ '@context': CONTEXT, pairingMethod: 'none' }), 'none')
  const context = 'https://irma.app/ld/request/frontendoptions/v1'
  for (const method of [{}, { pairingMethod: '' }, { pairingMethod: null }]) {
    assert.is(options({ '@context': CONTEXT, ...method }), 'none')
    assert.is(options({ '@context': context, ...method }, irma), 'unchanged')
  }
})

Frontend('a body that is no options request is malformed', () => {
  const texts = [
    '',
    '{',
    '[]',
    'null',
    '{}',
    '{"pairingMethod":"pin"}',
    `{"@context":"${CONTEXT}","pairingMethod":5}`,
  ]
  for (const text of [...texts, '{"@context":"https://svc.example/ld/options/v1","pairingMethod":"pin"}'])
    assert.throws(
      () => parseFrontendOptions(text, svc),
      (error: Error) => error instanceof MalformedInputError && /expected/.test(error.message),
      text,
    )
})

Frontend('options have at most 64 values, those of unknown members included', () => {
  const withOthers = (count: number) => ({
    '@context': CONTEXT,
    pairingMethod: 'pin',
    others: Array(count).fill(0),
  })
  assert.is(options(withOthers(60)), 'pin')
  assert.throws(
    () => options(withOthers(61)),
    (error: Error) =>
      error instanceof MalformedInputError && error.message === 'JSON: expected at most 64 values, got more',
  )
})

Frontend('an unknown pairing method is an unexpected request', () => {
  for (const pairingMethod of ['smoke', 'PIN', 'toString'])
    assert.throws(
      () => options({ '@context': CONTEXT, pairingMethod }),
      (error: Error) =>
        error instanceof UnexpectedRequestError && /^Pairing method unknown/.test(error.message),
    )
})

Frontend('options and status have their members in the order of the wire', () => {
  assert.is(
    writeJson(sessionOptions('https://b', '0042')),
    '{"@context":"https://b/ld/options/v1","pairingMethod":"pin","pairingCode":"0042"}',
  )
  assert.is(
    writeJson(sessionOptions('https://b', null)),
    '{"@context":"https://b/ld/options/v1","pairingMethod":"none"}',
  )
  assert.is(writeJson(frontendStatus('PAIRING')), '{"status":"PAIRING"}')
  assert.is(
    writeJson(frontendStatus('DONE', { u: 'https://x/svc/session/y', svcqr: 'disclosing' })),
    '{"status":"DONE","nextSession":{"u":"https://x/svc/session/y","svcqr":"disclosing"}}',
  )
})

Frontend.run()
