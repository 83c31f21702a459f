/** The image of `deploy/Containerfile`, made by its steps from the files of the project, and run as the manifests run it. */
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort, type Running, withSvc } from '../../cli/run-svc.ts'
import { DEMO_SCHEMES, isMissing, PROJECT } from '../../project.ts'
import { suite } from '../../suite.ts'
import { copied } from '../tools.ts'
import { COMPILED, carryOut, IS_WHOLE, lastOf, STEPS, stepsOf } from './carry-out.ts'
import { canConfine, startConfined } from './confined.ts'
import { compiledIn, contentsOf, differing } from './contents.ts'

const Image = suite('deploy: the image')
const confined = isMissing('the right to mount (root, unshare)', canConfine) ? Image.skip : Image

const PACKAGE = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
const USER = lastOf('USER')
const SETTINGS = '/etc/svc/server.yml'

const root = canConfine ? carryOut() : ''

function start(words: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  return startConfined(root, USER, words, env)
}

/** The command of the image. @param words in place of CMD */
function startImage(words: readonly string[]): Running {
  const entry: readonly string[] = JSON.parse(lastOf('ENTRYPOINT'))
  return start([...entry, ...words], { NODE_ENV: 'production' })
}

function checkHealth(url: string): Promise<{ readonly code: number | null }> {
  const [, command = ''] = /CMD (\[.*\])$/.exec(lastOf('HEALTHCHECK')) ?? []
  return start(JSON.parse(command), { HEALTH_URL: url }).finished
}

/** Writes a file below the root of the image, readable for every user. */
function put(path: string, content: string | Uint8Array): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), content)
  chmodSync(join(root, path), 0o644)
}

Image('labels agree with package.json', () => {
  const labels = Object.fromEntries(
    [...lastOf('LABEL').matchAll(/(\S+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  const { name, description, license, repository } = PACKAGE
  assert.equal(labels, {
    'org.opencontainers.image.title': name,
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.source': repository.url.replace(/^git\+(.*)\.git$/, '$1'),
    'org.opencontainers.image.licenses': license,
  })
})

Image('its user is a number, and not that of root', () => {
  assert.match(USER, /^[1-9]\d*:[1-9]\d*$/)
})

type Locked = { readonly dev?: boolean; readonly os?: readonly string[]; readonly cpu?: readonly string[] }
const LOCKED: Readonly<Record<string, Locked>> = JSON.parse(
  readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'),
).packages

/** A package for one processor is a package of its own for each. */
const isForMany = (cpu: readonly string[] | undefined): boolean => cpu?.length !== 1

/** The folders of the packages that the image has. */
const RUNTIME = Object.keys(LOCKED).filter(path => path !== '' && !LOCKED[path]?.dev)

Image('packages for one processor are in the image for amd64 and arm64', () => {
  const forLinux = RUNTIME.filter(
    path => LOCKED[path]?.os?.includes('linux') && !isForMany(LOCKED[path]?.cpu),
  )
  const amd64 = forLinux.filter(path => path.endsWith('linux-x64'))
  assert.ok(amd64.length > 0)
  for (const path of amd64) assert.ok(forLinux.includes(path.replace(/x64$/, 'arm64')), path)
})

Image('each compiled file of other packages is in the image for amd64 and arm64', () => {
  const others = RUNTIME.filter(path => isForMany(LOCKED[path]?.cpu))
  const compiled = others.flatMap(path =>
    compiledIn(join(PROJECT, path)).map(each => ({ ...each, path: join(path, each.path) })),
  )
  const pathsFor = (machine: string): readonly string[] =>
    compiled
      .filter(each => each.machine === machine)
      .map(({ path }) => path.replace(`linux-${machine}`, 'linux'))
      .toSorted()
  assert.ok(compiled.length > 0)
  assert.equal(pathsFor('arm64'), pathsFor('x64'))
  assert.is(compiled.length, 2 * pathsFor('x64').length, 'no file for another processor')
})

Image('an unknown step is refused, and a continued line is one step', () => {
  assert.equal(stepsOf('# note\nLABEL a="b" \\\n  c="d"\n'), [{ word: 'LABEL', rest: 'a="b"   c="d"' }])
  assert.throws(() => carryOut([{ word: 'VOLUME', rest: '/data' }]), 'expected a known step, got VOLUME')
  assert.ok(STEPS.length > 10)
})

confined('it has the program and its packages, but no test and no tool of developers', () => {
  for (const path of ['dist/cli/main.js', 'node_modules/koa', 'http/inspector/page', 'http/oidc/page'])
    assert.ok(existsSync(join(root, 'app', path)), path)
  for (const path of [
    'dist/test',
    'dist/tools',
    'dist/.tsbuildinfo',
    'node_modules/typescript',
    'demo',
    '.git',
  ])
    assert.not(existsSync(join(root, 'app', path)), path)
})

confined('two builds have the same files: path, mode and content', () => {
  const [one, other] = [carryOut(STEPS, COMPILED), root].map(each => contentsOf(join(each, 'app')))
  assert.ok(one && other && one.size > 1_000)
  // otherwise both have the packages of this checkout, whose caches other tests may change meanwhile
  const isMade = (path: string): boolean => IS_WHOLE || !path.startsWith('node_modules/')
  assert.equal(differing(one, other).filter(isMade), [])
})

confined('no process of it can write to its root', async () => {
  const { code, stderr } = await start(['touch', '/app/new']).finished
  assert.is(code, 1)
  assert.match(stderr, 'Read-only file system')
})

confined('a server starts with CMD, and HEALTHCHECK gives 0 while it runs, and 1 later', async () => {
  cpSync(DEMO_SCHEMES, join(root, 'etc/svc/schemes'), { recursive: true })
  const port = await freePort()
  put(
    SETTINGS,
    `{store: memory, schemes_path: /etc/svc/schemes, schemes_update: 0, no_auth: true, port: ${port}, listen_addr: 127.0.0.1}`,
  )
  const url = `http://127.0.0.1:${port}/health`
  const words: readonly string[] = JSON.parse(lastOf('CMD'))
  assert.equal(words.slice(1), ['--config', SETTINGS])
  assert.is((await checkHealth(url)).code, 1)
  await withSvc(startImage(words), async running => {
    await running.says('svc server running')
    assert.is((await checkHealth(url)).code, 0)
  })
  assert.is((await checkHealth(url)).code, 1)
})

confined('the image is also that of an OpenID provider, whose page has its script', async () => {
  const place = { '/run/secrets/store': '/etc/svc/store', '/run/secrets/': '/etc/svc/' }
  const folder = join(root, 'etc/svc')
  copied('oidc.yml', folder, place)
  chmodSync(join(folder, 'oidc.yml'), 0o644)
  put('/etc/svc/storage.key', readFileSync(join(PROJECT, 'test/vectors/keys/storage-key.aes')))
  put('/etc/svc/store', 'postgres://svc:password@postgres/svc')
  put('/etc/svc/subject.salt', 'salt of this test, long enough for a file of a salt')
  put('/etc/svc/shop.secret', 'a secret of the shop, long enough for HMAC')
  const words = ['oidc', 'check', '--config', '/etc/svc/oidc.yml', '--url', 'https://login.example/']
  const { code, stderr } = await startImage(words).finished
  assert.is(code, 0, stderr)
  assert.match(stderr, 'the settings are in order')
})

Image.run()
