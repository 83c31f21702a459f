/** Rules of the house that no linter holds: the size of files, and what a test file must do. @module */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const ROOMS = [
  ...['ports', 'crypto', 'protocol', 'schemes', 'sessions', 'machines', 'stores', 'actors', 'http', 'server'],
  ...['wallet', 'cli', 'demo', 'bench', 'test'],
]
const MAX_LINES = 300

const sources = ROOMS.filter(room => existsSync(join(PROJECT, room)))
  .flatMap(room =>
    readdirSync(join(PROJECT, room), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => join(room, name)),
  )
  .map(file => ({ file, text: readFileSync(join(PROJECT, file), 'utf8') }))

const HouseStyle = suite('house style')

HouseStyle(`no file is longer than ${MAX_LINES} lines`, () => {
  const long = sources.filter(({ text }) => text.split('\n').length > MAX_LINES + 1).map(({ file }) => file)
  assert.equal(long, [])
})

HouseStyle('every file opens with a header that says what it is', () => {
  const bare = sources
    .filter(({ file }) => !file.endsWith('.test.ts')) // the names of their suites say it
    .filter(({ text }) => !/^(#!.*\n)?\/\*\*[\s\S]*?@module\b/.test(text))
    .map(({ file }) => file)
  assert.equal(bare, [])
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
