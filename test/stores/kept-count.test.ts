import * as assert from 'uvu/assert'
import { KeptCount } from '../../stores/kept-count.ts'
import { suite } from '../suite.ts'

const Count = suite('the number of rows of a shared store')

Count(
  'the number is read every ten seconds; in between, this node adds its own insertions and deletions',
  async () => {
    let [now, stored, asked] = [0, 5, 0]
    const count = new KeptCount(
      () => now,
      async () => {
        asked += 1
        return stored
      },
    )
    count.add(3) // there is no base count yet to add to
    assert.equal([await count.total(), asked], [5, 1])
    stored = 100
    count.add(2)
    count.add(-1)
    now = 9_999
    assert.equal([await count.total(), asked], [6, 1])
    now = 10_000
    assert.equal([await count.total(), asked], [100, 2])
    stored = 7
    count.forget()
    assert.equal([await count.total(), asked], [7, 3])
  },
)

Count.run()
