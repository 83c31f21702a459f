/** `svc meta` (spec/schemes-and-cli#16.8). */
import * as assert from 'uvu/assert'
import { timeInZone } from '../../cli/meta/time-in-zone.ts'
import { encodeMetadata } from '../../crypto/metadata.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { runSvc } from './run-svc.ts'

const Meta = suite('svc meta')

const RECORDED = 'AwALmQAaAADGbIGgawx0j0RW2BZZk/fR'
const NUMBER = '73564125160503720290877140611773035297727563585239119825'
const UTC = { TZ: 'UTC' }
const SCHEMES = ['--schemes-path', DEMO_SCHEMES]

const lines = (isValid: boolean): string => `Identifier      : svc-keyshare.keyshare.mail
Signed          : 2026-11-26 00:00:00 +0000 UTC
Expires         : 2027-05-27 00:00:00 +0000 UTC
IsValid         : ${isValid}
Version         : 3
KeyCounter      : 0
KeyExpires      : 2046-01-01 00:00:00 +0000 UTC
KeyModulusBitlen: 2048

CredentialType  : {
`

for (const [form, text] of [
  ['Base64', RECORDED],
  ['a decimal number', NUMBER],
] as const)
  Meta(`shows the recorded attribute, given as ${form}, in the recorded lines`, async () => {
    const { code, stdout, stderr } = await runSvc(['meta', text, ...SCHEMES], UTC)
    assert.equal([code, stderr], [0, ''])
    const head = stdout.slice(0, stdout.indexOf('{') + 2)
    assert.ok([lines(true), lines(false)].includes(head), head)
    const type = JSON.parse(stdout.slice(stdout.indexOf('{')))
    assert.equal(Object.keys(type).slice(0, 5), ['ID', 'Name', 'IssuerID', 'SchemeManagerID', 'IsSingleton'])
    assert.equal([type.ID, type.IssuerID, type.SchemeManagerID], ['mail', 'keyshare', 'svc-keyshare'])
    assert.match(stdout, /\n {2}"ID": "mail",\n/)
  })

const CREDENTIAL = 'svc-keyshare.keyshare.mail'

for (const [expiresAtSec, isValid] of [
  [4_000_000_000, true],
  [1_700_000_000, false],
] as const)
  Meta(`an attribute that expires at ${expiresAtSec} is ${isValid ? '' : 'not '}valid`, async () => {
    const about = {
      issuedAtSec: expiresAtSec - 10_000_000,
      expiresAtSec,
      keyCounter: 7,
      credentialType: CREDENTIAL,
    }
    const { stdout } = await runSvc(['meta', String(encodeMetadata(about)), '-i', DEMO_SCHEMES], UTC)
    assert.match(stdout, `\nIsValid         : ${isValid}\n`)
    assert.match(stdout, '\nKeyCounter      : 7\n\nCredentialType  : {\n', 'there is no such key')
  })

Meta('any number is shown, with the hash of the type that the schemes lack', async () => {
  const { code, stdout } = await runSvc(['meta', '5', ...SCHEMES, '--irmaconf-assets', '/nowhere'], UTC)
  assert.is(code, 0)
  assert.is(
    stdout,
    `Unknown credential type, hash: AAAAAAAAAAAAAAAAAAAABQ==
Signed          : 1970-01-01 00:00:00 +0000 UTC
Expires         : 1970-01-01 00:00:00 +0000 UTC
IsValid         : false
Version         : 0

CredentialType  : null
`,
  )
})

Meta('--json has the same facts, in one line', async () => {
  const { stdout } = await runSvc(['meta', RECORDED, ...SCHEMES, '--json'])
  assert.is(stdout.split('\n').length, 2)
  const { isValid, ...facts } = JSON.parse(stdout)
  assert.type(isValid, 'boolean')
  assert.equal(facts, {
    credentialType: CREDENTIAL,
    hash: 'c66c81a06b0c748f4456d8165993f7d1',
    signedAtSec: 1_795_651_200,
    expiresAtSec: 1_811_376_000,
    version: 3,
    keyCounter: 0,
    keyExpiresAtSec: 2_398_377_600,
    keyBits: 2048,
  })
  const other = await runSvc(['meta', '5', ...SCHEMES, '--json'])
  assert.equal(JSON.parse(other.stdout).credentialType, null)
})

Meta(
  'a text in neither form is wrong usage, and a number that is too long is a failure, each in one line',
  async () => {
    for (const text of ['0x5', 'AAA', 'A-__', '', '12a=='])
      assert.equal((await runSvc(['meta', text, ...SCHEMES])).code, 255, text)
    const { stderr } = await runSvc(['meta', 'AAA', ...SCHEMES])
    assert.match(stderr, 'Error: ATTRIBUTE: expected a decimal number, or Base64, got "AAA"\n')
    const long = await runSvc(['meta', `${10n ** 60n}`, ...SCHEMES])
    assert.equal(
      [long.code, long.stderr],
      [1, 'svc: metadata attribute: expected at most 24 bytes, got 25\n'],
    )
    const none = await runSvc(['meta', '5', '--schemes-path', '/nowhere'])
    assert.equal([none.code, none.stdout], [1, ''])
  },
)

Meta('times are in the zone of the machine, with its abbreviation, or its offset', () => {
  const summer = 1_782_864_000
  assert.is(timeInZone(summer, 'UTC'), '2026-07-01 00:00:00 +0000 UTC')
  assert.is(timeInZone(summer, 'Europe/Amsterdam'), '2026-07-01 02:00:00 +0200 CEST')
  assert.is(timeInZone(summer, 'America/New_York'), '2026-06-30 20:00:00 -0400 EDT')
  assert.is(timeInZone(summer, 'Asia/Kathmandu'), '2026-07-01 05:45:00 +0545 +0545')
  assert.is(timeInZone(summer, 'America/Sao_Paulo'), '2026-06-30 21:00:00 -0300 -03')
})

Meta.run()
