/** The parents of live actors. @module */
import * as assert from 'uvu/assert'
import { setup } from 'xstate'
import { createWards } from '../../actors/wards.ts'
import { suite } from '../suite.ts'

const Wards = suite('wards')

const chart = setup({
  types: { events: {} as { type: 'go' } | { type: 'fail' } },
  actions: {
    fail() {
      throw new Error('an action that fails')
    },
  },
}).createMachine({
  initial: 'here',
  states: { here: { on: { go: 'there', fail: { actions: 'fail' } } }, there: {} },
})

const HERE = chart.resolveState({ value: 'here' })

function spawned() {
  const wards = createWards<{
    readonly row: { readonly id: string; readonly version: number; readonly chart: number | null }
    readonly event: { readonly type: 'go' | 'fail' }
    readonly stamped: { readonly type: 'go' | 'fail' }
    readonly snapshot: typeof HERE
    readonly effect: never
    readonly written: object
    readonly inserts: object
  }>(chart)
  return { wards, actor: wards.spawn('a', HERE), other: wards.spawn('b', HERE) }
}

Wards('an actor begins in the snapshot that it is given', () => {
  const { wards, actor } = spawned()
  const { value, context, status } = actor.getSnapshot()
  assert.equal({ value, context, status }, { value: 'here', context: {}, status: 'active' })
  assert.is(wards.spawn('c', chart.resolveState({ value: 'there' })).getSnapshot().value, 'there')
})

Wards('a stopped actor accepts no event, and other actors still do', () => {
  const { wards, actor, other } = spawned()
  let isStopped = false
  actor.subscribe({ complete: () => (isStopped = true) })
  wards.stop('a')
  actor.send({ type: 'go' })
  other.send({ type: 'go' })
  assert.equal([isStopped, actor.getSnapshot().value, other.getSnapshot().value], [true, 'here', 'there'])
  wards.stop('a')
  wards.stop('nobody')
})

Wards('an actor that ends in an error ends neither other actors nor its ward', () => {
  const { wards, actor } = spawned()
  actor.subscribe({ error: () => {} })
  actor.send({ type: 'fail' })
  assert.is(actor.getSnapshot().status, 'error')
  wards.stop('a')
  const next = wards.spawn('a', HERE)
  next.send({ type: 'go' })
  assert.is(next.getSnapshot().value, 'there')
})

Wards.run()
