/** `deploy/kubernetes.yaml`: checked by the schemas of Kubernetes, and compared with itself, with the settings and with the endpoints of a node. */
import { readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { LOOK_MS as READY_WITHIN_MS } from '../../../http/readiness.ts'
import { sessionServer } from '../../../server/settings/session-server.ts'
import { withServer } from '../../http/harness.ts'
import { PROJECT } from '../../project.ts'
import { suite } from '../../suite.ts'
import { deployed } from '../tools.ts'
import { RESOURCES, type Resource, specOf } from './manifest.ts'

const SCHEMAS: { readonly $defs: Readonly<Record<string, unknown>> } = JSON.parse(
  readFileSync(join(PROJECT, 'test/vectors/kubernetes/v1.37.0.json'), 'utf8'),
)
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema(SCHEMAS, 'kubernetes')

/** Without `.k8s.io`, as the names of the schemas have it. */
function schemaOf({ apiVersion, kind }: Pick<Resource, 'apiVersion' | 'kind'>): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion]
  return `io.k8s.api.${group?.replace('.k8s.io', '')}.${version}.${kind}`
}

/** @returns the mistakes that the schema finds */
function mistakesIn(resource: Resource): string {
  const name = schemaOf(resource)
  assert.ok(name in SCHEMAS.$defs, name)
  const validate = ajv.getSchema(`kubernetes#/$defs/${name}`)
  return validate?.(resource) ? '' : ajv.errorsText(validate?.errors)
}

const PAGE = readFileSync(join(PROJECT, 'docs/kubernetes.md'), 'utf8')

const Manifest = suite('deploy: the manifest for Kubernetes')

Manifest('the schemas of Kubernetes find no mistake in it', () => {
  assert.equal(
    RESOURCES.map(({ kind }) => kind),
    ['Deployment', 'PodDisruptionBudget', 'Service', 'NetworkPolicy', 'NetworkPolicy'],
  )
  for (const resource of RESOURCES) assert.is(mistakesIn(resource), '', resource.kind)
})

Manifest('the schemas find a name that is misspelt at any depth', () => {
  const [deployment] = RESOURCES
  const misspelt = JSON.stringify(deployment).replace('"readOnlyRootFilesystem"', '"readOnlyRootFileSystem"')
  assert.match(mistakesIn(JSON.parse(misspelt)), 'must NOT have additional properties')
})

const deployment = specOf('Deployment')
const pod = deployment.template.spec
const [node, ...otherContainers] = pod.containers
if (!node) throw new Error('expected a container, got none')

Manifest('Service, budget and policy select the pods of the two nodes, and one of them always stays', () => {
  const { labels } = deployment.template.metadata
  const budget = specOf('PodDisruptionBudget')
  for (const selected of [
    deployment.selector.matchLabels,
    budget.selector.matchLabels,
    specOf('Service').selector,
    specOf('NetworkPolicy').podSelector.matchLabels,
    specOf('NetworkPolicy', 'svc-database').ingress[0]?.from?.[0]?.podSelector?.matchLabels,
  ])
    assert.equal(selected, labels)
  assert.equal([deployment.replicas, budget.minAvailable], [2, 1])
  assert.is(deployment.strategy.rollingUpdate.maxUnavailable, 0)
})

Manifest('ports have the numbers of the settings', () => {
  const { port, metrics_port } = parse(deployed('server.yml'))
  assert.equal(node.ports, [
    { name: 'http', containerPort: port },
    { name: 'metrics', containerPort: metrics_port },
  ])
  assert.equal(
    specOf('Service').ports.map(({ targetPort }) => targetPort),
    ['http'],
  )
})

Manifest(
  'each probe calls an endpoint of the server, and only readiness depends on the database',
  async () => {
    const { startupProbe, livenessProbe, readinessProbe } = node
    const probes = [startupProbe, livenessProbe, readinessProbe]
    assert.equal(
      probes.map(({ httpGet }) => httpGet.path),
      ['/health', '/health', '/health/ready'],
    )
    await withServer({}, async ({ call }) => {
      for (const { httpGet } of probes) assert.is((await call('GET', httpGet.path)).status, 200, httpGet.path)
    })
    for (const { httpGet, timeoutSeconds } of probes) {
      assert.is(httpGet.port, 'http')
      assert.ok(timeoutSeconds * 1_000 >= 4 * READY_WITHIN_MS, 'one slow answer takes no node out')
    }
    assert.ok(startupProbe.periodSeconds * startupProbe.failureThreshold >= 60) // a start waits up to 30 s for the database
  },
)

Manifest('a node gets more time to end than it needs', () => {
  const { stop_delay } = parse(deployed('server.yml'))
  const { stop_idle, stop_timeout } = sessionServer.resolve({
    flags: {},
    variables: {},
    file: undefined,
  }).options
  const sec = (text: string): number => Number.parseInt(text, 10) / (text.endsWith('ms') ? 1_000 : 1)
  const stopping = [stop_delay, stop_idle, stop_timeout].map(sec)
  const needed = stopping.reduce((sum, each) => sum + each, node.lifecycle.preStop.sleep.seconds + 5)
  assert.ok(pod.terminationGracePeriodSeconds > needed, `${needed} s`)
})

Manifest('a process has no root, no capability, no new privilege and no token of the cluster', () => {
  assert.equal([otherContainers, pod.initContainers], [[], undefined])
  assert.equal(node.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  assert.equal(pod.securityContext, {
    runAsNonRoot: true,
    runAsUser: 1000, // the user `node` of the image
    runAsGroup: 1000,
    fsGroup: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  })
  assert.is(pod.automountServiceAccountToken, false)
})

Manifest(
  'no secret is in a variable or on a command line: the Secret is mounted where the settings read it',
  () => {
    assert.equal([node.envFrom, node.command, node.args], [undefined, undefined, undefined])
    assert.equal(
      node.env.map(({ name, valueFrom }) => [name, valueFrom]),
      [['SVCSERVER_URL', undefined]],
    )
    const mounts = node.volumeMounts.map(({ name, mountPath, readOnly }) => {
      const volume = pod.volumes.find(each => each.name === name)
      return [volume?.configMap?.name ?? volume?.secret?.secretName, mountPath, readOnly]
    })
    assert.equal(mounts, [
      ['svc-settings', '/etc/svc/server.yml', true],
      ['svc-secrets', '/run/secrets', true],
    ])
  },
)

Manifest('the image has a digest that the operator sets: the cluster refuses the file until then', () => {
  assert.is(node.image, 'registry.example/svc@sha256:DIGEST')
  assert.is(deployed('kubernetes.yaml').split('DIGEST').length, 3) // in the comment and in the image
  for (const file of ['kubernetes.yaml', 'kubernetes-keyshare.yaml', 'kubernetes-oidc.yaml'])
    assert.match(PAGE, `sed "s#${node.image}#$image#" ${file}`)
})

Manifest('only the ingress controller and Prometheus call a node, and only nodes call the database', () => {
  const policy = specOf('NetworkPolicy')
  const database = specOf('NetworkPolicy', 'svc-database')
  for (const { policyTypes } of [policy, database]) assert.equal(policyTypes, ['Ingress', 'Egress'])
  assert.equal(
    policy.ingress.map(({ ports }) => ports.map(({ port }) => port)),
    [['http'], ['metrics']],
  )
  for (const { from } of policy.ingress) assert.is(from?.length, 1)
  assert.equal([database.ingress.length, database.egress], [1, []])
})

Manifest('a node calls public addresses alone, besides DNS and its database', () => {
  const blocks = specOf('NetworkPolicy').egress.flatMap(({ to }) =>
    to?.flatMap(({ ipBlock }) => ipBlock ?? []),
  )
  const inner = new BlockList()
  for (const block of blocks)
    for (const network of block?.except ?? []) {
      const [address = '', bits] = network.split('/')
      inner.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
    }
  assert.equal(
    blocks.map(block => block?.cidr),
    ['0.0.0.0/0', '::/0'],
  )
  for (const address of ['10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1'])
    assert.ok(inner.check(address, 'ipv4'), address)
  for (const address of ['fd00::1', 'fe80::1']) assert.ok(inner.check(address, 'ipv6'), address)
})

/** @returns the texts in backticks in the first column of the tables of the page */
function namesInTable(heading: string): readonly string[] {
  const [, table = ''] =
    new RegExp(`^\\| ${heading} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, 'm').exec(PAGE) ?? []
  return table
    .split('\n')
    .flatMap(row => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
}

Manifest('the page names values that the manifests have', () => {
  const values = namesInTable('Value')
  assert.ok(values.length > 5)
  for (const value of values) {
    assert.match(deployed('kubernetes.yaml'), value)
    for (const [kind, host] of [
      ['keyshare', 'keyshare.example'],
      ['oidc', 'login.example'],
    ] as const)
      assert.match(deployed(`kubernetes-${kind}.yaml`), value.replace('id.example', host))
  }
})

Manifest('the page names options of the settings, and each file of the Secret and the ConfigMap', () => {
  const options = namesInTable('Option')
  assert.ok(options.length > 5)
  for (const option of options) assert.ok(option in sessionServer.options, option)
  for (const [file, command] of [
    ['server.yml', 'svc-settings --from-file=server.yml'],
    ['oidc.yml', 'svc-oidc-settings --from-file=oidc.yml'],
    ['keyshare.yml', 'svc-keyshare-settings --from-file=keyshare.yml'],
  ] as const) {
    assert.match(PAGE, `kubectl create configmap ${command}\n`)
    for (const [, name] of deployed(file).matchAll(/\/run\/secrets\/([\w.]+)/g))
      assert.match(PAGE, `--from-file=secrets/${name}`)
  }
})

Manifest.run()
