/** P is calculated once per account and key. It is cached until the secrets change, the account is gone, or the cache is full. @module */
import * as assert from 'uvu/assert'
import { PublicParts } from '../../../actors/accounts/public-parts.ts'
import { type PublicKeyId, parsePublicKeyId } from '../../../protocol/keyshare/public-key-ids.ts'
import { suite } from '../../suite.ts'
import { enter, ID, withAccount } from './nodes.ts'

const Parts = suite('P of accounts')

type OfKey = { readonly id: PublicKeyId }

const keyOf = (counter: number): OfKey => ({ id: parsePublicKeyId(`a.b-${counter}`) })
const [ONE, TWO, THREE] = [keyOf(1), keyOf(2), keyOf(3)]

/** Returns each key's number as its P, and records the calls. */
function calculator() {
  const asked: number[][] = []
  const calculate = async (named: readonly OfKey[]) => {
    asked.push(named.map(({ id }) => id.counter))
    return named.map(each => ({ ...each, power: BigInt(each.id.counter) }))
  }
  return { asked, calculate }
}

const row = (id: string, tokenIdHash = 'secrets') => ({ id, tokenIdHash })
const values = (list: readonly { readonly P: bigint }[]) => list.map(({ P }) => P)

Parts(
  'only the P that are not cached are calculated; all are returned, in the order of the request',
  async () => {
    const parts = new PublicParts()
    const { asked, calculate } = calculator()
    assert.equal(values(await parts.of(row('x'), [TWO], calculate)), [2n])
    assert.equal(values(await parts.of(row('x'), [THREE, TWO, ONE], calculate)), [3n, 2n, 1n])
    assert.equal(values(await parts.of(row('x'), [ONE, TWO], calculate)), [1n, 2n])
    assert.equal(asked, [[2], [3, 1]])
  },
)

Parts(
  'the cached P of an account are not used for another account, nor after a change of its secrets',
  async () => {
    const parts = new PublicParts()
    const { asked, calculate } = calculator()
    await parts.of(row('x'), [ONE, TWO], calculate)
    await parts.of(row('y'), [ONE], calculate)
    await parts.of(row('x', 'other secrets'), [ONE], calculate)
    await parts.of(row('x'), [ONE], calculate)
    assert.equal(asked, [[1, 2], [1], [1], [1]])
  },
)

Parts('if the cache is full, the P that were used last stay', async () => {
  const parts = new PublicParts(3)
  const { asked, calculate } = calculator()
  await parts.of(row('x'), [ONE], calculate)
  await parts.of(row('y'), [ONE, TWO], calculate)
  await parts.of(row('x'), [ONE], calculate)
  await parts.of(row('z'), [ONE], calculate)
  assert.equal(asked.splice(0), [[1], [1, 2], [1]])
  await parts.of(row('x'), [ONE], calculate)
  await parts.of(row('y'), [ONE], calculate)
  assert.equal(asked, [[1]])
})

Parts('the P of 10,000 accounts are cached', async () => {
  const parts = new PublicParts()
  const { asked, calculate } = calculator()
  for (let i = 0; i <= 10_000; i++) await parts.of(row(`account ${i}`), [ONE], calculate)
  asked.splice(0)
  await parts.of(row('account 1'), [ONE], calculate)
  assert.equal(asked, [])
  await parts.of(row('account 0'), [ONE], calculate)
  assert.equal(asked, [[1]])
})

Parts('a failed calculation is not cached', async () => {
  const parts = new PublicParts()
  const { asked, calculate } = calculator()
  const dead = await parts.of(row('x'), [ONE], () => Promise.reject(new Error('dead'))).catch(String)
  const none = await parts.of(row('y'), [ONE], async () => []).catch(String)
  assert.is(dead, 'Error: dead')
  assert.is(none, 'TypeError: P of an account: expected one for a.b-1, got none')
  for (const id of ['x', 'y']) assert.equal(values(await parts.of(row(id), [ONE], calculate)), [1n])
  assert.equal(asked, [[1], [1]])
})

Parts('the P of an account leave the cache when the account is disabled, or its row is deleted', async () => {
  await withAccount(async ({ nodes: [node, other], row, clock }) => {
    const { asked, calculate } = calculator()
    const before = await row()
    const isKept = async (): Promise<boolean> => {
      await node.publicParts(before, [ONE], calculate)
      return asked.splice(0).length === 0
    }
    assert.equal([await isKept(), await isKept()], [false, true])
    await node.read(ID)
    assert.ok(await isKept())
    await enter(node, { type: 'owner.disabled', deleteAt: 5_000 })
    assert.not(await isKept())
    clock.advance(4_000)
    await enter(other, { type: 'server.deleted' })
    assert.ok(await isKept())
    await node.read(ID)
    assert.not(await isKept())
  })
})

Parts.run()
