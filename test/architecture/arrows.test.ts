/** The arrows between the rooms (docs/architecture.md) go one way: every import line is read. @module */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

/** A room imports from the rooms to its left. */
const ORDER = [
  'ports',
  'crypto',
  'protocol',
  'schemes',
  'sessions',
  'machines',
  'stores',
  'actors',
  'http',
  'server',
] as const
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(ORDER.map((room, i) => [room, ORDER.slice(0, i)])),
  wallet: ['ports', 'crypto', 'protocol', 'schemes'],
  demo: [...ORDER, 'wallet'],
  cli: [...ORDER, 'wallet', 'demo'],
  bench: [...ORDER, 'wallet', 'demo', 'cli', 'test'],
}
/** Rooms that get time, randomness, network and environment as arguments. */
const PURE = ['crypto', 'sessions', 'machines']
const IMPURE =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(|\bprocess\.env\b|\bfetch\(|from 'node:(http|https|net|fs|dns|timers)|import \{[^}]*random[^}]*\} from 'node:crypto'|\bgetRandomValues\(|\bsetTimeout\(/
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g
/** Modules of a third party that a pure room may use. */
const IMPURE_PACKAGES = /^(koa|@koa\/|kysely|piscina|pino|commander)/

type Import = { readonly file: string; readonly target: string }

function sourcesOf(room: string): string[] {
  if (!existsSync(join(PROJECT, room))) return []
  return readdirSync(join(PROJECT, room), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(room, name))
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(PROJECT, file), 'utf8')
  return [...text.matchAll(IMPORT)].map(([, target = '']) => ({ file, target }))
}

/** The room of a relative import, or null for a package. */
function roomOf({ file, target }: Import): string | null {
  if (!target.startsWith('.')) return null
  return relative(PROJECT, resolve(PROJECT, dirname(file), target)).split('/')[0] ?? null
}

const Arrows = suite('arrows between the rooms')

for (const [room, allowed] of Object.entries(MAY_IMPORT)) {
  Arrows(`${room} imports only ${allowed.join(', ') || 'packages'}`, () => {
    const wrong = sourcesOf(room)
      .flatMap(importsOf)
      .filter(line => {
        const other = roomOf(line)
        return other !== null && other !== room && !allowed.includes(other) && other !== 'package.json'
      })
    assert.equal(wrong, [])
  })
}

for (const room of PURE) {
  Arrows(`${room} touches no clock, network, environment or randomness`, () => {
    const touching = sourcesOf(room).filter(file => IMPURE.test(readFileSync(join(PROJECT, file), 'utf8')))
    assert.equal(touching, [])
    const packages = sourcesOf(room)
      .flatMap(importsOf)
      .filter(({ target }) => IMPURE_PACKAGES.test(target))
    assert.equal(packages, [])
  })
}

Arrows('the pattern reads static, type and dynamic imports', () => {
  const text = `import { a } from '../x.ts'\nimport type { b } from './y.ts'\nconst c = import('../z.ts')`
  assert.equal(
    [...text.matchAll(IMPORT)].map(([, target]) => target),
    ['../x.ts', './y.ts', '../z.ts'],
  )
})

Arrows.run()
