/** The code of the page "Ask and read in TypeScript" compiles in a strict project with the packed client, and its tables name every entry. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { readSource, sourcesOf } from '../architecture/imports.ts'
import { installClient } from '../cli/client-package.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { readPage } from './markdown.ts'
import { textOf } from './pages.ts'

const GUIDE = 'docs/ask-in-typescript.md'
const { fences } = readPage(GUIDE, textOf(GUIDE))
const blocks = fences.filter(({ language }) => language === 'ts').map(({ content }) => content)
/** The first block is the module that the second one imports. */
const fileOf = (index: number): string => (index === 0 ? 'ask.ts' : `block-${index}.ts`)

/** @returns the messages of the compiler */
function compile(texts: readonly string[]): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  installClient(folder, 'all')
  for (const [index, text] of texts.entries()) writeFileSync(join(folder, fileOf(index)), text)
  const files = texts.map((_, index) => fileOf(index))
  const options = ['--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', '--noEmit', '--ignoreConfig']
  const words = [...options, '--module', 'nodenext', '--target', 'es2022', '--types', 'node', ...files]
  const tsc = join(PROJECT, 'node_modules/.bin/tsc')
  return spawnSync(tsc, words, { cwd: folder, encoding: 'utf8' }).stdout
}

/** The entries of the package for frameworks. */
const frameworks = sourcesOf('libraries/client/ask')
  .flatMap(file => /\/([a-z]+)\.ts$/.exec(file)?.[1] ?? [])
  .filter(name => name !== 'question')
  .toSorted()

const Guide = suite('the page "Ask and read in TypeScript"')

Guide('each of its blocks compiles', () => {
  assert.is(blocks.length, 5)
  assert.is(compile(blocks), '')
})

Guide('a block that reads another attribute does not compile', () => {
  const wrong = blocks.map(text =>
    text.replace("attributes(result)['svc-demo.gov.idcard.over18']", "attributes(result)['a.b.c.d']"),
  )
  assert.match(compile(wrong), /block-2\.ts.* error TS7053/)
})

Guide('its table names the entry of each framework', () => {
  const named = [...textOf(GUIDE).matchAll(/^\| `attribute-session-client\/([a-z]+)`/gm)].map(
    ([, name]) => name,
  )
  assert.equal(named.toSorted(), frameworks)
})

const EXPORTED = /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:async )?function (\w+)/g

Guide('every function that the packages export to web sites has an example', () => {
  const entries = ['client', 'client-on-node', 'verify', ...frameworks.map(name => `client/ask/${name}`)]
  const files = entries.flatMap(entry => filesBehind(`libraries/${entry}.ts`))
  const without = files.flatMap(({ file, names }) =>
    [...readSource(file).matchAll(EXPORTED)]
      .filter(([, comment = '', name = '']) => names.includes(name) && !comment.includes('@example'))
      .map(([, , name]) => `${file}: ${name}`),
  )
  assert.ok(files.some(({ names }) => names.includes('createFrontend')))
  assert.equal(without, [])
})

/** The files from which an entry exports functions, with their names; the entry itself, if it defines them. */
function filesBehind(entry: string): readonly { readonly file: string; readonly names: readonly string[] }[] {
  const text = readSource(entry)
  const own = [...text.matchAll(EXPORTED)].map(([, , name = '']) => name)
  const lists = [...text.matchAll(/^export \{([^}]*)\} from '([^']+)'/gm)].map(
    ([, list = '', path = '']) => ({
      file: join('libraries', path),
      names: list.split(',').map(item => item.trim().split(' as ')[0] ?? ''),
    }),
  )
  return [{ file: entry, names: own }, ...lists]
}

Guide.run()
