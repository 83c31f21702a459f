/** The mutants of a piece of code, and their descriptions. */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { changesOf } from './code-mutants.ts'
import { edited } from './mutant.ts'

const CodeMutants = suite('mutants of code')

/** The description of each mutant, with the new text. */
function mutantsOf(text: string): readonly (readonly [words: string, text: string])[] {
  return changesOf(text).map(({ words, edit }) => [words, edited(text, [edit])])
}

CodeMutants('a condition is evaluated, and is then false', () => {
  assert.equal(mutantsOf('function f(a) { if (a()) throw 1; }'), [
    ['f: never if (a())', 'function f(a) { if ((a(), false)) throw 1; }'],
  ])
})

CodeMutants('each part of a condition is left out in turn, and each part of such a part', () => {
  assert.equal(mutantsOf('const f = (a, b, c, d) => a && (b || c) && d'), [
    ['f: without a in a && (b || c) && d', 'const f = (a, b, c, d) => ((b || c) && (d))'],
    ['f: without b || c in a && (b || c) && d', 'const f = (a, b, c, d) => ((a) && (d))'],
    ['f: without d in a && (b || c) && d', 'const f = (a, b, c, d) => ((a) && (b || c))'],
    ['f: without b in b || c', 'const f = (a, b, c, d) => a && (((c))) && d'],
    ['f: without c in b || c', 'const f = (a, b, c, d) => a && (((b))) && d'],
  ])
})

CodeMutants('a conditional expression takes the other branch', () => {
  assert.equal(mutantsOf('const f = a => (a ? 1 : 2)'), [
    ['f: other way a ?', 'const f = a => (!(a) ? 1 : 2)'],
  ])
})

CodeMutants('each bound is off by one, except those of counting loops', () => {
  const signs = ['<', '<=', '>', '>=']
  assert.equal(
    signs.flatMap(sign => mutantsOf(`use(a ${sign} b)`).map(([, text]) => text)),
    ['use(a <= b)', 'use(a < b)', 'use(a >= b)', 'use(a > b)'],
  )
  assert.equal(mutantsOf('use((a ?? b) < (c, d))'), [
    ['file: off by one (a ?? b) < (c, d)', 'use((a ?? b) <= (c, d))'],
  ])
  assert.equal(mutantsOf('for (let i = 0; i < n; i++) use(i)'), [])
})

CodeMutants('a comparison that is returned is negated', () => {
  assert.equal(mutantsOf('const f = a => a === 1'), [['f: negated a === 1', 'const f = a => a !== 1']])
  assert.equal(mutantsOf('use(a === 1)'), [])
})

CodeMutants('a call of a check is left out if its result is not used', () => {
  assert.equal(
    mutantsOf('async function f() { await requireToken(1); checked(); check(2); assertRoom(3); }'),
    [
      [
        'f: left out await requireToken(1);',
        'async function f() { undefined; checked(); check(2); assertRoom(3); }',
      ],
      [
        'f: left out check(2);',
        'async function f() { await requireToken(1); checked(); undefined; assertRoom(3); }',
      ],
      [
        'f: left out assertRoom(3);',
        'async function f() { await requireToken(1); checked(); check(2); undefined; }',
      ],
    ],
  )
})

CodeMutants('a call of `can` returns true', () => {
  assert.equal(mutantsOf('use(gate.can(row, e))'), [
    ['file: always gate.can(row, e)', 'use((gate.can(row, e), true))'],
  ])
})

CodeMutants('a time limit is removed, and a timer does nothing when it fires', () => {
  assert.equal(mutantsOf("within(clock, 5, 'x', work())"), [
    ["file: without the limit of within(clock, 5, 'x', work())", '(work())'],
  ])
  assert.equal(mutantsOf('clock.setTimeout(() => end(), 5)'), [
    ['file: nothing at the end of clock.setTimeout(() => end(), 5)', 'clock.setTimeout(() => {}, 5)'],
  ])
})

CodeMutants('a named limit is raised by one, and a named time is doubled', () => {
  assert.equal(
    mutantsOf(
      'const MAX_TRIES = 8; const WAIT_MS = 2 * MINUTE; const X = 3; const LIMITS = { bodyBytes: 10, afterSec: 2 }',
    ),
    [
      [
        'MAX_TRIES: + 1 for MAX_TRIES = 8',
        'const MAX_TRIES = (8) + 1; const WAIT_MS = 2 * MINUTE; const X = 3; const LIMITS = { bodyBytes: 10, afterSec: 2 }',
      ],
      [
        'WAIT_MS: * 2 for WAIT_MS = 2 * MINUTE',
        'const MAX_TRIES = 8; const WAIT_MS = (2 * MINUTE) * 2; const X = 3; const LIMITS = { bodyBytes: 10, afterSec: 2 }',
      ],
      [
        'bodyBytes: + 1 for bodyBytes: 10',
        'const MAX_TRIES = 8; const WAIT_MS = 2 * MINUTE; const X = 3; const LIMITS = { bodyBytes: (10) + 1, afterSec: 2 }',
      ],
      [
        'afterSec: * 2 for afterSec: 2',
        'const MAX_TRIES = 8; const WAIT_MS = 2 * MINUTE; const X = 3; const LIMITS = { bodyBytes: 10, afterSec: (2) * 2 }',
      ],
    ],
  )
})

CodeMutants('code that the compiler adds for `using` is not changed', () => {
  assert.equal(
    mutantsOf('var __dispose = (a && b) || c; function f() { if (result_1) await1(result_1); }'),
    [],
  )
})

CodeMutants.run()
