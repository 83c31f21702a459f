/** The number of sent answers that a node remembers for its event streams. @module */
import * as assert from 'uvu/assert'
import { LastSent } from '../../http/last-sent.ts'
import { sessionRow } from '../stores/rows.ts'
import { suite } from '../suite.ts'

const Told = suite('the answers that a node keeps in memory')

const rowOf = (id: string) => ({ ...sessionRow('a', { status: 'CANCELLED', snapshot: null }), id })

Told('the latest answers to 20,000 callers are kept', () => {
  const told = new LastSent()
  const isKnown = (id: string): boolean => told.openingOf('requestor', null, rowOf(id)).missed.length === 0
  for (let i = 0; i < 20_000; i++) told.note('requestor', `id ${i}`, 'CANCELLED')
  told.note('requestor', 'id 0', 'CANCELLED')
  told.note('requestor', 'another', 'CANCELLED')
  assert.equal(['id 0', 'id 1', 'id 2', 'another'].map(isKnown), [true, false, true, true])
})

Told('a status that is never sent at an opening takes no room', () => {
  const told = new LastSent()
  told.note('frontend', 'id', 'DONE')
  for (let i = 0; i < 20_000; i++) told.note('requestor', `id ${i}`, 'PAIRING')
  assert.equal(told.openingOf('frontend', null, { ...rowOf('id'), status: 'DONE' }).missed, [])
})

Told('only the last status that was sent counts', () => {
  const told = new LastSent()
  told.note('frontend', 'id', 'CONNECTED')
  assert.equal(told.openingOf('frontend', null, rowOf('id')).missed, ['CANCELLED'])
  assert.equal(told.openingOf('requestor', null, rowOf('id')).missed, ['CANCELLED'])
})

Told.run()
