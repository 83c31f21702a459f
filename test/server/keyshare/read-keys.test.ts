/** Reading the keys of schemes in a thread of its own. */
import * as assert from 'uvu/assert'
import { publicKeyIdText } from '../../../protocol/keyshare/public-key-ids.ts'
import { keysReader } from '../../../server/keyshare/read-keys.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { suite } from '../../suite.ts'

const Reader = suite('the thread that reads issuer keys')

Reader('returns all keys except the known ones', async () => {
  const { keys, refused } = await keysReader(DEMO_SCHEMES, () => {})(['svc-demo.gov-0'])
  const names = keys.map(({ id }) => publicKeyIdText(id))
  assert.equal(
    [names.includes('svc-demo.uni-1'), names.includes('svc-demo.gov-0'), refused],
    [true, false, []],
  )
})

Reader('ends if the server closes during a reading', async () => {
  const closings: (() => unknown)[] = []
  const reading = keysReader(DEMO_SCHEMES, close => void closings.push(close))([])
  for (const close of closings) await close()
  assert.equal(await reading, { keys: [], refused: [] })
})

Reader.run()
