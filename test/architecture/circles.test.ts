/** No file imports itself, directly or through other files. Every file of the tree is read, including tests and types. @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { fileOf, importsOf } from './imports.ts'
import { ALL_SOURCES } from './rooms.ts'

type Imports = ReadonlyMap<string, readonly string[]>

/** The first cycle on a walk along the imports, as the files from one file back to itself; undefined if there is none. */
function circleIn(imports: Imports): readonly string[] | undefined {
  const left = new Set<string>()
  const way: string[] = []
  function enter(file: string): readonly string[] | undefined {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (left.has(file)) return undefined
    way.push(file)
    for (const target of imports.get(file) ?? []) {
      const circle = enter(target)
      if (circle) return circle
    }
    way.pop()
    left.add(file)
    return undefined
  }
  for (const file of imports.keys()) {
    const circle = enter(file)
    if (circle) return circle
  }
  return undefined
}

const Circles = suite('no circle between files')

Circles('no file imports itself, directly or through other files', () => {
  const imports = ALL_SOURCES.map(
    file => [file, importsOf(file).flatMap(line => fileOf(line) ?? [])] as const,
  )
  assert.equal(circleIn(new Map(imports)), undefined)
})

Circles('a circle is found from any start, and two paths to one file are no circle', () => {
  const diamond: [string, string[]][] = [
    ['a', ['b', 'c']],
    ['b', ['d']],
    ['c', ['d']],
  ]
  assert.is(circleIn(new Map(diamond)), undefined)
  assert.equal(circleIn(new Map([...diamond, ['d', ['e']], ['e', ['b']]])), ['b', 'd', 'e', 'b'])
  assert.equal(circleIn(new Map([['a', ['a']]])), ['a', 'a'])
})

Circles.run()
