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

HouseStyle(`no type has a name that says nothing: ${EMPTY_NAMES.join(', ')}`, () => {
  const declaration = new RegExp(
    `^\\s*(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:type|interface|class) (?:${EMPTY_NAMES.join('|')})\\b`,
  )
  const found = sources.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, i) => (declaration.test(line) ? `${file}:${i + 1}: ${line.trim()}` : [])),
  )
  assert.equal(found, [])
})

HouseStyle('every test file runs its suites', () => {
  const mute = sources
    .filter(({ file }) => file.endsWith('.test.ts'))
    .filter(
      ({ text }) =>
        (text.match(/\bsuite(<[^>]*>)?\(/g)?.length ?? 0) > (text.match(/\.run\(\)/g)?.length ?? 0),
    )
    .map(({ file }) => file)
  assert.equal(mute, [])
})

HouseStyle.run()
