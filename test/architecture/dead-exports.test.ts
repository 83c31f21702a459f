/** An export that no other file uses is dead or should be private. Types are left out: they describe arguments and results of functions. */
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { readSource } from './imports.ts'
import { ALL_SOURCES } from './rooms.ts'

const EXPORT = /^export (?:async )?(?:abstract )?(?:function\*?|const|class) (\w+)/gm
const IMPORT = /(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\* as \w+)\s+from\s+'(\.[^']+)'/g
const LATER = /import\('(\.[^']+)'\)/g

/** A file for tests. */
const GROUND = /^ports\/simulated-clock/

const DeadExports = suite('exports without a user')

const uses = ALL_SOURCES.flatMap(file => {
  const text = readSource(file)
  const target = (path: string): string => join(dirname(file), path)
  const named = [...text.matchAll(IMPORT)].flatMap(([, names = '', path = '']) =>
    names.startsWith('*')
      ? [{ file, use: `${target(path)} *` }]
      : [...names.matchAll(/(?:type )?(\w+)(?: as \w+)?/g)].map(([, name]) => ({
          file,
          use: `${target(path)} ${name}`,
        })),
  )
  return [...named, ...[...text.matchAll(LATER)].map(([, path = '']) => ({ file, use: `${target(path)} *` }))]
})
const isOfTests = (file: string): boolean => /^(?:test|tools\/bench)\//.test(file)
/** Sites import these files by the package attribute-session-client. */
const ENTRY = /^libraries\/client\/ask\/(express|fastify|hono|koa|next)\.ts$/
const used = new Set(uses.map(({ use }) => use))
const usedByProduct = new Set(uses.filter(({ file }) => !isOfTests(file)).map(({ use }) => use))

const exported = ALL_SOURCES.filter(file => !isOfTests(file) && !ENTRY.test(file)).flatMap(file =>
  [...readSource(file).matchAll(EXPORT)].map(([, name = '']) => ({ file, name })),
)

function isIn(all: ReadonlySet<string>, { file, name }: (typeof exported)[number]): boolean {
  return all.has(`${file} ${name}`) || all.has(`${file} *`)
}

function shown(all: typeof exported): readonly string[] {
  return all.map(({ file, name }) => `${file}: ${name}`)
}

DeadExports('every export is imported by another file', () => {
  assert.ok(exported.length > 500)
  assert.equal(shown(exported.filter(each => !isIn(used, each))), [])
})

DeadExports('an export that only tests import is used in its own file', () => {
  const forTests = exported
    .filter(each => !GROUND.test(each.file) && !isIn(usedByProduct, each))
    .filter(({ file, name }) => (readSource(file).match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length === 1)
  assert.equal(shown(forTests), [])
})
DeadExports.run()
