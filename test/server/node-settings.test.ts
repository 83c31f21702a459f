/** Every check of the settings runs when a node's settings are read. Each case below has one mistake. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { readNodeSettings } from '../../server/settings/node-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { rejection } from '../faults/rejection.ts'
import { disclosure } from '../http/harness.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const Read = suite('settings of a node')

function read(values: Readonly<Record<string, unknown>>) {
  const file = { name: 'f', values: { schemes_path: DEMO_SCHEMES, store: 'memory', ...values } }
  const { options } = sessionServer.resolve({ flags: {}, variables: {}, file })
  return readNodeSettings({ options }, () => {})
}

const withSecret = mkdtempSync(join(temporaryFolder(), 'files'))
writeFileSync(join(withSecret, 'sk.pem'), '')
const shop = { auth_method: 'token', key: 'a-token' }
const callbackUrl = 'https://site.example/results'
const WRONG: readonly (readonly [
  what: string,
  values: Readonly<Record<string, unknown>>,
  message: RegExp,
])[] = [
  ['options that contradict each other', { requestors: { shop } }, /^SettingsError: no_auth: /],
  [
    'two requestors with one token',
    { no_auth: false, requestors: { shop, other: shop } },
    /^SettingsError: requestors\.other: expected a token of its own, got that of shop$/,
  ],
  [
    'a pattern that fits no scheme',
    { disclose_perms: ['svc-demo.gov.none.*'] },
    /^SettingsError: disclose_perms: /,
  ],
  [
    'a static session about an attribute that no scheme has',
    {
      static_sessions: {
        one: { callbackUrl, request: { ...disclosure(), disclose: [[['svc-demo.gov.idcard.none']]] } },
      },
    },
    /^SettingsError: static_sessions\.one: /,
  ],
  ['a private key among the static files', { static_path: withSecret }, /^SettingsError: static_path: /],
  [
    'revocation of a type that cannot be revoked',
    { store: 'sqlite:f.db', revocation_settings: { 'svc-demo.gov.idcard': { authority: true } } },
    /^SettingsError: revocation_settings\.svc-demo\.gov\.idcard: /,
  ],
  [
    'a folder of private keys that does not exist',
    { privkeys: '/nothing/here' },
    /^SettingsError: privkeys: /,
  ],
]

for (const [what, values, message] of WRONG)
  Read(`refused: ${what}`, async () => assert.match(await rejection(read(values)), message))

Read('risky options and missing settings of revocation have warnings', async () => {
  const { warnings } = await read({})
  assert.ok(warnings.some(warning => warning.startsWith('no_auth: ')))
  assert.ok(warnings.some(warning => warning.startsWith('revocation_settings: ')))
})

Read('the folder of privkeys is read: a key without an issuer in the schemes is refused', async () => {
  const keys = temporaryFolder()
  writeFileSync(join(keys, 'svc-demo.none.xml'), '<IssuerPrivateKey/>')
  assert.match(await rejection(read({ privkeys: keys })), /^SchemeError: .*svc-demo\.none\.xml/)
})
Read.run()
