/** The mutants that a command selects. */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { type Choice, chosenMutants } from './choice.ts'
import type { Mutant } from './mutant.ts'

const Chosen = suite('choice of mutants')

const mutant = (group: string, file: string, name: string): Mutant => ({
  group,
  file,
  name,
  line: null,
  edits: [],
  site: null,
})
const ALL = [
  mutant('session chart', 'machines/session.js', 'a'),
  mutant('delivery chart', 'machines/delivery.js', 'b'),
  mutant('http/app', 'http/app/delete.js', 'c'),
]

function names(choice: Partial<Choice>, killedBy: string | null = null): readonly string[] {
  const before = new Map(ALL.map(({ name }) => [name, { name, killedBy, ms: 1 }]))
  return chosenMutants(ALL, before, { seed: 1, survivors: false, unlisted: false, ...choice }).map(
    ({ name }) => name,
  )
}

Chosen('a chart, a folder, a part of a name and a number choose mutants', () => {
  assert.equal(names({}), ['a', 'b', 'c'])
  assert.equal(names({ chart: 'delivery' }), ['b'])
  assert.equal(names({ folder: 'http/app' }), ['c'])
  assert.equal(names({ name: 'a' }), ['a'])
  assert.is(names({ count: 2 }).length, 2)
})

Chosen('a choice that fits no mutant is an error, not a good score', () => {
  for (const choice of [{ chart: 'sesion' }, { folder: 'http/nowhere' }, { name: 'no such name' }])
    assert.throws(() => names(choice), /expected --chart, --folder and --name to fit a mutant/)
})

Chosen('--unlisted leaves out the mutants that are listed as equal', () => {
  const listed = mutant('crypto', 'crypto/bytes.js', 'crypto/bytes.ts bitLength: never if (x === 0n)')
  const choice = { seed: 1, survivors: false }
  for (const unlisted of [false, true]) {
    const names = chosenMutants([...ALL, listed], new Map(), { ...choice, unlisted }).map(({ name }) => name)
    assert.is(names.includes(listed.name), !unlisted)
    assert.ok(names.includes('c'))
  }
})

Chosen('--survivors is no error if no mutant of the last run survived', () => {
  assert.equal(names({ survivors: true }), ['a', 'b', 'c'])
  assert.equal(names({ survivors: true }, 'http'), [])
})

Chosen.run()
