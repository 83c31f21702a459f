/** `deploy/keyshare.yml` and `deploy/kubernetes-keyshare.yaml`: confined as the files for a session server are, and with settings that a keyshare server takes. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { keyshareServer } from '../../../server/settings/keyshare-server.ts'
import { runSvc } from '../../cli/run-svc.ts'
import { withKeyshare } from '../../http/keyshare/harness.ts'
import { DEMO_SCHEMES, PROJECT } from '../../project.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { copied, deployed } from '../tools.ts'
import { assertAlike } from './alike.ts'

const Keyshare = suite('deploy: a keyshare server')

const SETTINGS = parse(deployed('keyshare.yml'))
const ISSUER_KEY = 'svc-keyshare.keyshare.0.xml'
const SCHEME = join(DEMO_SCHEMES, 'svc-keyshare')
const vector = (name: string): Buffer => readFileSync(join(PROJECT, 'test/vectors/keys', name))

/** Writes the files of a Secret as Kubernetes mounts them: each is a link into a folder whose name begins with two dots. */
function mountSecret(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  const mounted = join(folder, 'secrets')
  mkdirSync(join(mounted, '..data'), { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(mounted, '..data', name), content, { mode: 0o440 })
    symlinkSync(`..data/${name}`, join(mounted, name))
  }
  return mounted
}

/** The demo scheme without the private keys of its issuers, as an image has it. */
function publicScheme(folder: string): string {
  const schemes = join(folder, 'schemes')
  cpSync(SCHEME, join(schemes, 'svc-keyshare'), { recursive: true })
  for (const issuer of ['keyshare', 'shop'])
    rmSync(join(schemes, 'svc-keyshare', issuer, 'PrivateKeys'), { recursive: true })
  return schemes
}

/** `svc keyshare check` with the files of `deploy/`.
 *  @param left names of files that the Secret lacks */
function check(left: readonly string[] = []) {
  const folder = temporaryFolder()
  const files: Record<string, string | Uint8Array> = {
    'storage.key': vector('storage-key.aes'),
    'kss.key': vector('kss-1.private.pem'),
    [ISSUER_KEY]: readFileSync(join(SCHEME, 'keyshare/PrivateKeys/0.xml')),
    store: 'postgres://svc:password@postgres/svc',
  }
  const kept = Object.fromEntries(Object.entries(files).filter(([name]) => !left.includes(name)))
  const config = copied('keyshare.yml', folder, {
    '/etc/svc/schemes': publicScheme(folder),
    '/run/secrets': mountSecret(folder, kept),
    'jwt_privkey_id: 2': 'jwt_privkey_id: 1', // the key of the vectors
  })
  return runSvc(['keyshare', 'check', '--config', config], { SVCKEYSHARE_URL: 'https://keyshare.example/' })
}

Keyshare('svc keyshare check accepts the settings of each node, with the files of one Secret', async () => {
  const { code, stderr } = await check()
  assert.match(stderr, 'the settings are in order')
  assert.is(code, 0)
})

Keyshare('the key of the issuer is in the Secret and not in the image', async () => {
  const { code, stderr } = await check([ISSUER_KEY])
  assert.is(code, 1)
  assert.match(stderr, 'keyshare_attribute: expected a private key of svc-keyshare.keyshare')
})

Keyshare('the settings are existing options, and none of them is a secret', () => {
  for (const name of Object.keys(SETTINGS)) assert.ok(name in keyshareServer.options, name)
  for (const name of ['store', 'jwt_privkey', 'email_password']) assert.is(SETTINGS[name], undefined, name)
})

Keyshare('a node listens as an OpenID provider does behind the same proxy', () => {
  const { port, metrics_port, listen_addr, stop_delay, production, trusted_proxies } = SETTINGS
  const { port: other, ...oidc } = parse(deployed('oidc.yml'))
  assert.equal(
    { port, metrics_port, listen_addr, stop_delay, production, trusted_proxies },
    {
      port: other,
      metrics_port: oidc.metrics_port,
      listen_addr: oidc.listen_addr,
      stop_delay: oidc.stop_delay,
      production: true,
      trusted_proxies: oidc.trusted_proxies,
    },
  )
})

Keyshare(
  'the objects differ from those of session servers in command, address, settings and the port of mail',
  () => {
    const env = [{ name: 'SVCKEYSHARE_URL', value: 'https://keyshare.example/' }]
    const command = ['keyshare', '--config', '/etc/svc/keyshare.yml']
    assertAlike('kubernetes-keyshare.yaml', 'svc-keyshare', { command, env, called: 587 })
  },
)

Keyshare('a keyshare server has the endpoints of the probes', async () => {
  await withKeyshare({}, async ({ call }) => {
    for (const path of ['/health', '/health/ready']) assert.is((await call('GET', path)).status, 200, path)
  })
})

Keyshare.run()
