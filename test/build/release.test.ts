/** `npm run release`, in a separate repository. @module */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n* A new thing.\n\n## 0.1.0\n\n* The first version.\n'

/** @returns a repository with version 0.1.0 */
function newRepository(changelog = CHANGELOG): string {
  const folder = temporaryFolder()
  const content = { name: 'some-package', version: '0.1.0' }
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
  writeFileSync(join(folder, 'package.json'), JSON.stringify(content))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...content, packages: { '': content } }))
  writeFileSync(join(folder, '.gitignore'), 'dist.*/\n')
  const identity = ['-c', 'user.name=some', '-c', 'user.email=some@example.org']
  for (const words of [
    ['init', '-q'],
    ['add', '.'],
    [...identity, 'commit', '-qm', 'build: begin'],
  ])
    execFileSync('git', words, { cwd: folder })
  return folder
}

function release(folder: string, ...words: string[]) {
  const program = join(PROJECT, 'tools/release.js')
  return spawnSync(process.execPath, [program, ...words], { cwd: folder, encoding: 'utf8' })
}

const changes = (folder: string): string =>
  execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })

const Release = suite('npm run release')

Release('closes the chapter, sets the version in both files, and writes the notes', () => {
  const folder = newRepository()
  const { status, stderr } = release(folder, '0.2.0')
  assert.is(status, 0, stderr)
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  assert.match(
    read('CHANGELOG.md'),
    /^# Changelog\n\n## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n\* A new thing\.\n\n## 0\.1\.0\n\n\* The first version\.\n$/,
  )
  assert.is(JSON.parse(read('package.json')).version, '0.2.0')
  const lock = JSON.parse(read('package-lock.json'))
  assert.equal([lock.version, lock.packages[''].version], ['0.2.0', '0.2.0'])
  assert.is(read('dist.release/0.2.0.md'), '* A new thing.\n')
})

Release(
  '`release notes VERSION` prints only the chapter of that version, and refuses a version without a chapter',
  () => {
    const folder = newRepository()
    release(folder, '0.2.0')
    const { status, stdout } = release(folder, 'notes', '0.2.0')
    assert.equal([status, stdout], [0, '* A new thing.\n'])
    for (const version of ['0.3.0', '0.2', '0.2.0 (', 'Unreleased']) {
      const refused = release(folder, 'notes', version)
      assert.equal([refused.status, refused.stdout], [1, ''], version)
      assert.match(refused.stderr, 'expected a chapter')
    }
  },
)

Release('works from a folder below the package', () => {
  const folder = newRepository()
  const below = join(folder, 'some/folder')
  mkdirSync(below, { recursive: true })
  const { status, stderr } = release(below, '0.2.0')
  assert.is(status, 0, stderr)
  assert.ok(existsSync(join(folder, 'dist.release/0.2.0.md')))
  assert.is(release(below, 'notes', '0.2.0').stdout, '* A new thing.\n')
})

Release('a folder outside of a package is refused in one line', () => {
  const folder = temporaryFolder()
  const { status, stderr } = release(folder, '0.2.0')
  assert.is(status, 1)
  assert.match(stderr, /^folder: expected CHANGELOG\.md and package\.json in it .*, got .*\n$/)
})

Release('a package outside of a checkout is refused in one line', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{ "version": "0.1.0" }')
  writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG)
  const { status, stderr } = release(folder, '0.2.0')
  assert.is(status, 1)
  assert.match(stderr, /^working tree: expected a checkout of git, got fatal: not a git repository.*\n$/)
})

Release('a version of the package in another form is refused', () => {
  const folder = newRepository()
  writeFileSync(join(folder, 'package.json'), '{ "version": "0.2.0-beta" }')
  const { status, stderr } = release(folder, '0.2.0')
  assert.is(status, 1)
  assert.match(stderr, /^version in package\.json: expected a form like 0\.2\.0, got 0\.2\.0-beta/)
})

const REFUSED: readonly [string, () => string, readonly string[], RegExp][] = [
  ['no version', newRepository, [], /expected a form like 0\.2\.0, got none/],
  [
    'a version with zeros before its numbers',
    newRepository,
    ['00.02.00'],
    /expected a form like 0\.2\.0, got 00\.02\.00/,
  ],
  [
    'a number that is not exact',
    newRepository,
    ['0.1.99999999999999999999'],
    /expected numbers up to 9007199254740991, got 0\.1\.99999999999999999999/,
  ],
  [
    'a word in the version',
    newRepository,
    ['0.1.1 extra'],
    /expected a form like 0\.2\.0, got 0\.1\.1 extra/,
  ],
  [
    'a word after the version',
    newRepository,
    ['0.1.1', 'extra'],
    /expected none after the version, got extra/,
  ],
  ['notes without a version', newRepository, ['notes'], /expected a version, got none: run .* notes 0\.2\.0/],
  [
    'a word after the version of notes',
    newRepository,
    ['notes', '0.1.0', 'extra'],
    /expected none .* got extra/,
  ],
  ['a version with the prefix v', newRepository, ['v0.2.0'], /expected a form like 0\.2\.0, got v0\.2\.0/],
  ['the present version', newRepository, ['0.1.0'], /expected one above 0\.1\.0, got 0\.1\.0/],
  ['a lower version', newRepository, ['0.0.9'], /expected one above 0\.1\.0, got 0\.0\.9/],
  [
    'an empty chapter',
    () => newRepository(CHANGELOG.replace('* A new thing.\n\n', '')),
    ['0.2.0'],
    /expected lines below "Unreleased", got none/,
  ],
  [
    'a chapter that has only headings',
    () => newRepository(CHANGELOG.replace('* A new', '### Added\n\n #### New')),
    ['0.2.0'],
    /expected lines below "Unreleased", got none/,
  ],
  [
    'a chapter that the next one follows at once',
    () => newRepository(CHANGELOG.replace('\n* A new thing.\n\n', '')),
    ['0.2.0'],
    /expected lines below "Unreleased", got none/,
  ],
  [
    'no chapter',
    () => newRepository('# Changelog\n'),
    ['0.2.0'],
    /expected a heading "## Unreleased", got none/,
  ],
]
for (const [what, repository, words, message] of REFUSED)
  Release(`refuses ${what}, and changes nothing`, () => {
    const folder = repository()
    const { status, stderr } = release(folder, ...words)
    assert.is(status, 1)
    assert.match(stderr, message)
    assert.is(changes(folder), '')
    assert.not.ok(existsSync(join(folder, 'dist.release')))
  })

Release('refuses a tree with changes, and leaves them as they are', () => {
  const folder = newRepository()
  writeFileSync(join(folder, 'new.txt'), 'new')
  const { status, stderr } = release(folder, '0.2.0')
  assert.is(status, 1)
  assert.match(stderr, /expected no changes, got these; commit or stash them first:\n\?\? new\.txt/)
  assert.is(changes(folder), '?? new.txt\n')
})

Release.run()
