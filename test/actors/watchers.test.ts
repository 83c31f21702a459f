/** Who follows a session on this node: everybody until they stop, and nobody else. @module */
import * as assert from 'uvu/assert'
import { Watchers } from '../../actors/watchers.ts'
import { suite } from '../suite.ts'

const Watching = suite('who follows a session')

const CHANGE = { id: 's', version: 2, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const

Watching('whoever stops hears no more, and everybody else still does', () => {
  const watchers = new Watchers(() => {})
  const heard: string[] = []
  const stops = ['a', 'b', 'c'].map(name => watchers.add('s', () => heard.push(name)))
  stops[1]?.()
  watchers.tell(CHANGE)
  assert.equal(heard.splice(0), ['a', 'c'])
  stops[0]?.()
  stops[0]?.()
  watchers.tell(CHANGE)
  assert.equal(heard.splice(0), ['c'])
  assert.equal([watchers.isWatched('s'), watchers.ids()], [true, ['s']])
})

Watching('of a session that nobody follows any more nothing is kept', () => {
  const watchers = new Watchers(() => {})
  const stops = ['a', 'b'].map(() => watchers.add('s', () => {}))
  for (const stop of stops) stop()
  assert.equal([watchers.isWatched('s'), watchers.ids()], [false, []])
})

Watching('a listener that fails is reported, and the next one hears', () => {
  const reports: unknown[] = []
  const watchers = new Watchers((id, error) => reports.push([id, String(error)]))
  const heard: string[] = []
  watchers.add('s', () => {
    throw new Error('failed')
  })
  watchers.add('s', () => heard.push('b'))
  watchers.tell(CHANGE)
  assert.equal([heard, reports], [['b'], [['s', 'Error: failed']]])
})

Watching.run()
