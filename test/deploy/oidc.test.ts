/** The files of `deploy/` for an OpenID provider: confined as those for a session server are, which have tests of their own, and with settings that it takes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { oidcServer } from '../../server/settings/oidc-server.ts'
import { runSvc } from '../cli/run-svc.ts'
import { DEMO_SCHEMES, isMissing, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { assertAlike } from './kubernetes/alike.ts'
import { copied, deployed, hasTool, runTool } from './tools.ts'

const Oidc = suite('deploy: an OpenID provider')
const systemd = isMissing('systemd-analyze', hasTool('systemd-analyze')) ? Oidc.skip : Oidc

const SETTINGS = parse(deployed('oidc.yml'))
const SECRETS = ['shop.secret', 'storage.key', 'store', 'subject.salt']
const COMMAND = ['oidc', '--config', '/etc/svc/oidc.yml']

Oidc('svc oidc check accepts the settings of each node', async () => {
  const folder = temporaryFolder()
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const config = copied('oidc.yml', folder, {
    '/etc/svc/schemes': DEMO_SCHEMES,
    '/run/secrets/storage.key': join(PROJECT, 'test/vectors/keys/storage-key.aes'),
    '/run/secrets/store': file('store', 'postgres://svc:password@postgres/svc'),
    '/run/secrets/subject.salt': file('subject.salt', 'salt of this test, long enough for a file of a salt'),
    '/run/secrets/shop.secret': file('shop.secret', 'a secret of the shop, long enough for HMAC'),
  })
  const env = { SVCOIDC_URL: 'https://login.example/' }
  const { code, stderr } = await runSvc(['oidc', 'check', '--config', config], env)
  assert.match(stderr, 'the settings are in order')
  assert.is(code, 0)
})

Oidc('the settings are existing options, and each secret is a file of the compose file', () => {
  const names = Object.keys(oidcServer.options)
  for (const name of Object.keys(SETTINGS)) assert.ok(names.includes(name), name)
  const files = [...deployed('oidc.yml').matchAll(/\/run\/secrets\/([\w.]+)/g)].map(([, name = '']) => name)
  assert.equal(files.toSorted(), SECRETS)
  assert.equal(
    parse(deployed('compose-oidc.yml'), { merge: true }).services.node1.secrets.toSorted(),
    SECRETS,
  )
  assert.is(SETTINGS.store, undefined)
  const [{ client_secret }] = SETTINGS.clients
  assert.is(client_secret, undefined)
})

Oidc(
  'a node listens as a session server behind the same proxy does, and trusts the networks of containers',
  () => {
    const { port, metrics_port, listen_addr, stop_delay, production } = parse(deployed('server.yml'))
    const own = SETTINGS
    assert.equal(
      [own.port, own.metrics_port, own.listen_addr, own.stop_delay, own.production],
      [port, metrics_port, listen_addr, stop_delay, production],
    )
    assert.equal(own.trusted_proxies, ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'])
  },
)

Oidc(
  'the compose file differs from that of session servers in its command, address, settings and secrets alone',
  () => {
    const [own, other] = ['compose-oidc.yml', 'compose.yml'].map(file =>
      parse(deployed(file), { merge: true }),
    )
    for (const name of ['node1', 'node2']) {
      const { command, environment, volumes, secrets, ...node } = own.services[name]
      assert.equal(command, COMMAND)
      assert.equal(Object.keys(environment), ['SVCOIDC_URL'])
      assert.equal(volumes, ['./oidc.yml:/etc/svc/oidc.yml:ro', './schemes:/etc/svc/schemes:ro'])
      for (const secret of secrets) assert.is(own.secrets[secret].file, `./secrets/${secret}`)
      const { environment: _, volumes: __, secrets: ___, ...session } = other.services[name]
      assert.equal(node, session)
    }
    for (const name of ['postgres', 'proxy']) assert.equal(own.services[name], other.services[name], name)
    const { volumes } = other.services.prometheus
    assert.is(own.services.prometheus.volumes[0], './prometheus-oidc.yml:/etc/prometheus/prometheus.yml:ro')
    assert.equal({ ...own.services.prometheus, volumes }, other.services.prometheus)
    assert.equal([own.networks, own.volumes], [other.networks, other.volumes])
  },
)

Oidc('the objects for Kubernetes differ from those of session servers only in the same parts', () => {
  const env = [{ name: 'SVCOIDC_URL', value: 'https://login.example/' }]
  assertAlike('kubernetes-oidc.yaml', 'svc-oidc', { command: COMMAND, env, called: 443 })
})

/** The lines that confine the process and limit the time of its end. */
const linesOf = (file: string): readonly string[] =>
  deployed(file)
    .split('\n')
    .filter(
      line => /^\w+=/.test(line) && !/^(Description|ExecStart|StateDirectory|LoadCredential)=/.test(line),
    )

Oidc('Prometheus scrapes both nodes in the job that the alerts select', () => {
  const { scrape_configs, ...own } = parse(deployed('prometheus-oidc.yml'))
  const { scrape_configs: all, ...common } = parse(deployed('prometheus.yml'))
  const targets = ['node1', 'node2'].map(node => `${node}:${SETTINGS.metrics_port}`)
  assert.equal(scrape_configs, [{ job_name: 'svc-oidc', static_configs: [{ targets }] }])
  assert.ok(all.some((each: { readonly job_name: string }) => each.job_name === 'svc-oidc'))
  assert.equal(own, common)
})

Oidc('the unit confines the process as that of a session server does', () => {
  assert.equal(linesOf('svc-oidc.service'), linesOf('svc.service'))
  const unit = deployed('svc-oidc.service')
  assert.match(unit, /^ExecStart=.* oidc --config \/etc\/svc\/oidc\.yml$/m)
  const handed = [...unit.matchAll(/^LoadCredential=([\w.]+):\/etc\/svc\/\1$/gm)].map(([, name = '']) => name)
  assert.equal(
    handed.toSorted(),
    SECRETS.filter(name => name !== 'store'), // SQLite has no password
  )
})

systemd('systemd reports no problem in the unit', async () => {
  const node = { '/usr/bin/node': process.execPath, '/opt/svc/dist': join(PROJECT, 'dist') }
  const unit = copied('svc-oidc.service', temporaryFolder(), node)
  assert.is(await runTool('systemd-analyze', ['verify', unit]), '')
})

Oidc('nginx waits for the event stream of a login as long as for those of sessions', () => {
  const [, words = ''] = /location ~ \/\(([^)]*)\)\$ \{/.exec(deployed('nginx.conf')) ?? []
  assert.ok(words.split('|').includes('events'))
})

Oidc.run()
