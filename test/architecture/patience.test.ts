/** Tests wait through `test/patience.ts`: any other limit, in time or in turns of the event loop, fails on a slow machine. */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { readSource, sourcesOf } from './imports.ts'

const OWN = [
  'test/patience.ts',
  'test/architecture/patience.test.ts',
  'test/architecture/outside-world.test.ts',
]
const FILES = [...sourcesOf('test'), ...sourcesOf('libraries/testing')].filter(file => !OWN.includes(file))

const A_PROGRAM = 'a program that is run'

/** Things that a test must not do, each with the files that do them for a reason. */
const BOUNDS: readonly (readonly [what: string, bound: RegExp, but: Readonly<Record<string, string>>])[] = [
  [
    'waits by a timer of its own',
    /(?<![.\w])(?:setTimeout|setInterval)\((?!\w+(?:: [^,]+)?, \w+(?:: \w+)?\) \{)|import \{[^}]*\bset(?:Timeout|Interval)\b[^}]*\} from 'node:timers|\bAbortSignal\.timeout\(|\.waitForTimeout\(/,
    {
      'test/build/fake-run.ts': A_PROGRAM,
      'test/build/folder-run.test.ts': A_PROGRAM,
      'test/docs/reader.test.ts': A_PROGRAM,
      'test/examples/next-site.ts': A_PROGRAM,
      'test/server/log/program.ts': A_PROGRAM,
      'test/actors/threads-process.test.ts': A_PROGRAM,
      'test/mutants/workshop.test.ts': A_PROGRAM,
      'test/mutants/run-tests.ts': 'most mutants hang',
      'test/faults/cluster/field.ts': 'a client gives up, and asks another node',
      'test/faults/proxy/counted.ts': 'a client gives up, and calls again',
      'test/ports/clock.test.ts': 'the process is kept alive',
      'test/stores/sqlite-failures.test.ts': 'commits are made one after the other',
      'test/stores/redis/opening.test.ts': 'a search that does not end becomes an error',
    },
  ],
  [
    'limits a wait by a number',
    /\btimeout: (?:\d{4,}|\d+_\d)|\.setDefault(?:Navigation)?Timeout\((?!PATIENCE_MS\))/,
    {
      'test/faults/kill-callbacks.test.ts': 'the timeout of a session',
      'test/http/create-refused.test.ts': 'the timeout of a session',
    },
  ],
  [
    'repeats a look a fixed number of times',
    /for \(let \w+ = 0; [^;]*&&[^;]*; \w+(?:\+\+| \+= \d+)\)\s*(?:await|\{\s*await)|for \(let looks\b/,
    {
      'test/demo/keyboard.test.ts': 'a key is pressed each time',
      'test/interleavings/script.ts': 'a script has a fixed number of steps',
    },
  ],
  [
    'compares the time with the clock of the system',
    /\b(?:Date|performance)\.now\(\)(?: - \w+)? [<>]|(?<!=)[<>]=? (?:Date|performance)\.now\(\)/,
    {
      'test/faults/driven-session.ts': 'no session is timed out before its deadline',
      'test/faults/cluster/run-cluster.ts': 'the caller decides how long faults last',
      'test/cli/deliveries.test.ts': 'a delivery is due, and stays so',
      'test/demo/tour.test.ts': 'a time that was signed is not in the future',
      'test/stores/postgres/opening.test.ts': 'a clock that is an hour ahead',
    },
  ],
]

const Patience = suite('the patience of tests')

for (const [what, bound, but] of BOUNDS) {
  const bounded = FILES.filter(file => bound.test(readSource(file)))

  Patience(`no test ${what}`, () => {
    assert.equal(
      bounded.filter(file => !(file in but)),
      [],
    )
  })

  Patience(`every listed test still ${what}`, () => {
    assert.equal(
      Object.keys(but).filter(file => !bounded.includes(file)),
      [],
    )
  })
}

Patience('each pattern finds its examples, and passes similar lines', () => {
  const found = [
    [
      'setTimeout(go, 10)',
      "import { setTimeout as pause } from 'node:timers/promises'",
      'AbortSignal.timeout(10)',
    ],
    ['run(file, { timeout: 30_000 })', 'timeout: 5000', 'page.setDefaultTimeout(30_000)'],
    ['for (let i = 0; i < 9 && !isThere(); i++) await settle()', 'for (let looks = 0; looks < 9; looks++) {'],
    [
      'while (Date.now() < untilAt)',
      'performance.now() - startedAt < LIMIT',
      'assert.ok(endsAt > Date.now())',
    ],
  ]
  const passed = [
    [
      'clock.setTimeout(go, 10)',
      'setTimeout(callback, ms) {',
      'setTimeout(callback: () => void, ms: number) {',
    ],
    ['{ timeout: 60 }', 'page.setDefaultTimeout(PATIENCE_MS)'],
    ['for (let i = 0; i < 9; i++) await settle()'],
    ['createSimulatedClock(Date.now() + 60_000)', 'Date.now() - 2 * HOUR', 'now: () => Date.now() - aheadMs'],
  ]
  for (const [i, [what, bound]] of BOUNDS.entries()) {
    for (const line of found[i] ?? []) assert.match(line, bound, what)
    for (const line of passed[i] ?? []) assert.not.match(line, bound, what)
  }
})

Patience.run()
