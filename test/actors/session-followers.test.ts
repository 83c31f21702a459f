/** The followers of a session on this node. Each one is notified until it unsubscribes. @module */
import * as assert from 'uvu/assert'
import { SessionFollowers } from '../../actors/session-followers.ts'
import { suite } from '../suite.ts'

const Watching = suite('who follows a session')

const CHANGE = { id: 's', version: 2, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const

Watching('whoever stops hears no more, and everybody else still does', () => {
  const watchers = new SessionFollowers(() => {})
  const heard: string[] = []
  const stops = ['a', 'b', 'c'].map(name => watchers.follow('s', () => heard.push(name)))
  stops[1]?.()
  watchers.notify(CHANGE)
  assert.equal(heard.splice(0), ['a', 'c'])
  stops[0]?.()
  stops[0]?.()
  watchers.notify(CHANGE)
  assert.equal(heard.splice(0), ['c'])
  assert.equal([watchers.isFollowed('s'), watchers.ids()], [true, ['s']])
})

Watching('of a session that nobody follows any more nothing is kept', () => {
  const watchers = new SessionFollowers(() => {})
  const stops = ['a', 'b'].map(() => watchers.follow('s', () => {}))
  for (const stop of stops) stop()
  assert.equal([watchers.isFollowed('s'), watchers.ids()], [false, []])
})

Watching('a listener that fails is reported, and the next one hears', () => {
  const reports: unknown[] = []
  const watchers = new SessionFollowers((id, error) => reports.push([id, String(error)]))
  const heard: string[] = []
  watchers.follow('s', () => {
    throw new Error('failed')
  })
  watchers.follow('s', () => heard.push('b'))
  watchers.notify(CHANGE)
  assert.equal([heard, reports], [['b'], [['s', 'Error: failed']]])
})

Watching.run()
