/** SECURITY.md: each line of its tables names attacks and tests that exist, and each attack is on it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { ATTACKS } from '../attacks/library.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

/** The last cell of each line, without the heads of the tables. */
const shownBy = readFileSync(join(PROJECT, 'SECURITY.md'), 'utf8')
  .split('\n')
  .filter(line => /^\| (?!Promise|Limit)/.test(line))
  .map(line => line.split('|').at(-2) ?? '')
const attacks = ATTACKS.map(({ name }) => name)
const namesIn = (cell: string, form: RegExp): string[] =>
  [...cell.matchAll(form)].map(([, name = '']) => name)
const attacksIn = (cell: string): string[] => namesIn(cell, /\*\*([^*]+)\*\*/g)
const testsIn = (cell: string): string[] => namesIn(cell, /_([^_]+)_/g)

const Model = suite('the threat model')

Model('each line names an attack or a test, and nothing else', () => {
  assert.ok(shownBy.length > 30)
  for (const cell of shownBy) {
    const names = [...attacksIn(cell), ...testsIn(cell)]
    assert.is(cell.replaceAll(/[*_,]/g, ' ').trim().split(/ +/).length, names.length, cell)
    assert.ok(names.length > 0, cell)
  }
})

Model('each named attack and test exists', () => {
  assert.equal(
    shownBy.flatMap(attacksIn).filter(name => !attacks.includes(name)),
    [],
  )
  assert.equal(
    shownBy.flatMap(testsIn).filter(name => !existsSync(join(PROJECT, 'test', `${name}.test.ts`))),
    [],
  )
})

Model('each attack is named as a test of a promise', () => {
  const named = new Set(shownBy.flatMap(attacksIn))
  assert.equal(
    attacks.filter(name => !named.has(name)),
    [],
  )
})

Model.run()
