/** A stock of schemes: a scheme is copied if the folder of schemes lacks it, or has an older version of it (spec/schemes-and-cli#9.2). */

import { createPrivateKey } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { downloadScheme } from '../../schemes/install.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { SchemeError } from '../../schemes/scheme-error.ts'
import { signScheme } from '../../schemes/sign.ts'
import { copyStock } from '../../schemes/stock.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const Stock = suite('a stock of schemes')

const NOW_MS = Date.UTC(2030, 0, 1)

function demoFolder(): string {
  const folder = temporaryFolder()
  cpSync(DEMO_SCHEMES, folder, { recursive: true })
  return folder
}

/** Changes a description, and signs the scheme. */
function newer(scheme: string, key = join(scheme, 'sk.pem'), atSec = NOW_MS / 1_000): void {
  const file = join(scheme, 'gov/description.xml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('<Name>', `<!-- ${atSec} --><Name>`))
  signScheme(scheme, createPrivateKey(readFileSync(key)), atSec)
}

const textOf = (scheme: string): string => readFileSync(join(scheme, 'gov/description.xml'), 'utf8')

Stock(
  'each missing scheme is installed with its private keys, and a second copy then changes nothing',
  async () => {
    const target = temporaryFolder()
    const written = await copyStock(DEMO_SCHEMES, target, NOW_MS)
    assert.equal(
      [...written].sort(),
      ['svc-demo', 'svc-keyshare'].map(name => join(target, name)),
    )
    const schemes = await loadSchemes(target)
    assert.equal([...schemes.schemes.keys()].sort(), ['svc-demo', 'svc-keyshare'])
    assert.ok(existsSync(join(target, 'svc-demo/gov/PrivateKeys/0.xml')))
    assert.not(existsSync(join(target, 'svc-demo/sk.pem')), 'the key that signs the scheme is not copied')
    assert.equal(await copyStock(DEMO_SCHEMES, target, NOW_MS), [])
  },
)

Stock(
  'an older scheme is replaced, under any folder name, and no private key is deleted or changed',
  async () => {
    const [stock, target] = [demoFolder(), demoFolder()]
    const installed = join(target, 'other-name')
    renameSync(join(target, 'svc-demo'), installed)
    const own = readFileSync(join(installed, 'gov/PrivateKeys/0.xml'), 'utf8')
    writeFileSync(join(installed, 'gov/PrivateKeys/0.xml'), `${own}<!-- mine -->`)
    newer(join(stock, 'svc-demo'))
    rmSync(join(stock, 'svc-demo/uni/PrivateKeys'), { recursive: true })
    assert.equal(await copyStock(stock, target, NOW_MS), [installed])
    assert.is(textOf(installed), textOf(join(stock, 'svc-demo')))
    assert.match(readFileSync(join(installed, 'gov/PrivateKeys/0.xml'), 'utf8'), '<!-- mine -->')
    assert.ok(existsSync(join(installed, 'uni/PrivateKeys/0.xml')))
    assert.not(existsSync(join(target, 'svc-demo')), 'no second folder with the scheme')
  },
)

Stock('an equal or newer scheme stays as it is', async () => {
  const [stock, target] = [demoFolder(), demoFolder()]
  newer(join(target, 'svc-demo'))
  const before = textOf(join(target, 'svc-demo'))
  assert.equal(await copyStock(stock, target, NOW_MS), [])
  assert.is(textOf(join(target, 'svc-demo')), before)
})

Stock('a stock without a scheme, with a broken one, or signed with another key is refused', async () => {
  const target = demoFolder()
  const refused = async (stock: string, reason: RegExp): Promise<void> => {
    try {
      await copyStock(stock, target, NOW_MS)
    } catch (error) {
      assert.instance(error, SchemeError)
      assert.match(String(error), reason)
      return
    }
    assert.unreachable('expected a refusal')
  }
  const empty = temporaryFolder()
  mkdirSync(join(empty, 'zz'))
  await refused(empty, /expected a folder of scheme folders, found no scheme/)
  const broken = demoFolder()
  writeFileSync(join(broken, 'svc-demo/gov/description.xml'), '<Issuer/>')
  await refused(broken, /hash is not the one in the index/)
  const other = demoFolder()
  rmSync(join(other, 'svc-demo/pk.pem'))
  newer(join(other, 'svc-demo'), join(other, 'svc-keyshare/sk.pem'))
  await refused(other, new RegExp(`^SchemeError: ${join(other, 'svc-demo/index.sig')}: `))
  assert.is(textOf(join(target, 'svc-demo')), textOf(join(DEMO_SCHEMES, 'svc-demo')))
  assert.equal(
    readdirSync(target).filter(name => name.startsWith('.temp')),
    [],
  )
})

Stock('a folder with only private keys gets the scheme, and its keys stay', async () => {
  const target = temporaryFolder()
  const keys = join(target, 'svc-demo/gov/PrivateKeys')
  mkdirSync(keys, { recursive: true })
  const own = readFileSync(join(DEMO_SCHEMES, 'svc-demo/gov/PrivateKeys/0.xml'), 'utf8')
  writeFileSync(join(keys, '0.xml'), `${own}<!-- mine -->`)
  writeFileSync(join(target, 'svc-demo/note'), 'a note')
  await copyStock(DEMO_SCHEMES, target, NOW_MS)
  assert.match(readFileSync(join(keys, '0.xml'), 'utf8'), '<!-- mine -->')
  assert.is(readFileSync(join(target, 'svc-demo/note'), 'utf8'), 'a note')
  assert.is((await loadSchemes(target)).schemes.size, 2)
  assert.equal(await copyStock(DEMO_SCHEMES, target, NOW_MS), [])
})

Stock('a scheme that another process writes during a download stays', async () => {
  const [source, target] = [join(DEMO_SCHEMES, 'svc-demo'), temporaryFolder()]
  const installed = join(target, 'svc-demo')
  const [, url = ''] = /<Url>(.*)<\/Url>/.exec(readFileSync(join(source, 'description.xml'), 'utf8')) ?? []
  const error = await downloadScheme(target, { address: url, pinnedKey: null }, async address => {
    const path = address.slice(url.length + 1)
    if (path === 'index') cpSync(source, installed, { recursive: true })
    return readFileSync(join(source, path))
  }).catch(failure => failure)
  assert.match(String(error), 'ENOTEMPTY')
  assert.equal(readdirSync(target), ['svc-demo'])
})

Stock('several processes may start at once', async () => {
  const target = temporaryFolder()
  await Promise.all([1, 2, 3].map(() => copyStock(DEMO_SCHEMES, target, NOW_MS)))
  assert.is((await loadSchemes(target)).schemes.size, 2)
})

Stock.run()
