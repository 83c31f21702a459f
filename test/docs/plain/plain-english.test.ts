/** The language of comments, pages and errors stays within the limits of its counter, and the counter finds the sentences that it is made for. @module */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../../project.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { brokenRules, countPlainness, LIMITS, PARTS, perThousand } from './plain-english.ts'

const Plain = suite('plain English')

const counts = countPlainness(PROJECT)

for (const part of PARTS)
  Plain(`${part} have at most ${LIMITS[part]} findings in 1,000 sentences`, () => {
    assert.ok(counts[part].sentences > 100, `${part}: expected sentences, got ${counts[part].sentences}`)
    assert.ok(perThousand(counts[part]) <= LIMITS[part], `${perThousand(counts[part])}: see npm run plain`)
  })

const FOUND: Readonly<Record<string, readonly string[]>> = {
  'Whoever calls gets a token.': ['riddle'],
  'The app is told the status.': ['dialect'],
  'What the server keeps has a key.': ['begins with what or who'],
  'The row holds the time of what was sent.': ['what or who as a noun'],
  'Of the rows of a session one is kept.': ['late subject'],
  'The key stands in the file.': ['"stands" for "is"'],
  [`The server ${'really '.repeat(24)}stops.`]: ['27 words'],
  'The server stops.': [],
  'The name stands for the issuer.': [],
  'What is the status?': [],
}

for (const [sentence, rules] of Object.entries(FOUND))
  Plain(`${rules.join(', ') || 'nothing'} is found in: ${sentence.slice(0, 50)}`, () =>
    assert.equal(brokenRules(sentence), rules),
  )

/** @returns a checkout with these files, of which git has none */
function newCheckout(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  execFileSync('git', ['init', '-q'], { cwd: folder })
  return folder
}

Plain('a sentence is counted in its part, with its line; code, generated pages and data are not', () => {
  const folder = newCheckout({
    'a.ts':
      "const text = 'nobody reads this text'\n/** Nobody reads this. */\nthrow new Error('nobody reads this')\n",
    'page.md': '# Page\n\nNobody reads this.\n\n```\nnobody reads this\n```\n',
    'docs/spec/page.md': 'Nobody reads this.\n',
    'test/vectors/a.ts': '// nobody reads this\n',
    'test/a.ts': "throw new Error('nobody reads this')\n",
  })
  execFileSync('git', ['add', '.'], { cwd: folder })
  const found = countPlainness(folder)
  const places = PARTS.map(part => found[part].findings.map(({ place }) => place))
  assert.equal(places, [['a.ts:2'], ['page.md:3'], ['a.ts:3']])
})

Plain('a folder stands for the files below it that git has or would add, each counted once', () => {
  const folder = newCheckout({
    'docs/old.md': 'Nobody reads this.\n',
    'docs/deleted.md': 'Nobody reads this.\n',
    '.gitignore': 'ignored.md\n',
  })
  execFileSync('git', ['add', '.'], { cwd: folder })
  rmSync(join(folder, 'docs/deleted.md'))
  writeFileSync(join(folder, 'docs/new [1].md'), 'Nobody reads this.\n')
  writeFileSync(join(folder, 'docs/ignored.md'), 'Nobody reads this.\n')
  writeFileSync(join(folder, 'other.md'), 'Nobody reads this.\n')
  const placesOf = (...paths: readonly string[]) =>
    countPlainness(folder, paths).pages.findings.map(({ place }) => place)
  assert.equal(placesOf('docs').sort(), ['docs/new [1].md:1', 'docs/old.md:1'])
  assert.equal(placesOf('./docs/', join(folder, 'docs/old.md')).length, 2)
  assert.equal(placesOf('docs/ignored.md', 'other.md'), ['docs/ignored.md:1', 'other.md:1'])
})

for (const path of ['nosuch.md', '..', 'empty'])
  Plain(`a path without a file is refused: ${path}`, () => {
    const folder = newCheckout({ 'page.md': 'The page.\n' })
    mkdirSync(join(folder, 'empty'))
    assert.throws(() => countPlainness(folder, ['page.md', path]), new RegExp(`expected .*, got "${path}"`))
  })

Plain.run()
