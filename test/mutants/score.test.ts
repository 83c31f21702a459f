/** The report of a run about its mutants. */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { equalLine, linesWithoutMutant } from './equal.ts'
import { type Mutant, withUniqueNames } from './mutant.ts'
import { scoreLines } from './score.ts'

const Score = suite('score of mutants')

const mutant = (group: string, name: string): Mutant => ({
  group,
  name,
  file: '',
  line: 7,
  edits: [],
  site: null,
})
const LINES = [{ names: /equal$/, reason: 'nobody asks' }]

function score(outcomes: readonly (readonly [group: string, name: string, killedBy: string | null])[]) {
  const mutants = outcomes.map(([group, name]) => mutant(group, name))
  const results = new Map(outcomes.map(([, name, killedBy]) => [name, { name, killedBy, ms: 1 }]))
  return scoreLines(mutants, results, name => equalLine(name, LINES))
}

Score('survivors are listed; charts and folders have a score, without mutants listed as equal', () => {
  const { lines, isGood } = score([
    ['session chart', 'a', 'paths'],
    ['session chart', 'b', null],
    ['http/app', 'c', 'http'],
    ['http/app', 'd equal', null],
  ])
  assert.equal(lines, [
    'survived: b (line 7)',
    '  http/app: 1 of 1 killed, 100.0 %, 1 listed as equal',
    'session chart: 1 of 2 killed, 50.0 %',
    'beyond the charts: 1 of 1 killed, 100.0 %, 1 listed as equal',
  ])
  assert.is(isGood, false)
})

Score('95 % of each chart, and of the checks beyond them, are enough', () => {
  const killed = Array.from({ length: 19 }, (_, i) => ['http', `k${i}`, 'a test'] as const)
  assert.is(score([...killed, ['http', 's', null]]).isGood, true)
  assert.is(score([...killed.slice(1), ['http', 's', null]]).isGood, false)
  assert.is(score([...killed, ['login chart', 's', null]]).isGood, false)
})

Score('a mutant that is listed as equal, and is killed, is an error', () => {
  const { lines, isGood } = score([['http', 'x equal', 'a test']])
  assert.is(lines[0], 'listed as equal, but killed by a test: x equal (line 7)')
  assert.is(isGood, false)
})

Score('a line of the list that fits no mutant is reported', () => {
  assert.equal(linesWithoutMutant(['x equal'], LINES), [])
  assert.equal(linesWithoutMutant(['x'], LINES), ['/equal$/'])
})

Score('an alternative of a line that fits no mutant is reported', () => {
  const reason = 'they behave alike'
  const lines = [{ names: /^x (?:one|two \(|three\|four) (?:left|right)$/, reason }]
  const all = ['x one left', 'x two ( left', 'x three|four right']
  assert.equal(linesWithoutMutant(all, lines), [])
  assert.equal(linesWithoutMutant(all.slice(0, 2), lines), [
    '/^x three\\|four (?:left|right)$/',
    '/^x (?:one|two \\(|three\\|four) right$/',
  ])
})

Score('equal names of mutants get numbers', () => {
  const names = withUniqueNames(['a', 'b', 'a', 'a'].map(name => mutant('http', name))).map(
    ({ name }) => name,
  )
  assert.equal(names, ['a', 'b', 'a (2)', 'a (3)'])
})

Score.run()
