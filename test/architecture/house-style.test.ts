/** Rules of this project that no linter checks: the size of files, and the duties of a test file. @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { readSource, sourcesOf } from './imports.ts'
import { ALL_SOURCES } from './rooms.ts'

const MAX_LINES = 300
const MAX_LOOSE_FILES = 10
/** Participles, and words of several meanings. A type is named by what it holds. */
const EMPTY_NAMES = ['Asked', 'Told', 'Given', 'Kept', 'Entered', 'Place', 'Outcome', 'Words', 'Facts']

const sources = ALL_SOURCES.map(file => ({ file, text: readSource(file) }))

const HouseStyle = suite('house style')

HouseStyle(`no file is longer than ${MAX_LINES} lines`, () => {
  const long = sources.filter(({ text }) => text.split('\n').length > MAX_LINES + 1).map(({ file }) => file)
  assert.equal(long, [])
})

for (const room of ['actors', 'cli', 'server'])
  HouseStyle(`${room}/ has at most ${MAX_LOOSE_FILES} files beside its folders`, () => {
    const loose = sourcesOf(room).filter(file => file.split('/').length === 2)
    assert.ok(loose.length <= MAX_LOOSE_FILES, loose.join(', '))
  })

HouseStyle('every file opens with a header that says what it is', () => {
  const bare = sources
    .filter(({ file }) => !file.endsWith('.test.ts')) // the names of their suites describe them
    .filter(({ text }) => !/^(#!.*\n)?\/\*\*[\s\S]*?@module\b/.test(text))
    .map(({ file }) => file)
  assert.equal(bare, [])
})

/** A declaration begins a line, or follows the end of another statement or block on its line. */
const DECLARATION = new RegExp(
  `(?:^|[;{}])\\s*(?:(?:export|default|declare|abstract|const)\\s+)*(?:type|interface|class|enum)\\s+(${EMPTY_NAMES.join('|')})(?![\\w$])`,
  'gmd',
)

/** @returns line and name of each type whose name says nothing */
function emptyNamesIn(text: string): string[] {
  return [...text.matchAll(DECLARATION)].map(({ 1: name, indices }) => {
    const [start = 0] = indices?.[1] ?? []
    return `${text.slice(0, start).split('\n').length}: ${name}`
  })
}

HouseStyle(`no type has a name that says nothing: ${EMPTY_NAMES.join(', ')}`, () => {
  const found = sources.flatMap(({ file, text }) => emptyNamesIn(text).map(place => `${file}:${place}`))
  assert.equal(found, [])
})

HouseStyle('a name that says nothing is found in each form of a declaration', () => {
  for (const name of EMPTY_NAMES) {
    for (const declared of [
      `type ${name} = 1`,
      `type  ${name} = 1`,
      `type\t${name}<Of> = Of`,
      `  export type ${name} = 1`,
      `export  declare  interface ${name} {}`,
      `export default abstract class ${name} {}`,
      `enum ${name} { a }`,
      `export const enum ${name} { a }`,
      `type First = 1; type ${name} = 2`,
      `interface First {} interface ${name} {}`,
      `namespace first { export type ${name} = 1 }`,
    ])
      assert.equal(emptyNamesIn(`\n${declared}\n`), [`2: ${name}`], declared)
    for (const other of [
      `type ${name}Of = 1`,
      `type Row${name} = 1`,
      `/** the type ${name} */`,
      `import type ${name} from 'a'`,
      `const type = ${name}`,
    ])
      assert.equal(emptyNamesIn(other), [], other)
  }
})

HouseStyle.run()
