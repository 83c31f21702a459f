/** Versions of the session protocol (spec/interface#9). @module */
import * as assert from 'uvu/assert'
import { MalformedInputError, ProtocolVersionError } from '../../protocol/errors.ts'
import { parseAttributeTypeId } from '../../protocol/ids.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequest } from '../../protocol/request.ts'
import { serverVersions } from '../../protocol/server-versions.ts'
import {
  compareVersions,
  formatVersion,
  negotiate,
  parseVersion,
  parseVersionHeaders,
  type VersionRange,
} from '../../protocol/versions.ts'
import { suite } from '../suite.ts'
import { disclosure } from './requests.ts'

const Versions = suite('protocol versions')

function range(min: string, max: string): VersionRange {
  return [parseVersion(min), parseVersion(max)]
}

Versions('a version is <major>.<minor>, in quotes or not, white space around it', () => {
  for (const text of ['2.8', '"2.8"', ' 2.8 ', '\t"2.8"'])
    assert.equal(parseVersion(text), { major: 2, minor: 8 })
  assert.is(formatVersion(parseVersion('2.10')), '2.10')
})

Versions('anything else is malformed', () => {
  const texts = [
    '',
    '2',
    '2.8.1',
    'v2.8',
    '2.x',
    '-2.8',
    '2.-8',
    '"2.8',
    '2.8"',
    '2,8',
    '2 .8',
    '1e1.0',
    '9999999999.0',
  ]
  for (const text of texts) {
    assert.throws(
      () => parseVersion(text),
      (error: Error) =>
        error instanceof MalformedInputError && /expected <major>\.<minor>/.test(error.message),
      text,
    )
  }
})

Versions('a missing header is malformed, and the header of the minimum is checked first', () => {
  assert.throws(
    () => parseVersionHeaders(undefined, 'x'),
    /minimum protocol version: expected a header, got none/,
  )
  assert.throws(() => parseVersionHeaders('2.4', undefined), /maximum protocol version/)
  assert.equal(parseVersionHeaders('2.4', '"2.9"'), range('2.4', '2.9'))
})

Versions('versions are compared as numbers', () => {
  assert.ok(compareVersions(parseVersion('2.10'), parseVersion('2.9')) > 0)
  assert.ok(compareVersions(parseVersion('3.0'), parseVersion('2.99')) > 0)
  assert.is(compareVersions(parseVersion('2.8'), parseVersion('2.8')), 0)
})

Versions('the highest version of both sides is chosen', () => {
  const cases = [
    ['2.4', '2.9', '2.8', '2.8', '2.8'],
    ['2.4', '2.9', '2.4', '2.8', '2.8'],
    ['2.4', '2.7', '2.4', '2.8', '2.7'],
    ['2.8', '2.8', '2.4', '2.8', '2.8'],
    ['1.0', '2.4', '2.4', '2.8', '2.4'],
  ]
  for (const [min = '', max = '', serverMin = '', serverMax = '', chosen] of cases)
    assert.is(
      formatVersion(negotiate({ client: range(min, max), server: range(serverMin, serverMax) })),
      chosen,
    )
})

Versions('no version in common is an error without a message, an empty range of the client too', () => {
  for (const [min = '', max = ''] of [
    ['2.9', '2.9'],
    ['3.0', '4.0'],
    ['2.4', '2.7'],
    ['2.9', '2.8'],
    ['2.8', '2.4'],
  ])
    assert.throws(
      () => negotiate({ client: range(min, max), server: range('2.8', '2.8') }),
      (error: Error) => error instanceof ProtocolVersionError && error.message === '',
    )
})

Versions('the features of a session raise the lowest version that can serve it', () => {
  const over18 = 'svc-demo.gov.idcard.over18'
  const floorOf = (body: object, isPairing = false, floor = '2.4'): string => {
    const request = { '@context': 'https://svc.example/ld/request/disclosure/v2', ...body }
    const extended = parseSessionRequest(
      { request, ...('nextSession' in body && { nextSession: { url: 'https://x' } }) },
      PROFILES.svc,
    )
    const [min, max] = serverVersions(extended, { floor: parseVersion(floor), isPairing })
    assert.is(formatVersion(max), '2.8')
    return formatVersion(min)
  }
  assert.is(floorOf({ disclose: [[[over18], ['svc-demo.gov.idcard']]] }), '2.4')
  assert.is(floorOf({ disclose: [[[over18, 'svc-demo.gov.idcard.initials']]] }), '2.5')
  assert.is(floorOf({ disclose: [[[over18], []]] }), '2.5')
  const asked = (value: string) => [{ type: over18, value }]
  assert.is(floorOf({ disclose: [[asked('yes')], [asked('no')]] }), '2.4')
  assert.is(floorOf({ disclose: [[asked('yes'), asked('no')]] }), '2.5')
  assert.is(floorOf({ disclose: [[[over18]]], revocation: ['svc-demo.gov.permit'] }), '2.6')
  const badge = { credential: 'svc-demo.fast.badge', attributes: { level: '1' } }
  const issuance = 'https://svc.example/ld/request/issuance/v2'
  assert.is(floorOf({ '@context': issuance, credentials: [badge] }), '2.4')
  const revocable = { ...badge, revocationKey: 'k' }
  assert.is(floorOf({ '@context': issuance, credentials: [badge, revocable] }), '2.6')
  assert.is(floorOf({ disclose: [[[over18]]], nextSession: null }), '2.7')
  const next = {
    ...parseSessionRequest(disclosure({}), PROFILES.svc),
    implicitDisclose: [[[{ type: parseAttributeTypeId(over18), value: 'yes', notNull: false }]]],
  }
  const [min] = serverVersions(next, { floor: parseVersion('2.4'), isPairing: false })
  assert.is(formatVersion(min), '2.7')
  assert.is(floorOf({ disclose: [[[over18]]] }, true), '2.8')
  assert.is(floorOf({ disclose: [[[over18]]] }, false, '2.8'), '2.8')
})

Versions.run()
