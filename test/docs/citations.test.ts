/** Citations of the specification: each leads to a heading of docs/spec, and there is one form. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { anchorsOf, citationsIn, deadIn, otherFormsIn, specification, withLinks } from './citations.ts'

/** Left out: folders that are generated or installed, recorded exchanges, the cited pages, and the history of the project. */
const APART =
  /^(?:node_modules|dist|dist\.[^/]*|coverage|try|\.git|\.ci)\/|^test\/vectors\/|^docs\/spec\/|^CHANGELOG/
const DIFFERENCES = 'test/vectors/differences.json'
/** These two files contain the other forms, because they search for them. */
const FORMS = /^test\/docs\/citations\./
const WRITTEN = /\.(?:ts|js|mjs|jsx|css|html|toml|sh|py|php|yml|yaml|conf|md)$/

const specificationPages = specification()
const anchors = new Map([...specificationPages].map(([name, text]) => [name, anchorsOf(text)]))
const texts = filesIn('')
  .concat(DIFFERENCES)
  .map(file => ({ file, text: readFileSync(join(PROJECT, file), 'utf8') }))

function filesIn(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { withFileTypes: true }).flatMap(entry => {
    const file = join(folder, entry.name)
    if (APART.test(entry.isDirectory() ? `${file}/` : file)) return []
    if (entry.isDirectory()) return filesIn(file)
    return WRITTEN.test(file) && !FORMS.test(file) ? [file] : []
  })
}

function foundIn(find: (text: string, file: string) => readonly string[]): readonly string[] {
  return texts.flatMap(({ file, text }) => find(text, file).map(found => `${file}: ${found}`))
}

const Citations = suite('citations of the specification')

Citations('each citation leads to a heading', () => {
  assert.equal(
    foundIn(text => deadIn(text, anchors)),
    [],
  )
  assert.ok(texts.flatMap(({ text }) => citationsIn(text)).length > 1_000)
})

Citations('code and tests cite in one form; pages have links', () => {
  assert.equal(
    foundIn((text, file) => otherFormsIn(text, file.endsWith('.md'))),
    [],
  )
})

Citations('no heading of the decisions and the laws begins like another one', () => {
  for (const name of ['decisions', 'laws']) {
    const firsts = [...(specificationPages.get(name) ?? '').matchAll(/^#{2,} (?:Law )?([\w.]+)/gm)].map(
      ([, first = '']) => first.toLowerCase(),
    )
    assert.ok(firsts.length > 5)
    assert.equal(
      firsts.filter((first, i) => firsts.indexOf(first) !== i),
      [],
    )
  }
})

Citations('the specification names no file outside of the project', () => {
  for (const [name, text] of specificationPages) assert.not.match(text, /\/work\b|\.\.\/shared/, name)
})

Citations('a list of anchors is read to its end, also over the lines of a comment', () => {
  const text = `/** (spec/a#2.4 rules 1, 2 and 3, #5 and #6.1; spec/b-c#d2,\n *  #d5 to #d10). spec/a#7.4, steps 1 and 3, and more #8 */`
  assert.equal(
    citationsIn(text).map(({ page, anchor }) => `${page} ${anchor}`),
    ['a 2.4', 'a 5', 'a 6.1', 'b-c d2', 'b-c d5', 'b-c d10', 'a 7.4'],
  )
})

Citations('a citation of a heading or page that does not exist is found', () => {
  const pages = new Map([
    ['a', anchorsOf('# Title\n## 2. Times\n### 2.1 `Paths`\n## Law 4: x\n### D25 y\n### z of x\n')],
  ])
  assert.equal(deadIn('spec/a#2, #2.1, #4, #d25, #title, #z-of-x', pages), [])
  assert.equal(deadIn('spec/a#2, #3 and spec/b#2', pages), ['spec/a#3', 'spec/b#2'])
})

const DECISIONS = new Map([['decisions', anchorsOf('### D25 Hash\n### logins per caller\n')]])
for (const wrong of [
  'decisions#d25-total-nonsense',
  'decisions#d25-hash',
  'decisions#d25-#d99',
  'decisions#d25; #d25',
  'decisions#d25/#d25',
  'decisions#d25 (#d25)',
  'decisions#d25, section 3, #d25',
  'decisions#d25 for a `hash`,\n * and #d25',
  'decisions#d25, 3',
  'decisions#d25; sections 3.1',
  'decisions#d25 rule 3, section 9.9',
  'decisions#d25, § 5',
  'decisions#d25–3',
  'decisions#d25,#d25',
  'decisions#d25é',
  'decisions#D25',
  'decisions#logins-per-nobody',
  'decisions#logins-per',
  'decisions#logins',
  'Decisions#d25',
  'decisions_2#d25',
  'decisions.md#d25',
  'decisions',
  'nosuch',
  'decisions #d25',
])
  Citations(`a wrong citation is found: ${JSON.stringify(wrong)}`, () => {
    const text = `/** Text (spec/${wrong}). */`
    assert.is.not([...deadIn(text, DECISIONS), ...otherFormsIn(text, false)].length, 0)
  })

Citations('a link, and a citation behind a folder, are wrong in code', () => {
  for (const text of ['docs/spec/decisions.md#d25', 'docs/spec/decisions#d25', '../spec/decisions#d25'])
    assert.is.not(otherFormsIn(`// [x](${text})`, false).length, 0, text)
})

Citations('a citation ends with its text: a quote, a comment or a line', () => {
  for (const text of [
    `css('spec/decisions#d25', '#d99') // spec/decisions#d25, #logins-per-caller`,
    '/** By the caller (spec/decisions#d25). */ #d99',
    '// spec/decisions#d25\n// #region texts',
    '// spec/decisions#d25: this.#claims has it, as https://site.example/1#part-1 says',
    '// By design, the server waits: the OpenAPI specification 3.1, and the OpenID Connect spec 1.0',
    '// spec/decisions#d25: 3 tries, as the form `spec/FILE#ANCHOR` says\n#d99',
  ])
    assert.equal([...deadIn(text, DECISIONS), ...otherFormsIn(text, false)], [], text)
})

for (const old of [
  'D16',
  'Decision D29:',
  '(K13)',
  'Q5)',
  'law 4',
  'Laws 1 to 3',
  'decisions: time',
  '`decisions.md`',
  'spec 2.9',
  'specification 4.1',
  'spec/session-server.md 12',
  '`spec/keyshare-server` 3.5',
  'cryptography 7.4',
  'cryptography note, section 7',
  'keyshare note 6.4',
  'session-server note 9.8',
])
  Citations(`another form is found: ${JSON.stringify(old)}`, () => {
    assert.is(otherFormsIn(`x (${old} y`, true).length > 0, true)
  })

Citations('a text that only looks like a citation is not counted', () => {
  const text = `['A1', 'D1'] [D16](spec/decisions.md#d16-x) spec/decisions#d16, #time docs/spec/interface.md`
  assert.equal(otherFormsIn(text, true), [])
})

Citations('a page that is generated from tests has links for their citations', () => {
  const pages = new Map([
    ['decisions', anchorsOf('### D2 Malformed tokens\n### replay\n')],
    ['laws', anchorsOf('## Law 5: Bounds\n')],
  ])
  assert.is(
    withLinks('x (spec/decisions#d2, #replay; spec/laws#5)', pages),
    'x ([D2](spec/decisions.md#d2-malformed-tokens), [replay](spec/decisions.md#replay); [law 5](spec/laws.md#law-5-bounds))',
  )
})

Citations.run()
