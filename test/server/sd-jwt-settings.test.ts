/** The options of SD-JWT VC: each way to write them, what is refused, and the warnings at the start. @module */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { parseIssuerId } from '../../protocol/ids.ts'
import { readNodeSettings } from '../../server/settings/node-settings.ts'
import { sdJwtCertificatesThatExpire } from '../../server/settings/sd-jwt.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { rejection } from '../faults/rejection.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const PKI = join(PROJECT, 'test/vectors/sd-jwt/pki')
const [certificates, keys] = [join(PKI, 'certs'), join(PKI, 'keys')]
const OBJECT = { issuer_certificates_dir: certificates, issuer_private_keys_dir: keys }
const FLAT = { sdjwtvc_issuer_certificates_dir: certificates, sdjwtvc_issuer_private_keys_dir: keys }

type Values = Readonly<Record<string, unknown>>

function read(values: Values, variables: Readonly<Record<string, string>> = {}) {
  const file = { name: 'f.yml', values: { schemes_path: DEMO_SCHEMES, store: 'memory', ...values } }
  const { options } = sessionServer.resolve({ flags: {}, variables, file })
  return readNodeSettings({ options }, () => {})
}

const Settings = suite('settings of SD-JWT VC (spec/session-server#18)')

const WAYS: Readonly<Record<string, () => ReturnType<typeof read>>> = {
  'two options': () => read(FLAT),
  'an object': () => read({ sdjwtvc: OBJECT }),
  'a text with the object': () => read({ sdjwtvc: JSON.stringify(OBJECT) }),
  'two ways that agree': () => read({ ...FLAT, sdjwtvc: OBJECT }),
  variables: () =>
    read(
      {},
      {
        SVCSERVER_SDJWTVC_ISSUER_CERTIFICATES_DIR: certificates,
        SVCSERVER_SDJWTVC_ISSUER_PRIVATE_KEYS_DIR: keys,
      },
    ),
}

for (const [way, readIt] of Object.entries(WAYS))
  Settings(`the issuers are read from ${way}`, async () => {
    const { settings, warnings } = await readIt()
    assert.equal(
      [...(settings.sdJwtIssuers?.values() ?? [])].map(({ id }) => id),
      ['svc-demo.gov', 'svc-demo.uni', 'svc-keyshare.shop'],
    )
    assert.is(warnings.filter(text => text.includes('sd-jwt')).length, 0)
  })

Settings('without folders, and with an empty object, no SD-JWTs are issued', async () => {
  for (const values of [{}, { sdjwtvc: {} }, { sdjwtvc: '{}' }, { sdjwtvc_issuer_certificates_dir: '' }])
    assert.is((await read(values)).settings.sdJwtIssuers, null)
})

const WRONG: readonly (readonly [what: string, values: Values, message: RegExp])[] = [
  [
    'certificates alone',
    { sdjwtvc_issuer_certificates_dir: certificates },
    /sdjwtvc_issuer_private_keys_dir: expected the folder of the private keys/,
  ],
  [
    'keys alone',
    { sdjwtvc: { issuer_private_keys_dir: keys } },
    /sdjwtvc_issuer_certificates_dir: expected the folder of the certificates/,
  ],
  [
    'two ways that differ',
    { ...FLAT, sdjwtvc: { issuer_certificates_dir: keys } },
    /sdjwtvc_issuer_certificates_dir: expected the same folder as in "sdjwtvc"/,
  ],
  [
    'an absent folder',
    { sdjwtvc: { ...OBJECT, issuer_private_keys_dir: '/no/where' } },
    /sdjwtvc\.issuer_private_keys_dir: expected an existing directory, got \/no\/where/,
  ],
  [
    'the two folders exchanged',
    { sdjwtvc: { issuer_certificates_dir: keys, issuer_private_keys_dir: certificates } },
    /keys\/svc-demo\.gov\.pem: expected certificates in PEM/,
  ],
  [
    'a misspelt member',
    { sdjwtvc: { ...OBJECT, issuer_cert_dir: '/x' } },
    /expected an object with the members/,
  ],
  [
    'the private keys among the static files',
    { ...FLAT, static_path: PKI },
    /static_path: expected a folder without secrets/,
  ],
]

for (const [what, values, message] of WRONG)
  Settings(`refused: ${what}`, async () => {
    const wrong = await rejection(Promise.resolve().then(() => read(values)))
    assert.match(wrong, message)
  })

Settings('certificates that expire within a month have a warning at the start', async () => {
  const { sdJwtIssuers } = (await read(FLAT)).settings
  const end = sdJwtIssuers?.get(parseIssuerId('svc-demo.gov'))?.validUntilSec ?? 0
  const at = (sec: number) => sdJwtCertificatesThatExpire(sdJwtIssuers, createSimulatedClock(sec * 1_000))
  assert.equal(at(end - 32 * 86_400), [])
  assert.match(at(end - 86_400)[0] ?? '', /certs\/svc-demo\.gov\.pem: expires soon/)
  assert.match(at(end + 1)[0] ?? '', /certs\/svc-demo\.gov\.pem: expired at/)
  assert.equal(sdJwtCertificatesThatExpire(null, createSimulatedClock(0)), [])
})

Settings.run()
