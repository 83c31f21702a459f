/** No line of a page, an example or a help text starts a program of another package, wherever it is typed. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const OWN = 'attribute-session-service'
/** Programs that download a package by its name and run it. */
const RUNNERS = /\b(?:npx|npm exec|npm x|bunx|pnpm dlx|yarn dlx)((?: --?[\w-]+(?:=\S+)?)*) ([@\w][\w./@-]*)/g
/** The texts for users of the project: pages, examples, texts of the commands and of the servers. */
const READ = /^(?:README|SECURITY|CHANGELOG|llms|docs|examples|demo|cli|http|server|libraries|deploy)\b/

/** @returns the names of packages that the text runs */
export function packagesRunIn(text: string): readonly string[] {
  return [...text.matchAll(RUNNERS)].map(([, , name]) => (name ?? '').replace(/(?<=.)@.*$/, ''))
}

const Names = suite('names of programs')

Names('the search finds each form', () => {
  assert.equal(packagesRunIn('npx svc demo; npx --yes @a/b@1 x; npm exec tool; `npx svc`'), [
    ...['svc', '@a/b', 'tool', 'svc'],
  ])
})

Names('pages, examples and help texts run the package by its own name', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: PROJECT, encoding: 'utf8' })
    .split('\n')
    .filter(file => READ.test(file) && /\.(?:md|ts|js|jsx|html|txt|yml|yaml|py|php|sh)$/.test(file))
  const run = files.flatMap(file =>
    packagesRunIn(readFileSync(join(PROJECT, file), 'utf8')).map(name => [file, name]),
  )
  assert.ok(run.length > 50)
  assert.equal(
    run.filter(([, name]) => name !== OWN),
    [],
  )
})

Names('the package has a command of its own name, which is svc', () => {
  const { name, bin } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
  assert.is(name, OWN)
  assert.equal(bin, { [OWN]: './dist/cli/main.js', svc: './dist/cli/main.js' })
})

Names.run()
