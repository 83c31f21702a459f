import * as assert from 'uvu/assert'
import { RecentRows } from '../../stores/recent-rows.ts'
import { suite } from '../suite.ts'

type Row = { readonly id: string; readonly version: number; readonly text: string }

/** A cache with this row. */
function keeping(version: number, text = 'kept'): RecentRows<Row> {
  const rows = new RecentRows<Row>(({ text }) => text.length)
  rows.keepNewer({ id: 's', version, text })
  return rows
}

const Recent = suite('rows that a process caches')

Recent('a row of an older version does not replace a cached one', () => {
  const rows = keeping(3)
  rows.keepNewer({ id: 's', version: 2, text: 'late' })
  assert.equal(rows.get('s'), { id: 's', version: 3, text: 'kept' })
})

for (const version of [3, 4])
  Recent(`a row of ${version === 3 ? 'the same' : 'a newer'} version replaces a cached one`, () => {
    const rows = keeping(3)
    rows.keepNewer({ id: 's', version, text: 'read' })
    assert.equal(rows.get('s'), { id: 's', version, text: 'read' })
  })

for (const [told, isKept] of [
  [2, true],
  [3, true],
  [4, false],
] as const)
  Recent(
    `a cached row of version 3 is ${isKept ? 'kept' : 'dropped'} if version ${told} is committed elsewhere`,
    () => {
      const rows = keeping(3)
      rows.forgetBefore('s', told)
      assert.is(rows.get('s') !== null, isKept)
    },
  )

Recent.run()
