/** Every name of a chart has words, and no words belong to a removed name. */
import * as assert from 'uvu/assert'
import { type Chart, conditionsOf, type Guard } from '../../charts/chart.ts'
import { WORDS } from '../../charts/words/all-words.ts'
import { suite } from '../suite.ts'
import { ALL_CHARTS } from './generated.ts'

const Words = suite('charts: names in words')

function namesOf(guard: Guard | null): readonly string[] {
  return conditionsOf(guard).flatMap(each => {
    if (each.kind === 'not') return namesOf(each.guard)
    return each.kind === 'name' ? each.name : []
  })
}

function named({ states, transitions }: Chart): Readonly<Record<string, readonly string[]>> {
  const causes = (kind: string) =>
    transitions.filter(({ cause }) => cause.kind === kind).map(({ cause }) => cause.name)
  return {
    states: states.map(({ id }) => id),
    events: causes('event'),
    delays: causes('delay'),
    guards: transitions.flatMap(({ guard }) => namesOf(guard)),
    effects: transitions.flatMap(({ effects }) => effects),
    facts: transitions.flatMap(({ facts }) => facts),
  }
}

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted()

for (const chart of ALL_CHARTS)
  for (const [part, names] of Object.entries(named(chart)))
    Words(`the ${part} of the ${chart.name} chart equal the names that have words`, () => {
      const words: Readonly<Record<string, unknown>> = WORDS[chart.name]
      assert.equal(sorted(Object.keys(Object(words[part]))), sorted(names))
    })

Words.run()
