/** The followers of a session on this node. Each one is notified until it unsubscribes. @module */
import * as assert from 'uvu/assert'
import { SessionFollowers } from '../../actors/session-followers.ts'
import { suite } from '../suite.ts'

const Watching = suite('followers of a session')

const CHANGE = { id: 's', version: 2, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const

Watching('a follower that stops gets no more changes, and all others still do', () => {
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

Watching('no memory is used for a session without followers', () => {
  const watchers = new SessionFollowers(() => {})
  const stops = ['a', 'b'].map(() => watchers.follow('s', () => {}))
  for (const stop of stops) stop()
  assert.equal([watchers.isFollowed('s'), watchers.ids()], [false, []])
})

Watching('the error of a listener is reported, and the next listener still gets the change', () => {
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
