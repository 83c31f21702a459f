/** A session from creation until it is forgotten (spec 3), as the other folders see it. @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { createNode, elapse, MINUTE } from './node.ts'

const Life = suite('the life of a session')

Life('a session runs from INITIALIZED over DONE to forgotten, and its callback is owed once', async () => {
  const n = createNode()
  const { version, status } = await n.open()
  assert.equal([version, status], [1, 'INITIALIZED'])
  const changes = n.follow('s')
  assert.is(await n.connect(), 'CONNECTED')
  assert.is(await n.submit(), '{"proofStatus":"VALID"}')
  assert.equal(changes, ['INITIALIZED>CONNECTED', 'CONNECTED>DONE'])
  assert.is((await n.row())?.result?.text, '{"proofStatus":"VALID"}')
  assert.equal(
    (await n.store.deliveries.list()).map(({ state, status }) => `${state} ${status}`),
    ['waiting DONE'],
  )
  await elapse(n.clock, 5 * MINUTE)
  assert.is(await n.row(), null)
  assert.is(await n.store.sessions.count(), 0)
  assert.is(await n.turn({ type: 'cancelled' }), 'refused unknown')
  assert.equal(n.reports, [])
})

Life.run()
