/** The arrows between the rooms (docs/architecture.md) have one direction: every import line is read. @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { fileOf, type Import, importsOf, readSource, sourcesOf, targetsIn } from './imports.ts'
import { ORDER } from './rooms.ts'

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(ORDER.map((room, i) => [room, ORDER.slice(0, i)])),
  server: [...ORDER.slice(0, -1), 'libraries/client'],
  'libraries/wallet': ['ports', 'crypto', 'protocol', 'schemes'],
  'libraries/client': ['ports', 'protocol'],
  'libraries/conformance': ['ports', 'crypto', 'protocol', 'schemes', 'libraries/wallet'],
  'libraries/testing': [...ORDER, 'libraries/wallet'],
  demo: [...ORDER, 'libraries/wallet'],
  cli: [...ORDER, 'libraries/wallet', 'libraries/conformance', 'demo'],
  'tools/site': [...ORDER, 'demo'],
  'tools/bench': [
    ...ORDER,
    'libraries/client',
    'libraries/wallet',
    'libraries/testing',
    'demo',
    'cli',
    'test',
  ],
}
/** Rooms that get time, randomness, network and environment as arguments. */
const PURE = ['crypto', 'sessions', 'accounts', 'machines']
const IMPURE =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(|\bprocess\.env\b|\bfetch\(|from 'node:(http|https|net|fs|dns|timers)|import \{[^}]*random[^}]*\} from 'node:crypto'|\bgetRandomValues\(|\bsetTimeout\(/

/** The room of a relative import, or null for a package. */
function roomOf(line: Import): string | null {
  const file = fileOf(line)
  return file === null ? null : (/^(?:libraries|tools)\/[^/]+|^[^/]+/.exec(file)?.[0] ?? null)
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

Arrows('client imports of protocol types alone, so that a page loads nothing of the server', () => {
  const wrong = sourcesOf('libraries/client').filter(file =>
    /^import (?!type )[^']*from '\.\.\/\.\.\/protocol/m.test(readSource(file)),
  )
  assert.equal(wrong, [])
})

for (const room of PURE) {
  Arrows(`${room} touches no clock, network, environment or randomness`, () => {
    assert.equal(
      sourcesOf(room).filter(file => IMPURE.test(readSource(file))),
      [],
    )
  })
}

Arrows('static, type, bare and dynamic imports are read, and exports from other files; texts are not', () => {
  const lines = [
    "import { a } from '../a.ts'\nimport type { b } from './b.ts'\nimport {\n  c,\n} from './c.ts'",
    "import './d.ts'\nexport { e } from './e.ts'\nconst f = await import('./f.ts')",
    "const no = Buffer.from('no')\nexport const none = `expected from 'no'`",
  ]
  assert.equal(targetsIn(lines.join('\n')), ['../a.ts', './b.ts', './c.ts', './d.ts', './e.ts', './f.ts'])
})

Arrows.run()
