/** A folder with an invalid index, signature, hash or path is refused, with the file and the reason (spec/schemes-and-cli#2, #8).
 *  @module */
import { appendFile, cp, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { signIndex, temporaryFolder } from './make-scheme.ts'
import { refusal, refusals, sound } from './refusal.ts'

const Index = suite('schemes: index, signature and hashes')
const refuses = refusals(Index)
const typeFile = 'fast/Issues/note/description.xml'

refuses('a changed index', 'index.sig', /signature does not fit/, sound, folder =>
  appendFile(join(folder, 'index'), `${'00'.repeat(32)} made/x\n`),
)
refuses('another scheme key', 'index.sig', /signature does not fit/, sound, async folder =>
  cp(join(DEMO_SCHEMES, 'svc-demo/pk.pem'), join(folder, 'pk.pem')),
)
refuses('a signature with trailing bytes', 'index.sig', /signature does not fit/, sound, folder =>
  appendFile(join(folder, 'index.sig'), '\0'),
)
refuses('a signature of another curve', 'pk.pem', /P-256/, sound, folder => signIndex(folder, 'x', 'P-384'))
refuses('a scheme key that is no key', 'pk.pem', /P-256/, sound, folder =>
  writeFile(join(folder, 'pk.pem'), 'x'),
)
for (const name of ['index', 'index.sig', 'pk.pem', 'description.xml', typeFile])
  refuses(`a scheme without ${name}`, name, /found none/, sound, folder => rm(join(folder, name)))
for (const name of ['description.xml', 'timestamp', typeFile, 'fast/PublicKeys/0.xml'])
  refuses(`a changed ${name}`, name, /hash is not the one/, sound, folder =>
    appendFile(join(folder, name), ' '),
  )

const lines: [title: string, index: string, reason: RegExp][] = [
  ['an empty index', '\n', /at least one file/],
  ['an index line of one part', 'abc\n', /line 1: expected a SHA-256/],
  ['an index line of three parts', `${'a'.repeat(64)} made/a b\n`, /line 1: expected a SHA-256/],
  ['a short hash', `${'a'.repeat(62)} made/a\n`, /line 1: expected a SHA-256/],
  [
    'an index of two schemes',
    `${'a'.repeat(64)} made/a\n${'a'.repeat(64)} other/a\n`,
    /line 2: .*scheme "made"/,
  ],
  ['a file that is listed twice', `${'a'.repeat(64)} made/a\n${'b'.repeat(64)} made/a\n`, /listed twice/],
]
for (const path of [
  'made/../x',
  'made/./x',
  'made//x',
  'made/',
  'made',
  'made/a\\b',
  'made/a\0b',
  'made/C:x',
  '/made/x',
])
  lines.push([`the path ${JSON.stringify(path)}`, `${'a'.repeat(64)} ${path}\n`, /unsafe path/])
for (const [title, index, reason] of lines)
  refuses(title, 'index', reason, sound, folder => signIndex(folder, index))

refuses('a file over the size limit', typeFile, /at most 1048576 bytes, got 1048577/, sound, folder =>
  truncate(join(folder, typeFile), (1 << 20) + 1),
)
refuses(
  'a folder in the place of a file',
  'kss',
  /expected a file, got something else/,
  sound,
  async folder => {
    await cp(join(folder, 'fast'), join(folder, 'kss'), { recursive: true })
    await signIndex(folder, `${'a'.repeat(64)} made/kss\n`)
  },
)

Index('one broken scheme refuses the whole folder', async () => {
  const parent = await temporaryFolder()
  await cp(DEMO_SCHEMES, parent.path, { recursive: true })
  await appendFile(join(parent.path, 'svc-keyshare/index.sig'), 'x')
  const error = await refusal(parent.path)
  await parent.remove()
  assert.is(error.file, join(parent.path, 'svc-keyshare/index.sig'))
})

Index('the same scheme in two folders is refused', async () => {
  const parent = await temporaryFolder()
  for (const name of ['one', 'two'])
    await cp(join(DEMO_SCHEMES, 'svc-demo'), join(parent.path, name), { recursive: true })
  const error = await refusal(parent.path)
  await parent.remove()
  assert.is(error.file, join(parent.path, 'two'))
  assert.match(error.reason, /in another folder too/)
})

Index('a folder without a scheme, and a folder that is not there, are refused', async () => {
  const parent = await temporaryFolder()
  assert.match((await refusal(parent.path)).reason, /found no scheme/)
  await parent.remove()
  assert.match((await refusal(parent.path)).reason, /ENOENT/)
})

Index('a scheme in the place of the folder of schemes is refused, with advice', async () => {
  assert.match((await refusal(join(DEMO_SCHEMES, 'svc-demo'))).reason, /got a scheme: give the folder above/)
})

Index.run()
