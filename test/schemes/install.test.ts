/** Installing and updating schemes from a web server (spec/schemes-and-cli#11). @module */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { downloadScheme, updateScheme } from '../../schemes/install.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { FetchFile } from '../../schemes/remote.ts'
import { indexOf, signScheme, writeIndex } from '../../schemes/sign.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'

const ADDRESS = 'https://schemes.example.test/svc-demo' // as in the description of the scheme
const SIGNED_SEC = 1_795_260_553
const KEPT = `.keptscheme-svc-demo-${SIGNED_SEC}`
const NOW = { nowMs: Date.now() }
const TYPE = 'gov/Issues/idcard/description.xml'
const Install = suite('schemes: installing and updating (spec/schemes-and-cli#11)')
const folders: string[] = []
// removed after each test: removing thousands of files at the end of the process would be slow
Install.after.each(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  folders.push(folder)
  return folder
}

type Remote = {
  readonly site: string
  readonly key: KeyObject
  readonly asked: string[]
  readonly fetchFile: FetchFile
}

/** The demo scheme on a server. */
function remoteScheme(): Remote {
  const site = join(temporaryFolder(), 'site')
  cpSync(join(DEMO_SCHEMES, 'svc-demo'), site, { recursive: true })
  const asked: string[] = []
  const fetchFile: FetchFile = async (url, maxBytes) => {
    assert.ok(url.startsWith(`${ADDRESS}/`), url)
    const path = url.slice(ADDRESS.length + 1)
    asked.push(path)
    if (!existsSync(join(site, path))) throw new Error(`${url}: expected status 200, got 404`)
    const content = readFileSync(join(site, path))
    assert.ok(content.length <= maxBytes)
    return content
  }
  return { site, key: createPrivateKey(readFileSync(join(site, 'sk.pem'))), asked, fetchFile }
}

/** A server, and the scheme installed from it. */
async function installed(): Promise<Remote & { readonly parent: string; readonly folder: string }> {
  const remote = remoteScheme()
  const parent = temporaryFolder()
  const { folder } = await downloadScheme(parent, { address: ADDRESS, pinnedKey: null }, remote.fetchFile)
  remote.asked.length = 0
  return { ...remote, parent, folder }
}

async function failure(doing: Promise<unknown>): Promise<string> {
  return doing.then(
    () => 'nothing failed',
    (error: Error) => error.message,
  )
}

const textOf = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8')

Install('a scheme is installed with the private keys of a demo scheme, and loads', async () => {
  const { parent, folder, site } = await installed()
  assert.is(folder, join(parent, 'svc-demo'))
  assert.equal(readdirSync(parent), ['svc-demo'])
  for (const path of ['index', 'index.sig', 'pk.pem', 'timestamp', TYPE])
    assert.is(textOf(folder, path), textOf(site, path))
  assert.is(statSync(join(folder, 'gov/PrivateKeys/0.xml')).mode & 0o777, 0o600)
  const schemes = await loadSchemes(parent)
  assert.is(schemes.schemes.size, 1)
})

Install('an address may be that of the description; a second installation is refused', async () => {
  const { parent, folder, fetchFile } = await installed()
  const again = { address: `${ADDRESS}/description.xml`, pinnedKey: null }
  const twin = `${folder}: scheme "svc-demo" is already there`
  assert.is(await failure(downloadScheme(parent, again, fetchFile)), twin)
  renameSync(folder, join(parent, 'other'))
  assert.match(
    await failure(downloadScheme(parent, again, fetchFile)),
    /other: scheme "svc-demo" is already there$/,
  )
})

const refusals: Readonly<Record<string, readonly [RegExp, (site: string) => void]>> = {
  'an index that another key signed': [
    /\/svc-demo\/index\.sig: signature does not fit/,
    site => cpSync(join(DEMO_SCHEMES, 'svc-keyshare/pk.pem'), join(site, 'pk.pem')),
  ],
  'a file that differs from the signed one': [
    /idcard\/description\.xml: hash is not the one in the index$/,
    site => writeFileSync(join(site, TYPE), '<x/>'),
  ],
  'a file that is missing': [/got 404$/, site => rmSync(join(site, TYPE))],
  'a timestamp that is not signed': [
    /\/timestamp: hash is not the one in the index$/,
    site => writeFileSync(join(site, 'timestamp'), '1999999999\n'),
  ],
  'the index of another scheme': [
    /expected scheme "else" as in .*, got "svc-demo"$/,
    site =>
      writeFileSync(
        join(site, 'description.xml'),
        textOf(site, 'description.xml').replace('<Id>svc-demo', '<Id>else'),
      ),
  ],
}
for (const [title, [message, spoil]] of Object.entries(refusals))
  Install(`${title}: nothing is installed, and no file stays`, async () => {
    const { site, fetchFile } = remoteScheme()
    spoil(site)
    const parent = temporaryFolder()
    assert.match(
      await failure(downloadScheme(parent, { address: ADDRESS, pinnedKey: null }, fetchFile)),
      message,
    )
    assert.equal(readdirSync(parent), [])
  })

for (const path of ['pk.pem', 'SK.pem', 'gov/PrivateKeys/0.xml', '.git/hooks/x', 'gov/.x/y.xml'])
  Install(`an index that lists ${path} is refused: it is a key or a file for other programs`, async () => {
    const { folder, site, key, fetchFile } = await installed()
    const before = textOf(folder, 'index')
    const timestamp = `${SIGNED_SEC + 1}\n`
    writeFileSync(join(site, 'timestamp'), timestamp)
    writeIndex(
      site,
      indexOf(
        'svc-demo',
        new Map([
          ['timestamp', timestamp],
          [path, 'x'],
        ]),
      ),
      key,
    )
    assert.is(
      await failure(updateScheme(folder, fetchFile, NOW)),
      `${ADDRESS}/index: expected files of a scheme, got ${JSON.stringify(path)}`,
    )
    assert.is(textOf(folder, 'index'), before)
  })

Install('a pinned key is used instead of the key at the address', async () => {
  const { site, fetchFile } = remoteScheme()
  const pinnedKey = textOf(site, 'pk.pem')
  rmSync(join(site, 'pk.pem'))
  const { folder } = await downloadScheme(temporaryFolder(), { address: ADDRESS, pinnedKey }, fetchFile)
  assert.is(textOf(folder, 'pk.pem'), pinnedKey)
  const other = readFileSync(join(DEMO_SCHEMES, 'svc-keyshare/pk.pem'), 'utf8')
  const refused = downloadScheme(temporaryFolder(), { address: ADDRESS, pinnedKey: other }, fetchFile)
  assert.match(await failure(refused), /signature does not fit/)
})

Install('private keys that do not fit are left out, with a warning', async () => {
  const { site, fetchFile } = remoteScheme()
  cpSync(join(site, 'uni/PrivateKeys/0.xml'), join(site, 'gov/PrivateKeys/0.xml'))
  rmSync(join(site, 'fast/PrivateKeys/0.xml'))
  const { folder, warnings } = await downloadScheme(
    temporaryFolder(),
    { address: ADDRESS, pinnedKey: null },
    fetchFile,
  )
  assert.match(warnings.join('\n'), 'no private key svc-demo.gov-0: does not belong to the public key')
  assert.match(warnings.join('\n'), /no private key svc-demo\.fast-0: .*got 404/)
  assert.not(existsSync(join(folder, 'gov/PrivateKeys/0.xml')))
})

Install(
  'an update fetches changed files, deletes files that are no longer signed, and keeps others',
  async () => {
    const { parent, folder, site, key, asked, fetchFile } = await installed()
    writeFileSync(join(folder, 'README.md'), 'mine')
    writeFileSync(join(site, TYPE), `${textOf(site, TYPE)}<!-- changed -->\n`)
    rmSync(join(site, 'fast/Issues/badge'), { recursive: true })
    signScheme(site, key, SIGNED_SEC + 1)
    assert.equal(await updateScheme(folder, fetchFile, NOW), { folder, isNew: true, warnings: [] })
    assert.equal(asked.sort(), [TYPE, 'index', 'index.sig', 'timestamp', 'timestamp'].sort())
    assert.is(textOf(folder, TYPE), textOf(site, TYPE))
    assert.not(existsSync(join(folder, 'fast/Issues/badge/description.xml')))
    assert.is(textOf(folder, 'README.md'), 'mine')
    assert.is(statSync(join(folder, 'gov/PrivateKeys/0.xml')).mode & 0o777, 0o600)
    assert.equal(readdirSync(parent), [KEPT, 'svc-demo'])
    await loadSchemes(parent)
    assert.is((await updateScheme(folder, fetchFile, NOW)).isNew, false)
  },
)

Install('an older or a broken version on the server changes nothing', async () => {
  const { parent, folder, site, key, fetchFile } = await installed()
  const index = textOf(folder, 'index')
  writeFileSync(join(site, TYPE), '<IssueSpecification/>')
  signScheme(site, key, SIGNED_SEC - 1)
  assert.is((await updateScheme(folder, fetchFile, NOW)).isNew, false)
  signScheme(site, key, SIGNED_SEC + 1)
  assert.match(await failure(updateScheme(folder, fetchFile, NOW)), `${ADDRESS}/${TYPE}: `)
  assert.equal([textOf(folder, 'index'), readdirSync(parent)], [index, ['svc-demo']])
})

Install(
  'an update that is interrupted before its last step leaves the old scheme, which loads and can be updated',
  async () => {
    const { parent, folder, site, key, fetchFile } = await installed()
    renameSync(folder, join(parent, '.oldscheme-svc-demo'))
    mkdirSync(join(parent, `.tempscheme-${hostname().replace(/[^A-Za-z0-9]/g, '_')}-999999999-x`))
    assert.is((await loadSchemes(parent)).schemes.size, 1)
    signScheme(site, key, SIGNED_SEC + 1)
    assert.match(
      await failure(downloadScheme(parent, { address: ADDRESS, pinnedKey: null }, fetchFile)),
      /already there$/,
    )
    assert.is((await updateScheme(join(parent, '.oldscheme-svc-demo'), fetchFile, NOW)).folder, folder)
    assert.equal(readdirSync(parent), [KEPT, 'svc-demo'])
    cpSync(folder, join(parent, '.oldscheme-svc-demo'), { recursive: true })
    assert.is((await loadSchemes(parent)).schemes.size, 1)
  },
)
Install.run()
