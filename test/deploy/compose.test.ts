/** `deploy/compose.yml`: compared with the other files and with the settings, and how each service is confined. @module */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { sessionServer } from '../../server/settings/session-server.ts'
import { freePort } from '../cli/run-svc.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { deployed } from './tools.ts'

type Service = {
  readonly image?: string
  readonly build?: object
  readonly user?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly cap_add?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly pids_limit?: number
  readonly privileged?: boolean
  readonly networks?: readonly string[]
  readonly ports?: readonly string[]
  readonly command?: unknown
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly volumes?: readonly string[]
  readonly secrets?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: readonly string[] | object
}
type ComposeFile = {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: object
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>
}

function readCompose(): ComposeFile {
  return parse(deployed('compose.yml'), { merge: true })
}

const Compose = suite('deploy: the compose file')

Compose(
  'compose: each mounted file exists or is created first, and each volume, secret and service is declared',
  () => {
    const { services, volumes, secrets } = readCompose()
    const made = ['schemes', 'secrets']
    for (const [name, service] of Object.entries(services)) {
      for (const [from = ''] of (service.volumes ?? []).map(each => each.split(':')))
        if (from.startsWith('./'))
          assert.ok(
            made.includes(from.slice(2)) || existsSync(join(PROJECT, 'deploy', from)),
            `${name}: ${from}`,
          )
        else assert.ok(from in volumes, `${name}: volume ${from}`)
      for (const secret of service.secrets ?? []) assert.ok(secret in secrets, `${name}: secret ${secret}`)
      const needed = Array.isArray(service.depends_on)
        ? service.depends_on
        : Object.keys(service.depends_on ?? {})
      for (const other of needed) assert.ok(other in services, `${name} depends on ${other}`)
    }
  },
)

Compose('compose: the proxy and Prometheus have exactly the nodes, at the ports of their settings', () => {
  const nodes = Object.keys(readCompose().services).filter(name => name.startsWith('node'))
  const { port, metrics_port } = parse(deployed('server.yml'))
  const scraped = parse(deployed('prometheus.yml')).scrape_configs[0].static_configs[0].targets
  assert.equal(
    scraped,
    nodes.map(node => `${node}:${metrics_port}`),
  )
  const upstreams = nodes.map(node => `${node}:${port}`)
  const proxied = [...deployed('Caddyfile').matchAll(/reverse_proxy (node\S+(?: node\S+)*) \{/g)]
  const ofAll = proxied.map(([, names]) => names).filter(names => names?.includes(' '))
  assert.equal(ofAll, [upstreams.join(' '), upstreams.join(' ')]) // for calls with a body, and for others
  const others = proxied.map(([, name]) => name).filter(name => !name?.includes(' '))
  assert.equal(others, upstreams.toReversed()) // for the first node, and for the second
  assert.equal(
    [...deployed('nginx.conf').matchAll(/^ +server (.*);$/gm)].map(([, server]) => server),
    upstreams.map(upstream => `${upstream} max_fails=0`),
  )
})

Compose('compose: variables and settings of a node are existing options', () => {
  const names = Object.keys(sessionServer.options)
  for (const variable of Object.keys(readCompose().services.node1?.environment ?? {}))
    assert.ok(names.includes(variable.replace('SVCSERVER_', '').toLowerCase()), variable)
  for (const name of Object.keys(parse(deployed('server.yml')))) assert.ok(names.includes(name), name)
})

Compose('a node that cannot write to the folder of its schemes has updates turned off', () => {
  const { schemes_path, schemes_update } = parse(deployed('server.yml'))
  const mounted = readCompose().services.node1?.volumes?.find(each => each.includes(`:${schemes_path}`))
  assert.equal([mounted?.endsWith(':ro'), schemes_update], [true, 0])
})

const DIGEST = /^\S+:[\w.-]+@sha256:[0-9a-f]{64}$/

Compose('each image is named by its digest, also in the container file and in the workflows', () => {
  const { services } = readCompose()
  const ofServices = Object.values(services).flatMap(({ image, build }) => (build ? [] : [image ?? '']))
  const bases = [...deployed('Containerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image)
  const workflows = ['ci', 'release'].map(name =>
    readFileSync(join(PROJECT, `.github/workflows/${name}.yml`), 'utf8'),
  )
  const containers = workflows.map(text => (parse(text).jobs.run ?? parse(text).jobs.publish).container)
  assert.is(new Set(bases).size, 1)
  const images = [...ofServices, ...bases, ...containers]
  assert.is(images.length, 7)
  for (const image of images) assert.match(image, DIGEST)
  const actions = workflows.flatMap(text =>
    [...text.matchAll(/uses: \S+@(\S+)/g)].map(([, version = '']) => version),
  )
  assert.is(actions.length, 2)
  for (const version of actions) assert.match(version, /^[0-9a-f]{40}$/)
})

Compose('each service has a read-only root and no new privileges, and drops all capabilities', () => {
  for (const [name, service] of Object.entries(readCompose().services)) {
    assert.is(service.read_only, true, name)
    assert.equal(service.cap_drop, ['ALL'], name)
    assert.equal(service.security_opt, ['no-new-privileges:true'], name)
    assert.ok(Number(service.pids_limit) > 0, name)
    assert.is(service.privileged, undefined, name)
  }
})

Compose('no service runs as root but the proxy, which may only bind the ports below 1024', () => {
  const { proxy, ...others } = readCompose().services
  assert.equal([proxy?.user, proxy?.cap_add], [undefined, ['NET_BIND_SERVICE']])
  for (const [name, { user = 'root', cap_add }] of Object.entries(others)) {
    assert.not.match(user, /^(root|0)\b/, name)
    assert.is(cap_add, undefined, name)
  }
})

Compose('the database is in a separate network without a way out, which only the nodes share', () => {
  const { services, networks } = readCompose()
  assert.equal(services.postgres?.networks, ['database'])
  assert.is(networks.database?.internal, true)
  const beside = Object.entries(services).filter(([, service]) => service.networks?.includes('database'))
  assert.equal(
    beside.map(([name]) => name),
    ['node1', 'node2', 'postgres'],
  )
})

Compose('only the proxy is reached from outside, and Prometheus from this machine', () => {
  const published = Object.entries(readCompose().services).filter(([, { ports }]) => ports)
  assert.equal(
    published.map(([name, { ports }]) => [name, ports]),
    [
      ['proxy', ['80:80', '443:443']],
      ['prometheus', ['127.0.0.1:9090:9090']],
    ],
  )
})

/** Words of names that hold secrets, unless the name ends with the word for a file. */
const SECRET = /(password|passwd|pw|token|secret|key|store|dsn)(?!.*_file$)/i

Compose('no secret is in a variable, on a command line or in the settings: each is a file', () => {
  const { services } = readCompose()
  for (const [name, { environment = {}, command, healthcheck }] of Object.entries(services)) {
    assert.equal(
      Object.keys(environment).filter(variable => SECRET.test(variable)),
      [],
      name,
    )
    assert.is(command, undefined, name)
    assert.not.match(healthcheck?.test.join(' ') ?? '', SECRET, name)
  }
  const { store, store_file, jwt_privkey, jwt_privkey_file, requestors } = parse(deployed('server.yml'))
  const files = [store_file, jwt_privkey_file, requestors.webshop.key_file]
  assert.equal([store, jwt_privkey, requestors.webshop.key], [undefined, undefined, undefined])
  assert.equal(files.toSorted(), services.node1?.secrets?.map(secret => `/run/secrets/${secret}`).toSorted())
})

/** @returns the exit code of the health check of the image for an address */
function checkHealth(url: string): Promise<number | null> {
  const [, list = ''] = /^HEALTHCHECK .*\\\n +CMD (\[.*\])$/m.exec(deployed('Containerfile')) ?? []
  const [program, ...words]: readonly string[] = JSON.parse(list)
  assert.is(program, 'node')
  return new Promise(resolve => {
    const child = execFile(process.execPath, words, { env: { ...process.env, HEALTH_URL: url } })
    child.on('close', resolve)
  })
}

Compose('the health check of the image asks the node whether it answers', async () => {
  const answers: Readonly<Record<string, number>> = { '/well': 200, '/ill': 503 }
  const server = createServer(({ url = '' }, answer) => answer.writeHead(answers[url] ?? 404).end())
  const port = await freePort()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  assert.is(await checkHealth(`http://127.0.0.1:${port}/well`), 0)
  assert.is(await checkHealth(`http://127.0.0.1:${port}/ill`), 1)
  server.close()
  assert.is(await checkHealth(`http://127.0.0.1:${await freePort()}/well`), 1)
  const [, path] = /^ENV HEALTH_URL=http:\/\/127\.0\.0\.1:8088(\S+)$/m.exec(deployed('Containerfile')) ?? []
  assert.is(path, '/health') // a node that is not ready needs no restart
  assert.is(parse(deployed('server.yml')).port, 8088)
})

Compose.run()
