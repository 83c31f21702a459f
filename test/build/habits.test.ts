/** The files that tools of contributors read. @module */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const Habits = suite('files for contributors')

const GITHUB = join(PROJECT, '.github')
for (const file of readdirSync(GITHUB, { recursive: true, encoding: 'utf8' }).filter(name =>
  name.endsWith('.yml'),
))
  Habits(`.github/${file} is YAML`, () => {
    assert.type(parse(readFileSync(join(GITHUB, file), 'utf8')), 'object')
  })

Habits('CODEOWNERS names paths that exist', () => {
  const lines = readFileSync(join(GITHUB, 'CODEOWNERS'), 'utf8').split('\n')
  const paths = lines.map(line => line.split(' ')[0] ?? '').filter(path => path.startsWith('/'))
  assert.ok(paths.length > 0)
  assert.equal(
    paths.filter(path => !existsSync(join(PROJECT, path))),
    [],
  )
})

Habits('the hooks can be run', () => {
  for (const name of readdirSync(join(PROJECT, '.githooks')))
    accessSync(join(PROJECT, '.githooks', name), constants.X_OK)
})

const TITLES: readonly [string, number][] = [
  ['fix(http): refuse a body over the limit before it is read', 0],
  ['build: release 0.2.0', 0],
  ['Merge branch "main"', 0],
  [`fix(http): ${'x'.repeat(61)}`, 0],
  [`fix(http): ${'x'.repeat(62)}`, 1],
  ['http: refuse a body', 1],
  ['', 1],
]
for (const [title, status] of TITLES)
  Habits(`the hook ${status === 0 ? 'takes' : 'refuses'} the title "${title}"`, () => {
    const file = join(temporaryFolder(), 'message')
    writeFileSync(file, `${title}\n\nbody\n`)
    const hook = spawnSync(join(PROJECT, '.githooks/commit-msg'), [file], { encoding: 'utf8' })
    assert.is(hook.status, status, hook.stderr)
  })

Habits.run()
