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

/** The types that CONTRIBUTING.md lists. */
const TYPES = [
  ...(/The types are (.*?)\./
    .exec(readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8'))?.[1]
    ?.matchAll(/`([a-z]+)`/g) ?? []),
].map(([, type = '']) => type)

const TITLES: readonly (readonly [string, number])[] = [
  ['fix(http): refuse a body over the limit before it is read', 0],
  ['fix(http/app): refuse a body', 0],
  ['build: release 0.2.0', 0],
  ...TYPES.map(type => [`${type}: change a thing`, 0] as const),
  ['docs(README.md): change a thing', 0],
  ['build(.ci): change a thing', 0],
  ['fix(max_header_size): change a thing', 0],
  ['Reapply "fix(http): refuse a body"', 0],
  ['\n# a comment of git\nfix(http): refuse a body', 0],
  ['Merge branch "main"', 0],
  ['Revert "fix(http): refuse a body"', 0],
  ['amend! fix(http): refuse a body', 0],
  ['fixup! fix(http): refuse a body', 0],
  ['squash! fix(http): refuse a body', 0],
  [`fix(http): ${'x'.repeat(61)}`, 0],
  [`fix(http): ${'x'.repeat(62)}`, 1],
  [`fix(http): ${'é€😀'.repeat(20)}x`, 0],
  [`fix(http): ${'é€😀'.repeat(20)}xx`, 1],
  ['fix:  two blanks', 1],
  ['fix: ', 1],
  ['fix(http,server): two scopes', 1],
  ['http: refuse a body', 1],
  ['amend!fix', 1],
  ['', 1],
]
for (const locale of ['C', 'C.UTF-8'])
  for (const [title, status] of TITLES)
    Habits(`the hook ${status === 0 ? 'takes' : 'refuses'} the title "${title}" with LANG=${locale}`, () => {
      const { status: got, stderr } = hookOn(title, locale)
      assert.is(got, status, stderr)
    })

Habits('the hook names the types that CONTRIBUTING.md lists, and the characters of the title', () => {
  assert.ok(TYPES.length > 5)
  const { stderr } = hookOn('ci: é', 'C')
  assert.is(
    stderr,
    `commit title: expected "fix(http): ..." of at most 72 characters, with a type of ${TYPES.join('|')}, got 5: ci: é\n`,
  )
})

function hookOn(title: string, locale: string) {
  const file = join(temporaryFolder(), 'message')
  writeFileSync(file, `${title}\n\nbody\n`)
  const { LC_ALL: _, ...env } = process.env
  const hook = join(PROJECT, '.githooks/commit-msg')
  return spawnSync(hook, [file], { encoding: 'utf8', env: { ...env, LANG: locale } })
}

Habits.run()
