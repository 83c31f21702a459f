import * as assert from 'uvu/assert'
import { PROFILES } from '../../protocol/profiles.ts'
import { suite } from '../suite.ts'

const Profiles = suite('profiles')

/** The table of profiles, typed by hand: value, svc, irma. */
const TABLE: readonly (readonly [string, unknown, unknown])[] = [
  ['name', 'svc', 'irma'],
  ['prefix', '/svc', '/irma'],
  ['pointerField', 'svcqr', 'irmaqr'],
  ['minVersionHeader', 'X-Svc-Minprotocolversion', 'X-IRMA-MinProtocolVersion'],
  ['maxVersionHeader', 'X-Svc-Maxprotocolversion', 'X-IRMA-MaxProtocolVersion'],
  ['keyshareUsernameHeader', 'X-Svc-Keyshare-Username', 'X-IRMA-Keyshare-Username'],
  ['contextBase', 'https://svc.example', 'https://irma.app'],
  ['timeoutBounds', 'open', 'initialized'],
  ['defaultTimeoutMs', 300_000, 900_000],
  ['authorizationFrom', null, '2.8'],
  ['innerConjunctionRule', 'one-type-with-several', 'one-non-singleton'],
  ['severalKeyshareSchemes', 'refused', 'served'],
  ['minProtocolVersion', '2.4', '2.8'],
  ['resultError', 'string', 'object'],
  ['disclosureResultSubject', 'verification_result', 'disclosing_result'],
  ['missingPairingMethod', 'none', 'unchanged'],
  ['callbacksWithoutKey', 'unsigned', 'unsupported'],
  ['legacyResult', 'legacy', 'modern'],
  ['finishedStream', 'no-content', 'unexpected-request'],
  ['optionsWithoutPairing', 'left-out', 'sent'],
  ['chainedStatus', 'DONE', 'CONNECTED'],
  ['comparedHost', 'name', 'name-and-port'],
  ['sentValidity', 'whole-weeks', 'as-requested'],
  ['strayOptions', 'refused', 'ignored'],
  ['errorDescriptions', 'exact', 'by-type'],
  ['head', 'everywhere', 'beside-sessions'],
  ['unreadBody', 'own-status', 'bad-request'],
  ['unknownPath', 'described', 'bare'],
]

Profiles('each profile has exactly the values of its column in the table', () => {
  assert.equal(PROFILES.svc, Object.fromEntries(TABLE.map(([name, svc]) => [name, svc])))
  assert.equal(PROFILES.irma, Object.fromEntries(TABLE.map(([name, , irma]) => [name, irma])))
})

Profiles.run()
