/** The files of `deploy/` at work, without containers: two nodes with the settings of the compose file on one PostgreSQL, behind the real proxy, watched by the real
 *  Prometheus. A keyshare server runs beside them. Only addresses and paths are changed. @module */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort, type Running, runSvc, startSvc } from '../cli/run-svc.ts'
import { endWithTests } from '../end-process.ts'
import { WITHOUT_ADMIN } from '../faults/proxy/proxies.ts'
import { until } from '../patience.ts'
import { hasPostgres, newPostgresDatabase } from '../postgres.ts'
import { DEMO_SCHEMES, isMissing, PROJECT } from '../project.ts'
import { NEEDED } from '../server/keyshare/node.ts'
import { neededOptions } from '../server/oidc/node.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { nodeSettings, TOKEN } from './node-settings.ts'
import { copied, deployed, hasTool, pathOf, runTool } from './tools.ts'

const AGE = 'svc-demo.gov.idcard.over18'
/** The limit of calls until both nodes were chosen: the proxy chooses at random among nodes without open calls. */
const MOST_CALLS = 200
const folder = temporaryFolder()

type Node = { readonly running: Running; readonly port: number; readonly metricsPort: number }

const nodes: Node[] = []

/** @param url address of the proxy */
async function startNode(url: string, store: string): Promise<Node> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const { words, env } = nodeSettings({ url, store, port, metricsPort })
  const running = startSvc(words, env)
  await running.says('svc server running')
  return { running, port, metricsPort }
}

async function startKeyshare(): Promise<Node> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const words = Object.entries({
    ...NEEDED,
    store: 'memory',
    listen_addr: '127.0.0.1',
    port,
    metrics_port: metricsPort,
    workers: 1,
    url: `http://127.0.0.1:${port}/`,
  }).flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, String(value)])
  const running = startSvc(['keyshare', ...words])
  await running.says('svc keyshare running')
  return { running, port, metricsPort }
}

async function startOidc(): Promise<Node> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const config = join(folder, 'oidc.json')
  const url = `http://127.0.0.1:${port}`
  const listening = { listen_addr: '127.0.0.1', port, url, metrics_port: metricsPort }
  writeFileSync(config, JSON.stringify({ ...neededOptions(), ...listening }), { mode: 0o600 })
  const running = startSvc(['oidc', '--config', config])
  await running.says('svc oidc running')
  return { running, port, metricsPort }
}

/** Starts Caddy with the file of the compose file. */
async function startProxy(nodes: readonly Node[], port: number): Promise<void> {
  const [first, second] = nodes
  const file = copied('Caddyfile', folder, {
    '{$SVC_HOST}': `http://127.0.0.1:${port}`,
    'node1:8088': `127.0.0.1:${first?.port}`,
    'node2:8088': `127.0.0.1:${second?.port}`,
    ...WITHOUT_ADMIN,
  })
  const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const words = ['run', '--adapter', 'caddyfile', '--config', file]
  endWithTests(spawn(pathOf('caddy'), words, { env, stdio: 'ignore' }), 'SIGKILL')
  await answers(`http://127.0.0.1:${port}/health`)
}

async function startPrometheus(nodes: readonly Node[], port: number): Promise<void> {
  const targets = nodes.map(({ metricsPort }) => `'127.0.0.1:${metricsPort}'`).join(', ')
  copied('alerts.yml', folder, {})
  const file = copied('prometheus.yml', folder, {
    "'node1:9464', 'node2:9464'": targets,
    ': 15s': ': 1s', // both intervals
  })
  const words = [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'data')}`]
  const listen = `--web.listen-address=127.0.0.1:${port}`
  endWithTests(spawn(pathOf('prometheus'), [...words, listen], { stdio: 'ignore' }), 'SIGKILL')
  await answers(`http://127.0.0.1:${port}/-/ready`)
}

/** Waits for an answer 200. */
async function answers(url: string): Promise<void> {
  await until(async () => (await fetch(url).catch(() => null))?.status === 200, `200 of ${url}`)
}

/** @returns the result of Prometheus for a query, as soon as it is a wanted one */
async function asked(port: number, query: string, isWanted: (results: readonly unknown[]) => boolean) {
  const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`
  let results: readonly unknown[] = []
  await until(async () => {
    const { data } = (await (await fetch(url)).json()) as { data: { result: readonly unknown[] } } // the form of Prometheus
    results = data.result
    return isWanted(results)
  }, `an answer of Prometheus to ${query}`)
  return results
}

type Rule = {
  readonly name: string
  readonly health: string
  readonly state: string
  readonly alerts: readonly { readonly labels: Readonly<Record<string, string>> }[]
}

/** @returns the alert rules, as soon as Prometheus has evaluated all of them and one has raised an alert */
async function rulesOf(port: number): Promise<readonly Rule[]> {
  let rules: readonly Rule[] = []
  await until(async () => {
    const answer: unknown = await (await fetch(`http://127.0.0.1:${port}/api/v1/rules`)).json()
    const { data } = answer as { data: { groups: readonly { rules: readonly Rule[] }[] } } // the form of Prometheus
    rules = data.groups.flatMap(group => group.rules)
    const isRaised = rules.some(({ state }) => state !== 'inactive') // in a round after the first figures arrived
    return isRaised && rules.every(({ health }) => health !== 'unknown')
  }, 'alert rules that are evaluated, and one that raises an alert')
  return rules
}

const pageOf = async ({ metricsPort }: Node): Promise<string> =>
  (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()

/** @returns names of all series of a page */
function seriesOf(page: string): readonly string[] {
  const lines = page.split('\n')
  const described = lines.flatMap(line => /^# TYPE (\w+) (\w+)/.exec(line)?.slice(1, 3) ?? [])
  const names = described.filter((_, i) => i % 2 === 0)
  return names.flatMap((name, i) =>
    described[2 * i + 1] === 'histogram' ? ['_bucket', '_sum', '_count'].map(end => name + end) : [name],
  )
}

/** @returns names of figures in a text of queries */
function namesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\b(?:svc|process|nodejs)_[a-z0-9_]+\b/g)].map(([name]) => name))]
}

const Deployed = suite('deploy: two nodes behind the proxy, watched by Prometheus')
const missing = [
  isMissing('PostgreSQL', hasPostgres),
  isMissing('caddy', hasTool('caddy')),
  isMissing('Prometheus', hasTool('prometheus') && hasTool('promtool')),
]
const test = missing.includes(true) ? Deployed.skip : Deployed
let proxyPort = 0
let prometheusPort = 0

test('two nodes of the compose file start on one PostgreSQL, and the proxy and Prometheus beside them', async () => {
  proxyPort = await freePort()
  prometheusPort = await freePort()
  const store = await newPostgresDatabase()
  for (let i = 0; i < 2; i++) nodes.push(await startNode(`http://127.0.0.1:${proxyPort}/`, store))
  await startProxy(nodes, proxyPort)
  await startPrometheus(nodes, prometheusPort)
})

test('a wallet answers through the proxy, whose calls go to both nodes', async () => {
  const url = `http://127.0.0.1:${proxyPort}`
  const schemes = ['--schemes-path', DEMO_SCHEMES]
  const wallet = ['--dir', join(folder, 'wallet'), ...schemes]
  assert.is((await runSvc(['wallet', 'init', '--demo', ...wallet])).code, 0)
  const given = ['--server', url, '--auth-method', 'token', '--key', TOKEN, '--json', ...schemes]
  const session = startSvc(['session', ...given, '--disclose', AGE])
  const pointer = (await session.says('"}\n')).split('\n')[0] ?? ''
  const answered = await runSvc(['wallet', 'answer', pointer, '--yes', ...wallet])
  assert.is(answered.code, 0, answered.stderr)
  const { stdout, code } = await session.finished
  const result = JSON.parse(stdout.trimEnd().split('\n')[1] ?? '')
  assert.equal([code, result.status, result.proofStatus], [0, 'DONE', 'VALID'])
  const isCalled = async (node: Node) =>
    /^svc_http_request_seconds_count\{.*route="\/svc.*\} [1-9]/m.test(await pageOf(node))
  for (const node of nodes)
    for (let calls = 0; !(await isCalled(node)); calls++) {
      assert.ok(calls < MOST_CALLS, 'expected calls at both nodes, got a node without any')
      assert.is((await fetch(`${url}/svc/session/none/status`)).status, 400)
    }
})

test('Prometheus reads both nodes, and raises an alert about the one key that has expired', async () => {
  const both = (results: readonly unknown[]): boolean => results.length === 2
  assert.is((await asked(prometheusPort, 'up{job="svc"} == 1', both)).length, 2)
  const done = 'sum(svc_sessions_finished_total{status="DONE",requestor="webshop"}) == 1'
  assert.is((await asked(prometheusPort, done, results => results.length === 1)).length, 1)
  const rules = await rulesOf(prometheusPort)
  assert.ok(rules.length > 5)
  for (const { name, health } of rules) assert.is(health, 'ok', name)
  const raised = rules.filter(({ state }) => state !== 'inactive')
  assert.equal(
    raised.map(({ name, alerts }) => [name, alerts.map(({ labels }) => labels.issuer)]),
    [['SvcIssuerKeyExpires', ['svc-demo.old']]],
  )
})

test('promtool reports no problem in the metrics of all kinds of servers; all queries name existing metrics', async () => {
  const keyshare = await startKeyshare()
  const oidc = await startOidc()
  nodes.push(keyshare, oidc)
  const pages = [await pageOf(nodes[0] ?? keyshare), await pageOf(keyshare), await pageOf(oidc)]
  for (const input of pages) assert.is(await runTool('promtool', ['check', 'metrics'], { input }), '')
  const known = new Set(pages.flatMap(seriesOf))
  const { panels } = JSON.parse(deployed('grafana-dashboard.json'))
  const queries = JSON.stringify(panels.map(({ targets }: { targets: object }) => targets))
  const texts = { dashboard: queries, alerts: deployed('alerts.yml') }
  for (const [what, text] of Object.entries(texts)) {
    assert.ok(namesIn(text).length > 8, what)
    assert.equal(
      namesIn(text).filter(name => !known.has(name)),
      [],
      what,
    )
  }
  // every counted figure is also shown somewhere
  const shown = new Set(namesIn(queries))
  const own = pages.flatMap(page => [...page.matchAll(/^# TYPE (svc_\w+) /gm)].map(([, name = '']) => name))
  const isShown = (name: string): boolean => ['', '_bucket', '_count'].some(end => shown.has(name + end))
  assert.equal(
    [...new Set(own)].filter(name => !isShown(name)),
    [],
  )
  const guide = readFileSync(join(PROJECT, 'docs/operating.md'), 'utf8')
  assert.equal(
    [...new Set(own)].filter(name => !guide.includes(`\`${name}\``)),
    [],
    'docs/operating.md',
  )
})

Deployed.after(async () => {
  for (const { running } of nodes) running.process.kill('SIGTERM')
  for (const { running } of nodes) await running.finished
})

Deployed.run()
