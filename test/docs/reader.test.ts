/** The test of the pages notices faults of a page: each page here has one fault, and a faultless counterpart. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { refuseUnknownPorts, withPorts } from './checkout.ts'
import { linksOf, readPage } from './markdown.ts'
import { newReader } from './reader.ts'

const folder = temporaryFolder()
const checkout = { folder, env: { PATH: process.env.PATH ?? '' }, asHere: refuseUnknownPorts }

async function mistakeIn(...lines: readonly string[]): Promise<string | null> {
  const reader = newReader(checkout, null)
  try {
    await reader.follow(readPage('page.md', lines.join('\n')))
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await reader.close()
  }
}

const block = (info: string, ...content: readonly string[]): readonly string[] => [
  `\`\`\`${info}`,
  ...content,
  '```',
]
const END = 'End it with Ctrl+C.'
const WAITS = "node -e 'setInterval(() => {}, 1000); console.log(`ready`)'"

const Reader = suite('a reader of the pages')

Reader('a command that fails is found, with its file and line, also in the middle of a block', async () => {
  assert.is(await mistakeIn('Run this:', ...block('sh', 'true', 'true')), null)
  const mistake = await mistakeIn('Run this:', ...block('sh', 'true', 'false', 'true'))
  assert.is(mistake, 'page.md:2: expected exit status 0, got: 1\n')
})

Reader('a command that fails in front of a pipe is found', async () => {
  assert.match((await mistakeIn(...block('sh', 'false | cat'))) ?? '', 'expected exit status 0, got: 1')
})

Reader('output that differs from the shown output is found', async () => {
  const commands = block('sh', 'echo one 1', 'echo between', 'printf two')
  assert.is(await mistakeIn(...commands, ...block('text', 'one …', 'two')), null)
  for (const wrong of [
    ['two', 'one …'],
    ['on …', 'two'],
    ['ne …', 'two'],
    ['one', 'two'],
    ['one …', 'two', 'three'],
  ])
    assert.match(
      (await mistakeIn(...commands, ...block('text', ...wrong))) ?? '',
      'page.md:6: expected the output',
    )
})

Reader('commands with the right output must also end with exit status 0', async () => {
  const mistake = await mistakeIn(...block('sh', 'echo one', 'exit 3'), ...block('text', 'one'))
  assert.match(mistake ?? '', 'expected exit status 0, got: 3')
})

Reader('a command that keeps running occupies its terminal until the page says Ctrl+C', async () => {
  const server = ['In a terminal:', ...block('sh terminal=server', WAITS), ...block('text', 'ready')]
  assert.is(await mistakeIn(...server, END), null)
  assert.is(
    await mistakeIn(
      ...server,
      'In that terminal, after Ctrl+C:',
      ...block('sh terminal=server', 'true'),
      END,
    ),
    null,
  )
  assert.match((await mistakeIn(...server)) ?? '', 'expected "Ctrl+C" at the end of a page')
})

Reader('output of another terminal is found after the output that the page showed before', async () => {
  const go = join(folder, 'go')
  const other = [
    'In a terminal:',
    ...block('sh terminal=other', `echo one; until [ -e ${go} ]; do sleep 0.01; done; echo one`),
    ...block('text', 'one'),
    ...block('sh', `touch ${go}`),
    'That terminal:',
  ]
  assert.is(await mistakeIn(...other, ...block('text terminal=other', 'one'), END), null)
  assert.match(
    (await mistakeIn(...other, ...block('text terminal=other', 'one', 'one'), END)) ?? '',
    'no line one',
  )
})

Reader('the next block waits until `tee` has saved the output', async () => {
  const slow = ['#!/bin/sh', ': > "$1"', 'read -r line', 'echo "$line"', 'sleep 0.3', 'echo "$line" > "$1"']
  writeFileSync(join(folder, 'tee'), [...slow, 'exec sleep 1000'].join('\n'), { mode: 0o755 })
  const other = [
    'In a terminal:',
    ...block('sh terminal=other', `PATH=${folder}:$PATH; echo one | tee saved`),
    ...block('text', 'one'),
  ]
  assert.is(await mistakeIn(...other, ...block('sh', 'cat saved'), ...block('text', 'one'), END), null)
})

Reader('a running command must end with exit status 0 before its terminal is used again', async () => {
  const go = join(folder, 'fail')
  const other = [
    'In a terminal:',
    ...block('sh terminal=other', `echo one; until [ -e ${go} ]; do sleep 0.01; done; echo two; exit 3`),
    ...block('text', 'one'),
    'In a terminal:',
    ...block('sh', `touch ${go}`),
  ]
  const again = ['In a terminal:', ...block('sh terminal=other', 'true'), END]
  assert.match((await mistakeIn(...other, ...again)) ?? '', 'expected exit status 0, got: 3')
})

Reader('a file is saved with the content on the page, and the prose must name it', async () => {
  assert.is(await mistakeIn('Save it as `a/b.txt`:', ...block('text file=a/b.txt', 'line')), null)
  assert.is(readFileSync(join(folder, 'a/b.txt'), 'utf8'), 'line\n')
  const mistake = await mistakeIn('Save it:', ...block('text file=a/b.txt', 'line'))
  assert.match(mistake ?? '', 'expected "a/b.txt" in the prose before')
})

Reader('a command that is not run must be called an example; the two lines of npm are not run', async () => {
  assert.is(await mistakeIn('An example:', ...block('sh example', 'false')), null)
  assert.match(
    (await mistakeIn('Run:', ...block('sh example', 'false'))) ?? '',
    'expected "example" in the prose',
  )
  assert.is(await mistakeIn(...block('sh', 'npm ci && npm start   # the tour', 'npm ci && npm test')), null)
})

Reader('unknown marks, languages and fences are refused', async () => {
  assert.match((await mistakeIn('Example:', ...block('sh exmaple', 'true'))) ?? '', 'got exmaple')
  assert.match((await mistakeIn(...block('bash', 'true'))) ?? '', 'got bash')
  assert.match((await mistakeIn(...block('', 'true'))) ?? '', 'expected a language')
  assert.match((await mistakeIn('* item', '  ```sh')) ?? '', 'expected a fence at the margin')
  assert.match((await mistakeIn('```sh', 'true')) ?? '', 'expected the end of this fence')
})

Reader('a block gets no variables of earlier blocks, and stays in its folder', async () => {
  assert.match((await mistakeIn(...block('sh', 'cd /'))) ?? '', 'got cd')
  assert.match((await mistakeIn(...block('sh', 'A=1'), ...block('sh', '[ "$A" = 1 ]'))) ?? '', 'page.md:4')
})

Reader('each port must be in the table, and only a port in use is replaced', async () => {
  assert.match(
    (await mistakeIn(...block('sh', 'true http://127.0.0.1:8087/'))) ?? '',
    'expected one of the ports',
  )
  const text = 'http://127.0.0.1:8088/ --port 8089 18088'
  assert.is(withPorts(text, new Map()), text)
  assert.is(withPorts(text, new Map([[8088, 20001]])), 'http://127.0.0.1:20001/ --port 8089 18088')
})

Reader('the links of a page are those to files, without other hosts and anchors', () => {
  const text = '![a](b.png) [c](docs/d.md#e) [f](https://site.example/) [g](#h) [c](docs/d.md)'
  assert.equal(linksOf(text), ['b.png', 'docs/d.md'])
})
Reader.run()
