/** The outside world is reached only through `ports`: time, randomness and calls have their limits there, and tests can replace them. */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { importsOf, readSource, sourcesOf } from './imports.ts'
import { ORDER } from './rooms.ts'

const ROOMS = [
  ...ORDER,
  'libraries/wallet',
  'libraries/testing',
  'libraries/conformance',
  'demo',
  'cli',
].filter(room => room !== 'ports')

const REACHES: readonly (readonly [what: string, reach: RegExp, but: Readonly<Record<string, string>>])[] = [
  [
    'reads a clock of its own',
    /\bDate\.now\b|\bperformance\.now\b|\bnew Date\(\)/,
    { 'actors/workers/measured-work.ts': 'it measures the work of a thread in fractions of a millisecond' },
  ],
  [
    'waits by a timer of its own',
    /(?<![.\w])(?:setTimeout|setInterval)\((?!\w+: )|'node:timers|\bAbortSignal\.timeout\(/,
    {
      'stores/sqlite/group-commit.ts': 'it waits for the lock of another process, in real time',
      'stores/sqlite/while-locked.ts': 'the same',
      'stores/sqlite/owner/hold-file.ts': 'the same',
    },
  ],
  [
    'asks the system for randomness',
    /import \{[^}]*\brandom\w*\b[^}]*\} from 'node:crypto'|\bgetRandomValues\(|\bMath\.random\(|\brandomUUID\(/,
    {},
  ],
  [
    'calls a server without a limit',
    /\bfetch\((?!\w+, \w+\) \{)/,
    {
      'demo/site-fetch.ts': 'it is itself called within a limit',
      'libraries/testing/faults.ts': 'the same',
      'demo/programs.ts': 'the calls are in the texts of example programs',
      'libraries/conformance/app.ts': 'the same',
      'http/oidc/provider.ts': 'oidc-provider ends each of its calls after 2.5 s',
    },
  ],
  [
    'listens without the bounds of http/listen.ts',
    /import \{[^}]*\bcreateServer\b[^}]*\} from 'node:(?:https?|net)'/,
    {
      'http/listen.ts': 'the bounds themselves',
      'http/http-server.ts': 'the listeners with options; it takes the same bounds',
      'libraries/conformance/other-servers.ts': 'it reads every request completely before it answers',
    },
  ],
  [
    'reads an answer of any length to its end',
    /\.(?:text|json|arrayBuffer|blob)\(\)|\bfor await \(const chunk\b/,
    { 'demo/programs.ts': 'the answers are read in the texts of example programs' },
  ],
  ['asks canParse, which misreads Latin-1 on Node 20 (ports/parse-url.ts)', /\bURL\.canParse\(/, {}],
]

const OutsideWorld = suite('the world outside')

for (const [what, reach, but] of REACHES) {
  const reaching = ROOMS.flatMap(sourcesOf).filter(file => reach.test(readSource(file)))

  OutsideWorld(`no room but ports ${what}`, () => {
    assert.equal(
      reaching.filter(file => !(file in but)),
      [],
    )
  })

  OutsideWorld(`every listed file still ${what}`, () => {
    assert.equal(
      Object.keys(but).filter(file => !reaching.includes(file)),
      [],
    )
  })
}

OutsideWorld('each pattern finds its examples, and passes similar lines', () => {
  const found = [
    ['const at = Date.now()', 'now: Date.now,', 'const { now } = performance.now()', 'new Date()'],
    ['setTimeout(go, 10)', "import { setTimeout } from 'node:timers/promises'", 'AbortSignal.timeout(10)'],
    ["import { createHash, randomBytes } from 'node:crypto'", 'crypto.getRandomValues(bytes)'],
    ['await fetch(url)', 'await deps.fetch(url, init)', 'return fetch(input, init)'],
    ["import { createServer, type Server } from 'node:http'"],
    ['await response.text()', 'for await (const chunk of body)'],
    ['URL.canParse(text)'],
  ]
  const passed = [
    ['clock.now()', 'new Date(atSec * 1_000)'],
    ['clock.setTimeout(go, 10)', 'setTimeout(callback: () => void, ms: number): Timer'],
    ["import { createHash } from 'node:crypto'", 'random.bytes(8)'],
    ['fetchWithin(limit, fetch, url)', 'fetch(input, init) {'],
    ["import { createServer } from '../http-server.ts'", "import type { Server } from 'node:http'"],
    ['response.text', 'for await (const status of statuses)'],
    ['parseUrl(text)'],
  ]
  for (const [i, [what, reach]] of REACHES.entries()) {
    for (const line of found[i] ?? []) assert.match(line, reach, what)
    for (const line of passed[i] ?? []) assert.not.match(line, reach, what)
  }
})

OutsideWorld('event streams have one reader, which the page of the tour shares', () => {
  const readers = ['ports', ...ROOMS]
    .flatMap(sourcesOf)
    .flatMap(importsOf)
    .filter(({ target }) => target.startsWith('eventsource-parser'))
    .map(({ file }) => file)
  assert.equal(readers, ['ports/event-stream.ts'])
})

OutsideWorld.run()
