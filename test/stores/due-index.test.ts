/** Compares the index of deadlines in memory with a sorted list. @module */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { DueIndex } from '../../stores/memory/due-index.ts'
import { suite } from '../suite.ts'

const Index = suite('the index of deadlines in memory')

Index('the index equals a sorted list after any sequence of changes and partial reads', () => {
  const id = fc.integer({ min: 0, max: 30 }).map(String)
  const change = fc.oneof(
    fc.record({ set: id, at: fc.integer({ min: 0, max: 50 }) }),
    fc.record({ delete: id }),
    fc.record({ look: fc.nat(20) }),
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400 }), changes => {
      const index = new DueIndex()
      const known = new Map<string, number>()
      for (const each of changes) {
        if ('set' in each) {
          index.set(each.set, each.at)
          known.set(each.set, each.at)
        } else if ('delete' in each) {
          index.delete(each.delete)
          known.delete(each.delete)
        } else {
          let seen = 0
          for (const _ of index.inOrder()) if (++seen > each.look) break
        }
      }
      const listed = [...index.inOrder()]
      assert.equal(
        listed.map(({ at }) => at),
        [...known.values()].sort((a, b) => a - b),
      )
      assert.equal(new Map(listed.map(({ id, at }) => [id, at])), known)
    }),
  )
})

Index('the first of 10,000 entries is read without the others', () => {
  const index = new DueIndex()
  for (let i = 0; i < 10_000; i++) index.set(`id${i}`, i * 7)
  const [first] = index.inOrder()
  assert.equal(first, { id: 'id0', at: 0 })
})

Index.run()
