/** Settings with which a keyshare server refuses to start. Each case has one mistake. The message gives the option, the expected value and the value received. */
import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { storageKeyFile } from '../../../accounts/storage-keys.ts'
import { rejection } from '../../faults/rejection.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { keyFile, NEEDED, readSettings } from './node.ts'

const folder = mkdtempSync(join(temporaryFolder(), 'keys'))
const inFolder = (name: string): string => join(folder, name)

function fileWith(name: string, content: string | Uint8Array): string {
  writeFileSync(inFolder(name), content)
  return inFolder(name)
}

const key = (number: number, fill: number): Uint8Array =>
  storageKeyFile(number, new Uint8Array(32).fill(fill))
const primary = fileWith('primary.aes', key(7, 1))
const short = fileWith('short.aes', new Uint8Array(35))
const { privateKey: another } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const anotherPem = String(another.export({ type: 'pkcs8', format: 'pem' }))
const TYPE = 'svc-keyshare.keyshare'

/** A folder of older keys. */
function olderKeys(name: string, files: Readonly<Record<string, Uint8Array>>): string {
  mkdirSync(inFolder(name))
  for (const [file, content] of Object.entries(files)) fileWith(join(name, file), content)
  return inFolder(name)
}

type Case = readonly [what: string, values: Readonly<Record<string, unknown>>, message: string]

const WRONG: readonly Case[] = [
  [
    'no attribute of the login credential',
    { keyshare_attribute: '' },
    'keyshare_attribute: expected the attribute that holds the user name, as KeyshareAttribute of the scheme, got none',
  ],
  [
    'an attribute that no scheme has',
    { keyshare_attribute: `${TYPE}.keyshare.usernam` },
    `keyshare_attribute: expected an attribute that the schemes hold, got "${TYPE}.keyshare.usernam"; the nearest is "${TYPE}.keyshare.username"`,
  ],
  [
    'the attribute for revocation, which has no name',
    { keyshare_attribute: 'svc-demo.fast.badge.' },
    'keyshare_attribute: expected an attribute that the schemes hold, got "svc-demo.fast.badge."; the nearest is "svc-demo.fast.badge.level"',
  ],
  [
    'another attribute than the KeyshareAttribute of its scheme',
    { keyshare_attribute: `${TYPE}.mail.address` },
    `keyshare_attribute: expected ${TYPE}.keyshare.username, because wallet apps read KeyshareAttribute of scheme svc-keyshare, got ${TYPE}.mail.address`,
  ],
  [
    'an attribute of a scheme without a keyshare server',
    { keyshare_attribute: 'svc-demo.fast.note.text' },
    'keyshare_attribute: expected a scheme with a KeyshareAttribute, because wallet apps read KeyshareAttribute of scheme svc-demo, got svc-demo.fast.note.text',
  ],
  [
    'no storage key',
    { storage_primary_key_file: '' },
    'storage_primary_key_file: expected the file of a storage key, got none; svc keyshare keygen storage makes one',
  ],
  [
    'a storage key that is not there',
    { storage_primary_key_file: inFolder('none') },
    `storage_primary_key_file: expected an existing file, got ${inFolder('none')}`,
  ],
  [
    'a storage key of another length',
    { storage_primary_key_file: short },
    `storage_primary_key_file ${short}: storage key file: expected 36 bytes, got 35`,
  ],
  [
    'a folder of older keys that is not there',
    { storage_fallback_keys_dir: inFolder('none') },
    `storage_fallback_keys_dir: expected an existing directory, got ${inFolder('none')}`,
  ],
  [
    'an older key of another length',
    { storage_fallback_keys_dir: olderKeys('with-short', { 'a.key': new Uint8Array(37) }) },
    `storage_fallback_keys_dir ${inFolder('with-short/a.key')}: storage key file: expected 36 bytes, got 37`,
  ],
  [
    'two storage keys with one number',
    {
      storage_primary_key_file: primary,
      storage_fallback_keys_dir: olderKeys('same-number', { 'a.key': key(7, 2) }),
    },
    'storage_primary_key_file and storage_fallback_keys_dir: storage keys: expected another number for each key, got two keys with number 7: make a new key with another number (svc keyshare keygen storage --counter)',
  ],
  [
    'a proxy given by name',
    { trusted_proxies: ['10.0.0.0/8', 'proxy.example'] },
    'trusted_proxies: expected an address or a network such as 10.1.0.0/16, got "proxy.example"',
  ],
  [
    'no signing key',
    { jwt_privkey_file: '' },
    'jwt_privkey: expected an RSA private key, here or in "jwt_privkey_file", got none; svc keyshare keygen jwt makes one',
  ],
  [
    'a signing key in the settings and in a file',
    { jwt_privkey: anotherPem },
    'jwt_privkey: expected either jwt_privkey or jwt_privkey_file, got both',
  ],
  [
    'a signing key that is no RSA key',
    { jwt_privkey_file: short },
    `jwt_privkey_file ${short}: expected an unencrypted RSA private key in PEM, got something else`,
  ],
  [
    'a key number that the scheme does not have',
    { jwt_privkey_id: 7 },
    'jwt_privkey_id: expected a number N for which scheme svc-keyshare has kss-N.pem, got 7',
  ],
  [
    'the private key of another key number',
    { jwt_privkey_id: 1 },
    `jwt_privkey_file ${NEEDED.jwt_privkey_file}: expected the private key of kss-1.pem in scheme svc-keyshare, got another; "jwt_privkey_id" says which number N is meant`,
  ],
  [
    'a private key of no key in the scheme',
    { jwt_privkey_file: '', jwt_privkey: anotherPem },
    'jwt_privkey: expected the private key of kss-0.pem in scheme svc-keyshare, got another; "jwt_privkey_id" says which number N is meant',
  ],
  [
    'a token that expires before apps use it',
    { jwt_pin_expiry: 60 },
    'jwt_pin_expiry in f: expected an integer from 61 to 604800, got 60',
  ],
  [
    'accounts in memory, in production',
    { production: true, url: 'https://a.example', store: 'memory' },
    'store: expected a store that keeps accounts, because of "production", got "memory"',
  ],
  [
    'no address, in production',
    { production: true },
    'url: expected the address at which wallet apps reach this server, got none',
  ],
  [
    'plain HTTP, in production',
    { production: true, url: 'http://a.example' },
    'url: expected an https address in production, or "no_tls", got "http://a.example"',
  ],
  [
    'a folder of private keys that does not exist',
    { privkeys: inFolder('none') },
    `privkeys: expected an existing directory, got ${inFolder('none')}`,
  ],
  [
    'a certificate without its key',
    { tls_cert: 'PEM' },
    'tls_privkey: expected a private key beside "tls_cert", got none',
  ],
]

const Settings = suite('settings of a keyshare server (spec/keyshare-server#16)')

for (const [what, values, message] of WRONG)
  Settings(`refused: ${what}`, async () => {
    assert.is(await rejection(readSettings(values)), `SettingsError: ${message}`)
  })

Settings('the required options are enough', async () => {
  const { settings, warnings } = await readSettings({})
  const { keyshare, sessions, attribute, store } = settings
  assert.equal([attribute, store, sessions.port], [NEEDED.keyshare_attribute, '', 8080])
  assert.equal([keyshare.signer.kid, keyshare.signer.issuer], [0, 'keyshare_server'])
  assert.equal([keyshare.storageKeys.primary.id, keyshare.jwtValiditySec], [7, 900])
  assert.is(warnings.length, 2)
})

Settings(
  'warnings: plain HTTP, an address other than that of the scheme, options without effect',
  async () => {
    const warningsFor = async (url: string) => (await readSettings({ url })).warnings
    const plain = 'url: wallet apps refuse plain HTTP outside of their developer mode'
    assert.equal(await warningsFor('http://127.0.0.1:8189'), [plain])
    assert.equal(await warningsFor('https://keyshare.example/'), [
      'url: wallet apps call http://127.0.0.1:8189, which is KeyshareServer of scheme svc-keyshare, and not https://keyshare.example/',
    ])
    const ofSeveral = { url: 'https://node-1.keyshare.example', store: 'postgres://db.example/keyshare' }
    assert.equal((await readSettings(ofSeveral)).warnings, [])
    assert.equal((await readSettings({ ...ofSeveral, email_from: 'a@example.com' })).warnings, [
      'email_from: without effect, because "email_server" names no server: no mail is sent',
    ])
    assert.equal((await readSettings({ ...ofSeveral, inspect_port: 9000 })).warnings, [
      'inspect_port: without effect, because "inspect" is not given',
    ])
  },
)

Settings(
  'links in mails have the address of the scheme if several nodes share a store, else that of "url"',
  async () => {
    const sending = { email_server: 'smtp.example.com:587', email_from: 'accounts@example.com' }
    const pageOf = async (store: string) => {
      const { settings } = await readSettings({ ...sending, url: 'https://node-1.example', store })
      return settings.mail?.pageUrl
    }
    assert.is(await pageOf('sqlite:f'), 'https://node-1.example/account')
    assert.is(await pageOf('postgres://db.example/keyshare'), 'http://127.0.0.1:8189/account')
  },
)

Settings(
  'the embedded session server has the options of the keyshare server, and no requestors',
  async () => {
    const values = {
      profile: 'irma',
      url: 'https://keyshare.example',
      stop_timeout: '3s',
      stop_delay: '4s',
      stop_idle: '5s',
      max_header_size: 32,
      verbose: 1,
      port: 9,
    }
    const work = { workers: 3, short_checks: 'here', max_queue_time: '7s', spare_primes: 9 }
    const { settings } = await readSettings({ ...values, ...work, production: true })
    const { sessions, keyshare } = settings
    assert.equal([sessions.profile.name, keyshare.profile.name], ['irma', 'irma'])
    assert.equal([sessions.url, sessions.port], ['https://keyshare.example/', 9])
    assert.equal([sessions.limits.stopMs, keyshare.limits.stopMs], [3_000, 3_000])
    assert.is(sessions.limits.stopDelayMs, 4_000)
    for (const { limits } of [sessions, keyshare])
      assert.equal([limits.stopIdleMs, limits.headBytes], [5_000, 32_768])
    assert.equal([sessions.verbosity, keyshare.verbosity], [1, 1])
    assert.equal([sessions.threads, sessions.maxQueueMs, sessions.sparePrimes], [3, 7_000, 9])
    assert.is(sessions.shortChecks, 'here')
    assert.ok(sessions.production)
    assert.equal([sessions.noAuth, sessions.requestors, sessions.staticSessions.size], [false, [], 0])
  },
)

Settings('older storage keys are the files that end in .key; others are ignored with a line', async () => {
  const dir = olderKeys('mixed', {
    'a.key': key(1, 3),
    'b.key': key(2, 4),
    'c.aes': key(3, 5),
    '.d.key': key(4, 6),
  })
  mkdirSync(join(dir, 'e.key'))
  copyFileSync(primary, join(dir, 'primary.key'))
  symlinkSync(primary, join(dir, 'link.key'))
  const { settings, warnings } = await readSettings({
    storage_primary_key_file: join(dir, 'primary.key'),
    storage_fallback_keys_dir: dir,
  })
  const { primary: used, older } = settings.keyshare.storageKeys
  assert.equal([used.id, older.map(({ id }) => id)], [7, [1, 2, 7]])
  const ignored = warnings.filter(line => line.startsWith('storage_fallback_keys_dir'))
  assert.equal(
    ignored,
    ['.d.key', 'c.aes', 'e.key'].map(
      name =>
        `storage_fallback_keys_dir: ignored, because it is no file that ends in .key: ${join(dir, name)}`,
    ),
  )
})

Settings(
  'keyshare_v1: the embedded session server refuses too, and leaves the warnings to the keyshare server',
  async () => {
    for (const [rule, inside] of [
      ['warn', 'allow'],
      ['allow', 'allow'],
      ['refuse', 'refuse'],
    ] as const) {
      const { keyshare, sessions } = (await readSettings({ keyshare_v1: rule })).settings
      assert.equal([keyshare.keyshareV1, sessions.keyshareV1], [rule, inside])
    }
  },
)

Settings('no message about a key quotes the key', async () => {
  const secret = 'MIIEsecretsecretsecret'
  const message = await rejection(readSettings({ jwt_privkey_file: fileWith('bad.pem', secret) }))
  assert.match(message, 'expected an unencrypted RSA private key in PEM, got something else')
  assert.not.match(message, secret)
  const inside = readFileSync(keyFile('storage-key.aes')).subarray(4).toString('hex')
  const both = await rejection(readSettings({ storage_primary_key_file: fileWith('hex.aes', inside) }))
  assert.match(both, 'expected 36 bytes, got 64')
  assert.not.match(both, inside)
})
Settings.run()
