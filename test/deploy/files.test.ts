/** The files of `deploy/`, read by their programs, and compared with each other and with the settings. @module */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { FIXED_LIMITS } from '../../http/limits.ts'
import { LOOK_MS as READY_WITHIN_MS } from '../../http/readiness.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { DEPLOYED_WITH } from '../../tools/bench/server-process.ts'
import { runSvc } from '../cli/run-svc.ts'
import { readPage } from '../docs/markdown.ts'
import { DEMO_SCHEMES, isMissing, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { copied, deployed, hasTool, runTool } from './tools.ts'

const Files = suite('deploy: the files')
const promtool = isMissing('promtool', hasTool('promtool')) ? Files.skip : Files
const caddy = isMissing('caddy', hasTool('caddy')) ? Files.skip : Files
const nginx = isMissing('nginx', hasTool('nginx')) ? Files.skip : Files
const systemd = isMissing('systemd-analyze', hasTool('systemd-analyze')) ? Files.skip : Files

promtool('promtool reads the alert rules, and the settings of Prometheus that name them', async () => {
  assert.match(await runTool('promtool', ['check', 'rules', join(PROJECT, 'deploy/alerts.yml')]), 'SUCCESS')
  assert.match(
    await runTool('promtool', ['check', 'config', join(PROJECT, 'deploy/prometheus.yml')]),
    'SUCCESS',
  )
})

promtool('each alert is raised by its condition, and not below its limit', async () => {
  const tests = copied('alerts.test.yml', temporaryFolder(), {
    'alerts.yml': join(PROJECT, 'deploy/alerts.yml'),
  })
  assert.match(await runTool('promtool', ['test', 'rules', tests]), 'SUCCESS')
})

Files('unit and container start Node with the flag of the benchmarks', () => {
  for (const [file, start] of [
    ['svc.service', `\nExecStart=/usr/bin/node ${DEPLOYED_WITH} /opt/`],
    ['Containerfile', `\nENTRYPOINT ["node", "${DEPLOYED_WITH}", "/app/`],
  ] as const)
    assert.match(deployed(file), start)
})

Files('systemctl reload makes the server read its certificate files again', () => {
  assert.match(deployed('svc.service'), '\nExecReload=/bin/kill -HUP $MAINPID\n')
})

Files('alerts and dashboard select the jobs that Prometheus scrapes, as the page says', () => {
  const jobsIn = (text: string): readonly unknown[] =>
    parse(text).scrape_configs.map(({ job_name }: { readonly job_name: unknown }) => job_name)
  const page = readPage('docs/operating.md', readFileSync(join(PROJECT, 'docs/operating.md'), 'utf8'))
  const [shown, ...none] = page.fences.filter(({ content }) => content.includes('scrape_configs'))
  assert.equal(none, [])
  const jobs = jobsIn(deployed('prometheus.yml'))
  assert.equal(jobsIn(shown?.content ?? ''), jobs)
  for (const file of ['alerts.yml', 'grafana-dashboard.json']) {
    const selected = [...deployed(file).matchAll(/\bjob(=~?\\?".*?)\\?"/g)].map(([, names]) => names)
    assert.equal(
      [...new Set(selected.map(names => names?.replace('\\', '')))],
      [`=~"${jobs.join('|')}`],
      file,
    )
  }
})

Files('each alert has a test in which it is raised, and one in which it is not', () => {
  type Case = { readonly alertname: string; readonly exp_alerts?: readonly unknown[] }
  const rules: readonly { readonly alert: string }[] = parse(deployed('alerts.yml')).groups[0].rules
  const { tests } = parse(deployed('alerts.test.yml'))
  const cases: readonly Case[] = tests.flatMap(
    (test: { readonly alert_rule_test: unknown }) => test.alert_rule_test,
  )
  const named = (isRaised: boolean): readonly string[] =>
    cases.filter(each => (each.exp_alerts !== undefined) === isRaised).map(({ alertname }) => alertname)
  const alerts = rules.map(({ alert }) => alert).toSorted()
  for (const isRaised of [true, false]) assert.equal([...new Set(named(isRaised))].toSorted(), alerts)
})

caddy('caddy accepts its file', async () => {
  const words = ['validate', '--adapter', 'caddyfile', '--config', join(PROJECT, 'deploy/Caddyfile')]
  const folder = temporaryFolder()
  const env = { SVC_HOST: 'id.example', XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  assert.match(await runTool('caddy', words, { env }), 'Valid configuration')
})

nginx('nginx accepts its file', async () => {
  const folder = temporaryFolder()
  const [cert, key] = [join(folder, 'chain.pem'), join(folder, 'key.pem')]
  const made = [
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    cert,
    '-subj',
    '/CN=id.example',
  ]
  execFileSync('openssl', ['req', ...made], { stdio: 'ignore' })
  const site = copied('nginx.conf', folder, {
    'node1:': '127.0.0.1:', // nginx resolves names when it reads them
    'node2:': '127.0.0.1:',
    '/etc/nginx/tls/chain.pem': cert,
    '/etc/nginx/tls/key.pem': key,
  })
  const whole = join(folder, 'whole.conf')
  writeFileSync(whole, `pid ${folder}/pid;\nevents {}\nhttp { access_log off; include ${site}; }\n`)
  assert.match(await runTool('nginx', ['-t', '-q', '-c', whole, '-e', join(folder, 'error.log')]), /^$/)
})

systemd('systemd accepts the unit, and rates it as well protected', async () => {
  const unit = copied('svc.service', temporaryFolder(), {
    '/usr/bin/node': process.execPath,
    '/opt/svc/dist/cli/main.js': join(PROJECT, 'package.json'), // any existing file: it is not started
  })
  assert.is(await runTool('systemd-analyze', ['verify', unit]), '')
  const words = ['security', '--offline=yes', '--threshold=20', '--no-pager', unit]
  assert.match(await runTool('systemd-analyze', words), 'Overall exposure level')
})

Files('svc server check accepts the settings of each node', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'webshop.token'), 'token-of-the-webshop-of-this-test')
  writeFileSync(join(folder, 'store'), 'postgres://svc:password@postgres/svc')
  const config = copied('server.yml', folder, {
    '/etc/svc/schemes': DEMO_SCHEMES,
    '/run/secrets/jwt.key': join(PROJECT, 'test/vectors/keys/session-jwt.private.pem'),
    '/run/secrets/webshop.token': join(folder, 'webshop.token'),
    '/run/secrets/store': join(folder, 'store'),
  })
  const env = { SVCSERVER_URL: 'https://id.example/' }
  const { code, stderr } = await runSvc(['server', 'check', '--config', config], env)
  assert.match(stderr, 'the settings are in order')
  assert.is(code, 0)
})

Files('the unit and the container wait for longer than a server takes to stop', () => {
  const stopSec = 20
  const [, unit] = /^TimeoutStopSec=(\d+)$/m.exec(deployed('svc.service')) ?? []
  const [, container] = /stop_grace_period: (\d+)s/.exec(deployed('compose.yml')) ?? []
  assert.is(
    sessionServer.resolve({ flags: {}, variables: {}, file: undefined }).options.stop_timeout,
    `${stopSec}s`,
  )
  assert.ok(Number(unit) > stopSec && Number(container) > stopSec)
})

Files(
  'one slow answer about readiness takes no node out: Caddy waits longer than a check of the store takes',
  () => {
    const [, sec] = /^\t+health_timeout (\d+)s$/m.exec(deployed('Caddyfile')) ?? []
    assert.ok(Number(sec) * 1_000 >= 4 * READY_WITHIN_MS, `${sec} s`)
  },
)

Files('nginx passes on the address of its caller, as Caddy does by itself', () => {
  assert.match(deployed('nginx.conf'), /^ {4}proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;$/m)
})

Files('nginx waits for an answer for longer than a node takes, and then tries the next one', () => {
  const waits = [...deployed('nginx.conf').matchAll(/^ +proxy_read_timeout (\d+)s;$/gm)]
  const [most = 0, submissions = 0] = waits.map(([, sec]) => Number(sec) * 1_000)
  assert.ok(most > FIXED_LIMITS.handlingMs && most < 2 * FIXED_LIMITS.handlingMs, `${most} ms`)
  assert.ok(
    submissions > FIXED_LIMITS.outcomeMs && submissions < 2 * FIXED_LIMITS.outcomeMs,
    `${submissions} ms`,
  )
})

Files('each proxy closes an idle connection before a node does', () => {
  for (const [file, setting] of [
    ['Caddyfile', /^\t+keepalive (\d+)s$/m],
    ['nginx.conf', /^ +keepalive_timeout (\d+)s;$/m],
  ] as const) {
    const [, sec] = setting.exec(deployed(file)) ?? []
    assert.ok(Number(sec) * 1_000 < FIXED_LIMITS.idleMs, `${file}: ${sec} s`)
  }
})

Files.run()
