import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { fileOf, importsOf } from '../architecture/imports.ts'
import { isChosen, PARTS, type Parts, partOf, wordOf } from '../parts.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const TESTS = join(PROJECT, 'test')
const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(name =>
  name.endsWith('.test.ts'),
)
const paths = Object.values(PARTS).flatMap(part => part.paths)

const InParts = suite('parts of the tests')

InParts('every test file is in exactly one part', () => {
  assert.equal(
    files.filter(file => partOf(file) === undefined),
    [],
  )
  assert.equal(
    paths.filter((path, i) => paths.indexOf(path) !== i),
    [],
  )
})

InParts('every path of a part has a test file', () => {
  assert.equal(
    paths.filter(path => !existsSync(join(TESTS, path)) || !files.some(file => file.startsWith(path))),
    [],
  )
})

/** The test file and the files below test/ that it imports, directly or through other files. */
function loadedBy(file: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(file) || !existsSync(join(PROJECT, file))) return loaded
  loaded.add(file)
  const below = importsOf(file).map(fileOf)
  for (const target of below) if (target?.startsWith('test/')) loadedBy(target, loaded)
  return loaded
}

InParts('no test of the quick part opens a browser', () => {
  const quick = files.filter(file => partOf(file) === 'quick').map(file => join('test', file))
  assert.equal(
    quick.filter(file => loadedBy(file).has('test/demo/browser.ts')),
    [],
  )
})

const SMALL: Parts = {
  quick: { seconds: 1, paths: ['a', 'a/b/c.test.ts'] },
  stores: { seconds: 1, paths: ['a/b'] },
}
const SMALL_FILES = ['a/x.test.ts', 'a/b/x.test.ts', 'a/b/c.test.ts', 'ab/x.test.ts']

InParts('a test file belongs to the part with the longest matching path', () => {
  assert.equal(
    SMALL_FILES.map(file => partOf(file, SMALL)),
    ['quick', 'stores', 'quick', undefined],
  )
})

InParts(
  'words choose files in all parts; without words, parts choose files; without both, all files run',
  () => {
    const none = { words: [], parts: [], without: [], except: [] }
    const chosen = (choice: object): readonly string[] =>
      SMALL_FILES.filter(file => isChosen(file, { ...none, ...choice }, SMALL))
    assert.equal(chosen({}), SMALL_FILES)
    assert.equal(chosen({ words: ['b/x'], parts: ['quick'] }), ['a/b/x.test.ts', 'ab/x.test.ts'])
    assert.equal(chosen({ parts: ['quick'] }), ['a/x.test.ts', 'a/b/c.test.ts'])
    assert.equal(chosen({ without: ['quick'] }), ['a/b/x.test.ts', 'ab/x.test.ts'])
    assert.equal(chosen({ except: ['a/b/'] }), ['a/x.test.ts', 'ab/x.test.ts'])
    assert.equal(chosen({ words: ['x'], except: ['a/b/'] }), ['a/x.test.ts', 'ab/x.test.ts'])
  },
)

InParts('a word may be a path from the root of the project, or that of a built file', () => {
  const paths = ['build/parts.test.ts', './test/build/parts.test.ts', 'dist/test/build/parts.test.js']
  assert.equal(paths.map(wordOf), Array(3).fill('build/parts.test.ts'))
  assert.equal(['http', 'test/http/', 'parts'].map(wordOf), ['http', 'http/', 'parts'])
})

for (const [part, { seconds }] of Object.entries(PARTS))
  InParts(`CONTRIBUTING.md has the duration of ${part}, and package.json its command`, () => {
    const command = part === 'quick' ? 'test' : `test:${part}`
    const page = readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8')
    assert.match(page, new RegExp(`^\\| .*\`npm (?:run )?${command}\` \\| ${seconds} s \\|$`, 'm'))
    const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
    assert.is(scripts[command], `node tools/test.js ${part}`)
  })

InParts.run()
