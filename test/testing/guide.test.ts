/** The programs of docs/testing.md, unchanged. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort } from '../cli/run-svc.ts'
import { textOf } from '../docs/pages.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const PROGRAM = /^```js file=(\S+)\n([\s\S]*?)^```$\n\n^```sh\n(.*)\n```\n\n^```text\n…(.*)\n```$/gm
/** The port on the page, which may be in use here. */
const PORT = '8089'

/** A folder in which the package is installed, beside the examples. */
function checkout(): string {
  const folder = temporaryFolder()
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  mkdirSync(join(folder, 'try'))
  symlinkSync(PROJECT, join(modules, 'attribute-session-service'))
  symlinkSync(join(PROJECT, 'node_modules/@privacybydesign'), join(modules, '@privacybydesign'))
  symlinkSync(join(PROJECT, 'examples'), join(folder, 'examples'))
  return folder
}

const Guide = suite('docs/testing.md')
const folder = checkout()
const port = String(await freePort())
const programs = [...textOf('docs/testing.md').matchAll(PROGRAM)]

Guide('the page has two programs', () => {
  assert.equal(
    programs.map(([, file]) => file),
    ['try/site.test.mjs', 'try/chain.test.mjs'],
  )
})

for (const [, file = '', program = '', command = '', shown = ''] of programs)
  Guide(`${file} runs unchanged, and prints the output on the page`, () => {
    writeFileSync(join(folder, file), program.replaceAll(PORT, port))
    const [node, ...words] = command.split(' ')
    assert.is(node, 'node')
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const said = execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', env })
    assert.ok(said.includes(shown), said)
  })
Guide.run()
