/** Deliveries in memory: ended ones are bounded, and the search for due ones does not visit them. @module */
import * as assert from 'uvu/assert'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import { MemoryDeliveries } from '../../stores/memory/deliveries.ts'
import { suite } from '../suite.ts'
import { owedRow } from './rows.ts'

const Deliveries = suite('memory store: deliveries that have ended')

/** @param looks counts reads of its time */
function ended(id: number, looks: { count: number }): DeliveryRow {
  return {
    ...owedRow(`d${id}`, { state: 'delivered', host: 'a.example' }),
    get dueAt() {
      looks.count++
      return 1_000 + id
    },
  }
}

Deliveries('at most 10,000 are kept; the oldest are deleted', async () => {
  const deliveries = new MemoryDeliveries()
  for (let id = 0; id < 10_001; id++) deliveries.put(ended(id, { count: 0 }))
  assert.is((await deliveries.list()).length, 10_000)
  assert.equal([deliveries.has('d0'), deliveries.has('d1'), deliveries.has('d10000')], [false, true, true])
})

Deliveries('the search for due deliveries reads none that are not due', async () => {
  const deliveries = new MemoryDeliveries()
  const looks = { count: 0 }
  for (let id = 0; id < 5_000; id++) deliveries.put(ended(id, looks))
  looks.count = 0
  assert.equal(await deliveries.dueHosts(999, 10), [])
  assert.equal(await deliveries.dueOf('a.example', 999, 10), [])
  assert.is(looks.count, 0)
  assert.equal(await deliveries.dueOf('a.example', 1_001, 10), ['d0', 'd1'])
  assert.is(await deliveries.nextDueAfter(999), 1_000)
})

Deliveries('the search in 100,000 owed deliveries reads only those that it returns', async () => {
  const deliveries = new MemoryDeliveries()
  let looks = 0
  for (let id = 0; id < 100_000; id++) {
    const row = owedRow(`d${id}`, { host: id % 2 === 0 ? 'a.example' : 'b.example' })
    deliveries.put({
      ...row,
      get dueAt() {
        looks++
        return 1_000 + id
      },
    })
  }
  looks = 0
  const look = async (at: number) => [
    await deliveries.dueHosts(at, 10),
    await deliveries.dueOf('a.example', at, 2),
    await deliveries.nextDueAfter(at),
  ]
  assert.equal(await look(1_009), [['a.example', 'b.example'], ['d0', 'd2'], 1_010])
  assert.ok(looks < 100, `${looks} looks`)
  assert.equal(await look(1_001), [['a.example', 'b.example'], ['d0'], 1_002], 'a clock that was set back')
  assert.equal(await look(999), [[], [], 1_000])
})

Deliveries.run()
