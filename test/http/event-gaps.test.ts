/** Event streams after a node has lost its connection to the store. Commits that other nodes made during the gap are sent once and in order (spec/interface#6). @module */
import * as assert from 'uvu/assert'
import { elapse, settle } from '../actors/node.ts'
import { suite } from '../suite.ts'
import type { Stream } from './client.ts'
import type { SessionOfTest } from './harness.ts'
import { frame, type Node, openAt, play, rest, STEPS, withNodes, withPairing } from './two-nodes.ts'

const Gaps = suite('event streams after a gap in notifications')

/** Two nodes. The second one has a stream, and gets no notification of the first one's commits. */
function whileDeaf(
  use: (a: Node, b: Node, session: SessionOfTest, stream: Stream) => Promise<void>,
): Promise<void> {
  return withNodes(async (a, b) => {
    const session = await withPairing(a)
    const stream = await openAt(b, 'app', session, '')
    assert.is(await stream.next(), 'id: INITIALIZED\nevent: open')
    b.view.isDeaf = true
    await use(a, b, session, stream)
  })
}

Gaps('a change without a notification is sent before the next change that the node is notified of', () =>
  whileDeaf(async (a, b, session, stream) => {
    await play(a, session, 0, 2)
    b.view.isDeaf = false
    await play(a, session, 2, 3)
    assert.equal(
      await rest(stream),
      STEPS.map(([status]) => frame('app', status)),
    )
  }),
)

Gaps('after a gap the missed changes are sent at once, and once, even if notifications arrive late', () =>
  whileDeaf(async (a, b, session, stream) => {
    await play(a, session, 0, 2)
    b.view.miss()
    assert.is(await stream.next(), frame('app', 'PAIRING'))
    assert.is(await stream.next(), frame('app', 'CONNECTED'))
    b.view.isDeaf = false
    b.view.miss()
    await play(a, session, 2, 3)
    assert.equal(await rest(stream), [frame('app', 'DONE')])
  }),
)

Gaps('missed changes are also sent when the node reads the row for another reason', () =>
  whileDeaf(async (a, b, session, stream) => {
    await play(a, session, 0, 1)
    assert.is((await b.call('GET', `${session.app}/status`)).text, '"PAIRING"')
    assert.is(await stream.next(), frame('app', 'PAIRING'))
    stream.leave()
  }),
)

Gaps('if the store is unavailable after a gap, the node asks it every second until it answers', () =>
  whileDeaf(async (a, b, session, stream) => {
    await play(a, session, 0, 1)
    b.view.isGone = true
    b.view.miss()
    await settle()
    await elapse(b.clock, 5_000)
    b.view.isGone = false
    await elapse(b.clock, 1_000)
    assert.is(await stream.next(), frame('app', 'PAIRING'))
    stream.leave()
  }),
)

Gaps('after a gap the node reads the row of each followed session once, and no other row', () =>
  withNodes(async (a, b) => {
    const session = await a.create()
    await a.create()
    const streams = await Promise.all(
      (['requestor', 'app', 'frontend'] as const).map(kind => openAt(b, kind, session, null)),
    )
    b.view.loads.splice(0)
    b.view.miss()
    await settle()
    assert.is(b.view.loads.length, 1)
    for (const stream of streams) stream.leave()
  }),
)

Gaps('the streams of a session that was deleted during a gap end', () =>
  whileDeaf(async (a, b, session, stream) => {
    await a.call('DELETE', session.app)
    b.view.isGone = true // its own deadlines would read the row
    await elapse(a.clock, 10 * 60_000)
    b.view.isGone = false
    b.view.miss()
    await elapse(b.clock, 1_000)
    assert.equal(await rest(stream), [])
  }),
)

Gaps.run()
