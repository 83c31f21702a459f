/** The packages that each room may import, by the table of dependencies: a package has its purpose in few rooms. @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { importsOf, sourcesOf } from './imports.ts'
import type { Room } from './rooms.ts'

/** Benches and tests may import every package. */
const PACKAGES: Readonly<Record<Exclude<Room, 'tools/bench' | 'test'>, readonly string[]>> = {
  ports: ['eventsource-parser', 'lru-cache', 'nodemailer', 'undici'],
  crypto: ['cborg', 'koffi', 'lru-cache'],
  protocol: ['zod'],
  schemes: ['bcrypt-pbkdf', 'fast-xml-parser', 'jose'],
  sessions: [],
  accounts: ['cborg', 'lru-cache'],
  machines: ['xstate', 'zod'],
  charts: ['xstate'],
  stores: ['@photostructure/sqlite', '@redis/client', 'kysely', 'lru-cache', 'pg'],
  actors: ['lru-cache', 'xstate', 'zod'],
  http: [
    '@koa/router',
    'koa',
    'koa-body',
    'oidc-provider',
    'pino',
    'prom-client',
    'qrcode',
    'raw-body',
    'ws',
    'zod',
  ],
  server: ['jose', 'pino', 'smol-toml', 'yaml', 'zod'],
  'libraries/wallet': ['@photostructure/sqlite'],
  'libraries/client': ['jose'],
  'libraries/conformance': [],
  'libraries/testing': [],
  demo: ['@koa/router', 'jose', 'koa', 'lru-cache', 'pino', 'qrcode', 'zod'],
  cli: ['commander', 'jose', 'pino', 'qrcode', 'zod'],
  'tools/site': ['@11ty/eleventy', 'minisearch'],
}

function packageOf(target: string): string[] {
  if (target.startsWith('.') || target.startsWith('node:')) return []
  return [target.split('/', target.startsWith('@') ? 2 : 1).join('/')]
}

const Packages = suite('packages of the rooms')

for (const [room, allowed] of Object.entries(PACKAGES)) {
  Packages(`${room} imports of packages only ${allowed.join(', ') || 'Node'}`, () => {
    const wrong = sourcesOf(room)
      .flatMap(importsOf)
      .filter(({ target }) => packageOf(target).some(name => !allowed.includes(name)))
    assert.equal(wrong, [])
  })
}

Packages('an import of any module of a package counts as an import of the package', () => {
  const names = ['koa', 'uvu/assert', '@koa/router', '@koa/router/lib', 'node:fs', './koa.ts']
  assert.equal(names.flatMap(packageOf), ['koa', 'uvu', '@koa/router', '@koa/router'])
})

Packages.run()
