/** Links of the pages for readers: in the checkout, and in the package, which readers on a registry or in `node_modules` have. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { linksOf } from './markdown.ts'
import { README, textOf } from './pages.ts'

/** Its table leads to the other pages of the specification. */
const SPECIFICATION = 'docs/spec/README.md'
/** The page that language models are given first: https://llmstxt.org */
const FOR_MODELS = 'llms.txt'

const PACKED = z.tuple([z.object({ files: z.array(z.object({ path: z.string() })) })])

const written = ['.', 'docs', 'docs/charts', 'docs/spec', 'crypto'].flatMap(folder =>
  readdirSync(join(PROJECT, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => normalize(join(folder, name))),
)

function packedFiles(): readonly string[] {
  const npm = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const [{ files }] = PACKED.parse(JSON.parse(execFileSync('npm', npm, { cwd: PROJECT, encoding: 'utf8' })))
  return files.map(({ path }) => path)
}

/** Each link as the page, an arrow, and the file that it leads to, from the top of the project. */
function linksIn(pages: readonly string[]): readonly { readonly from: string; readonly to: string }[] {
  return pages.flatMap(from =>
    linksOf(textOf(from)).map(link => ({ from, to: normalize(join(dirname(from), link)) })),
  )
}

const Links = suite('the links of the pages')

Links('each link leads to a file of the project', () => {
  const dead = linksIn([...written, FOR_MODELS]).filter(({ to }) => !existsSync(join(PROJECT, to)))
  assert.equal(dead, [])
})

Links('the package contains each file that its README or its pages link', () => {
  const packed = packedFiles()
  assert.ok(packed.includes(README))
  const missing = linksIn(packed.filter(file => written.includes(file))).filter(
    ({ to }) => !packed.includes(to),
  )
  assert.equal(missing, [])
  assert.ok(linksIn([README]).length > 10)
})

for (const start of [README, FOR_MODELS])
  Links(`${start} leads to every page of docs`, () => {
    const linked = linksIn([start, SPECIFICATION]).map(({ to }) => to)
    assert.equal(
      written.filter(page => page.startsWith('docs/') && !linked.includes(page)),
      [],
    )
  })
Links.run()
