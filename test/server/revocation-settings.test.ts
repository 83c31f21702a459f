/** Settings of revocation with which a server refuses to start, and settings with a warning (spec/schemes-and-cli#15, spec/session-server#20.1). @module */
import { join } from 'node:path'
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { loadSchemes } from '../../schemes/load.ts'
import type { Schemes } from '../../schemes/types.ts'
import { createNode } from '../../server/create-node.ts'
import { checkAgainstSchemes } from '../../server/settings/against-schemes.ts'
import { checkOptions } from '../../server/settings/checks.ts'
import { readNodeSettings } from '../../server/settings/node-settings.ts'
import { revocationSettingsOf } from '../../server/settings/revocation.ts'
import type { OptionValues } from '../../server/settings/session-server.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { systemWorld } from '../../server/world.ts'
import { BADGE, there } from '../actors/authority.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { refused } from './refused.ts'

type Values = Readonly<Record<string, unknown>>

const schemes = await loadSchemes(DEMO_SCHEMES)
const WITHOUT_KEYS: Schemes = { ...schemes, latestPrivateKey: () => undefined }
const PERMIT = 'svc-demo.gov.permit'
const shop = { auth_method: 'token', key: 'k' }

function resolved(values: Values) {
  return sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'f', values } })
}

function options(values: Values): OptionValues {
  return resolved(values).options
}

function settings(revocation_settings: Values, known = schemes) {
  return revocationSettingsOf(options({ revocation_settings }), known)
}

const Settings = suite('settings of revocation')

Settings('the settings of an authority, and of a server that asks another one', () => {
  const given = {
    [BADGE]: { authority: true },
    [PERMIT]: { revocation_server_url: 'https://rev.example/svc//', tolerance: 30, sse: true },
  }
  assert.equal(
    [...settings(given).settings],
    [
      [BADGE, { isAuthority: true, isServer: true, serverUrl: null, toleranceSec: null, hasStream: false }],
      [
        PERMIT,
        {
          isAuthority: false,
          isServer: false,
          serverUrl: 'https://rev.example/svc',
          toleranceSec: 30,
          hasStream: true,
        },
      ],
    ],
  )
})

Settings('a name is that of a credential type that can be revoked, in any case, and occurs once', () => {
  assert.ok(settings({ 'SVC-demo.Fast.BADGE': { authority: true } }).settings.has(BADGE))
  const wrong = 'expected a credential type of the schemes that can be revoked, got another name'
  for (const name of ['svc-demo.gov.idcard', 'svc-demo.fast.none', 'x'])
    refused(() => settings({ [name]: {} }), `revocation_settings.${name}: ${wrong}`)
  refused(
    () => settings({ [BADGE]: {}, 'svc-demo.fast.Badge': {} }),
    `revocation_settings.svc-demo.fast.Badge: expected ${BADGE} once, got it twice`,
  )
})

Settings('an authority has a key and no server to ask; every other role has an address to ask', () => {
  const url = `revocation_settings.${BADGE}.revocation_server_url`
  refused(
    () => settings({ [BADGE]: { authority: true, revocation_server_url: 'https://a.example' } }),
    `${url}: expected none, because this server is the authority, got one`,
  )
  refused(
    () => settings({ [BADGE]: { server: true } }),
    `${url}: expected the address of the server that has the updates, because this one is not the authority, got none`,
  )
  for (const revocation_server_url of [
    'a.example',
    'ftp://a.example',
    'http://a.example:99999',
    'https://name:secret@a.example',
    'https://a.example/?',
    'https://a.example/svc#a',
  ])
    refused(
      () => settings({ [BADGE]: { revocation_server_url } }),
      `${url}: expected an http or https address without user name, query and fragment, got another text`,
    )
  refused(
    () => settings({ [BADGE]: { revocation_server_url: 'https://a.example:6000/svc' } }),
    `${url}: expected a port that HTTP clients call, got one that belongs to another protocol and that they block; use another port`,
  )
  refused(
    () => settings({ [BADGE]: { authority: true } }, WITHOUT_KEYS),
    `revocation_settings.${BADGE}.authority: expected a private key of svc-demo.fast that supports revocation, got none`,
  )
})

Settings(
  'a tolerance is at least 30 s, members have the right types, unknown members are refused (spec/decisions#d29)',
  () => {
    refused(
      () => settings({ [BADGE]: { tolerance: 29 } }),
      `revocation_settings.${BADGE}.tolerance in f: expected seconds, at least 30, got 29`,
    )
    refused(
      () => settings({ [BADGE]: { authority: 'yes' } }),
      `revocation_settings.${BADGE}.authority in f: expected true or false, got "yes"`,
    )
    refused(
      () => resolved({ revocation_settings: { [BADGE]: { autority: true } } }),
      `revocation_settings.${BADGE} in f: expected members by name, got "autority", which is unknown; the nearest known one is "authority"`,
    )
  },
)

Settings(
  'a private key of a revocable type without an authority: a warning for demo keys, refused for others',
  () => {
    const text = (type: string) =>
      `${type} can be revoked, but revocation_settings names no authority for it, so this server cannot issue ${type}`
    const types = [PERMIT, 'svc-keyshare.shop.voucher']
    const { warnings } = settings({ [BADGE]: { authority: true } })
    assert.equal([...warnings].sort(), types.map(type => `revocation_settings: ${text(type)}`).sort())
    const asReal = [...schemes.schemes].map(([id, scheme]) => [id, { ...scheme, isDemo: false }] as const)
    const real = { ...schemes, schemes: new Map(asReal) }
    const all = Object.fromEntries([BADGE, ...types].map(type => [type, { authority: true }]))
    assert.equal(settings(all, real).warnings, [])
    const { [PERMIT]: _, ...others } = all
    refused(() => settings(others, real), `revocation_settings: ${text(PERMIT)}`)
    assert.equal(
      settings({ ...others, [PERMIT]: { revocation_server_url: 'https://a.example' } }, real).warnings,
      [],
    )
    assert.equal(settings({}, { ...real, latestPrivateKey: () => undefined }).warnings, [])
  },
)

Settings('the warning is left out if no requestor may issue the type', () => {
  const about = (values: Values): readonly string[] =>
    revocationSettingsOf(options({ issue_perms: [], ...values }), schemes).warnings.map(
      warning => /svc-[\w.-]+/.exec(warning)?.[0] ?? warning,
    )
  assert.equal(about({}), [])
  assert.equal(about({ issue_perms: [BADGE] }), [BADGE])
  assert.equal(about({ requestors: { shop: { ...shop, issue_perms: ['svc-demo.gov.*'] } } }), [PERMIT])
  const asReal = [...schemes.schemes].map(([id, scheme]) => [id, { ...scheme, isDemo: false }] as const)
  const real = { ...schemes, schemes: new Map(asReal) }
  assert.throws(() => revocationSettingsOf(options({ issue_perms: [] }), real), /cannot issue/)
})

Settings('a server or authority of revocation data needs a permanent store: "memory" is refused', () => {
  for (const role of [{ authority: true }, { server: true, revocation_server_url: 'https://a.example' }])
    refused(
      () => checkOptions(options({ store: 'memory', revocation_settings: { [BADGE]: role } })),
      `store: expected "sqlite:FILE", because revocation of ${BADGE} must not be forgotten, got "memory"`,
    )
  const asks = { [BADGE]: { revocation_server_url: 'https://a.example' } }
  checkOptions(options({ store: 'memory', revocation_settings: asks }))
})

Settings('an authority needs no requestors, even without no_auth', () => {
  checkOptions(options({ no_auth: false, revocation_settings: { [BADGE]: { authority: true } } }))
})

Settings('no message suggests the attribute for revocation, which has no name', () => {
  refused(
    () => checkAgainstSchemes(options({ disclose_perms: [`${BADGE}.x`] }), schemes),
    `disclose_perms: expected a name that the schemes define, got "${BADGE}.x"; the nearest is "${BADGE}.level"`,
  )
})

Settings('a full type in revoke_perms needs a key with revocation, or skip_private_keys_check', () => {
  const named = { requestors: { shop: { ...shop, revoke_perms: [BADGE, 'svc-demo.*'] } } }
  checkAgainstSchemes(options(named), schemes)
  refused(
    () => checkAgainstSchemes(options({ revoke_perms: ['svc-demo.fast.nope'] }), schemes),
    'revoke_perms: expected a name that the schemes define, got "svc-demo.fast.nope"; the nearest is "svc-demo.fast.note"',
  )
  refused(
    () => checkAgainstSchemes(options(named), WITHOUT_KEYS),
    `requestors.shop.revoke_perms: expected a private key of svc-demo.fast for "${BADGE}", or "skip_private_keys_check", got none`,
  )
  const keyOf: Schemes['latestPrivateKey'] = issuer => {
    const { ecdsa: _, ...key } = there(schemes.latestPrivateKey(issuer))
    return key
  }
  refused(
    () => checkAgainstSchemes(options(named), { ...schemes, latestPrivateKey: keyOf }),
    `requestors.shop.revoke_perms: expected a key that supports revocation for "${BADGE}", or "skip_private_keys_check", got one that does not`,
  )
  checkAgainstSchemes(options({ ...named, skip_private_keys_check: true }), WITHOUT_KEYS)
})

Settings('two servers on one file are refused', async () => {
  const file = join(temporaryFolder(), 'a.db')
  const given = options({
    schemes_path: DEMO_SCHEMES,
    store: `sqlite:${file}`,
    workers: 1,
    revocation_settings: { [BADGE]: { authority: true } },
  })
  const world = systemWorld(pino({ level: 'silent' }))
  const { settings } = await readNodeSettings({ options: given }, () => {})
  const first = await createNode(settings, world)
  const second = await createNode(settings, world).catch(({ message }) => message)
  assert.match(String(second), /expected to be its only process/)
  await first.close()
})

Settings.run()
