/** Files in pages and comments: each file or folder of a room that they name exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { readSource } from './imports.ts'
import { ALL_SOURCES, ORDER } from './rooms.ts'

const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'crypto/README.md', 'stores/README.md'].concat(
  readdirSync(join(PROJECT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name)),
)
const ROOMS = [...ORDER, 'libraries', 'demo', 'cli', 'test', 'docs', 'tools']
const NAMED = new RegExp(`\`((?:${ROOMS.join('|')})/[\\w./-]*)\``, 'g')
const COMMENT = /\/\*\*[\s\S]*?\*\/|\/\/.*/g

const NamedFiles = suite('files that are named')

function missingIn(text: string): readonly string[] {
  return [...text.matchAll(NAMED)]
    .map(([, path = '']) => path)
    .filter(path => !existsSync(join(PROJECT, path)))
}

for (const page of PAGES)
  NamedFiles(`every file of a room that ${page} names exists`, () => {
    assert.equal(missingIn(readFileSync(join(PROJECT, page), 'utf8')), [])
  })

NamedFiles('every file of a room that a comment names exists', () => {
  const missing = ALL_SOURCES.flatMap(file =>
    (readSource(file).match(COMMENT) ?? []).flatMap(missingIn).map(path => `${file}: ${path}`),
  )
  assert.equal(missing, [])
})

NamedFiles('the name of a file that does not exist is found', () => {
  assert.equal(missingIn('`machines/nothing.ts` and `machines/session.ts`, `actors/` and `actors/gone/`'), [
    'machines/nothing.ts',
    'actors/gone/',
  ])
})
NamedFiles.run()
