/** The keys that a folder of schemes has gained (spec/keyshare-server#8.1). */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { publicKeyIdText } from '../../protocol/keyshare/public-key-ids.ts'
import { readNewKeys } from '../../schemes/new-keys.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

function copied(): string {
  const path = join(temporaryFolder(), 'schemes')
  cpSync(DEMO_SCHEMES, path, { recursive: true })
  return path
}

const New = suite('new keys of schemes')

New('are the signed keys of all schemes, except the known ones', async () => {
  const { keys, refused } = await readNewKeys(DEMO_SCHEMES, ['svc-demo.gov-0', 'svc-demo.uni-0'])
  const names = keys.map(({ id }) => publicKeyIdText(id))
  for (const [name, isNew] of [
    ['svc-demo.gov-0', false],
    ['svc-demo.uni-0', false],
    ['svc-demo.uni-1', true],
    ['svc-keyshare.shop-0', true],
  ] as const)
    assert.is(names.includes(name), isNew, name)
  assert.equal(refused, [])
})

New('a scheme with a broken key is left out, and the keys of the others are returned', async () => {
  const path = copied()
  const file = join(path, 'svc-demo/gov/PublicKeys/0.xml')
  writeFileSync(file, 'x')
  const { keys, refused } = await readNewKeys(path, [])
  assert.equal([...new Set(keys.map(({ id }) => id.issuer.split('.')[0]))], ['svc-keyshare'])
  assert.equal(refused, [`${file}: hash is not the one in the index`])
})

New('a second folder with the same scheme is left out', async () => {
  const path = copied()
  cpSync(join(path, 'svc-demo'), join(path, 'twin'), { recursive: true })
  const { keys, refused } = await readNewKeys(path, [])
  const names = keys.map(({ id }) => publicKeyIdText(id))
  assert.equal(new Set(names).size, names.length)
  assert.equal(refused, [`${join(path, 'twin')}: scheme "svc-demo" is in another folder too`])
})

New('a missing folder is reported', async () => {
  const path = join(temporaryFolder(), 'none')
  assert.equal(await readNewKeys(path, []), {
    keys: [],
    refused: [`${path}: expected a folder that can be read, got ENOENT`],
  })
})

New.run()
