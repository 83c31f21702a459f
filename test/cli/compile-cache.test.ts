/** The packages that a start of a server loads, and the compiled code that is kept between two runs. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import Module from 'node:module'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runSvc } from './run-svc.ts'

const CHECK = ['server', 'check', '--schemes-path', DEMO_SCHEMES, '--store', 'memory']
const hasCache = 'enableCompileCache' in Module

const Cache = suite('svc: modules and compiled code')

/** The packages whose files a command loads, by the report of coverage of V8. */
async function packagesOf(words: readonly string[]): Promise<ReadonlySet<string>> {
  const folder = temporaryFolder()
  const { code, stderr } = await runSvc(words, { NODE_V8_COVERAGE: folder })
  assert.is(code, 0, stderr)
  const urls = readdirSync(folder).flatMap(file => {
    const report: { readonly result: readonly { readonly url: string }[] } = JSON.parse(
      readFileSync(join(folder, file), 'utf8'),
    )
    return report.result.map(({ url }) => url)
  })
  return new Set(urls.flatMap(url => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []))
}

Cache('a session server loads no package that only some settings, or only calls, need', async () => {
  const packages = await packagesOf(CHECK)
  for (const name of ['koa', 'fast-xml-parser']) assert.ok(packages.has(name), name)
  const later = [
    'koa-body',
    'smol-toml',
    'yaml',
    'undici',
    'kysely',
    'pg',
    '@redis/client',
    'prom-client',
    'ws',
  ]
  const others = ['oidc-provider', 'nodemailer', 'qrcode']
  assert.equal(
    [...later, ...others].filter(name => packages.has(name)),
    [],
  )
})

Cache('the compiled code is kept in the cache folder of the user, and used by the next run', async () => {
  const folder = temporaryFolder()
  const env = { XDG_CACHE_HOME: folder, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const first = await runSvc(['server', '--help'], env)
  const second = await runSvc(['server', '--help'], env)
  assert.equal([first.code, second.code], [0, 0])
  assert.is(existsSync(join(folder, 'svc/compiled')), hasCache)
  assert.not.match(first.stdout + first.stderr, 'was accepted')
  assert.is((second.stdout + second.stderr).includes('was accepted'), hasCache)
})

Cache('NODE_COMPILE_CACHE names another folder', async () => {
  const [own, other] = [temporaryFolder(), join(temporaryFolder(), 'other')]
  const { code } = await runSvc(['--version'], { XDG_CACHE_HOME: own, NODE_COMPILE_CACHE: other })
  assert.is(code, 0)
  assert.equal([readdirSync(own), existsSync(other)], [[], hasCache])
})

Cache('a cache folder that cannot be written does not affect the command', async () => {
  const folder = temporaryFolder()
  const plain = await runSvc(['--version'], { XDG_CACHE_HOME: folder })
  const without = await runSvc(['--version'], { XDG_CACHE_HOME: '/dev/null' })
  assert.equal(without, plain)
  assert.ok(!statSync('/dev/null').isDirectory())
})

Cache.run()
