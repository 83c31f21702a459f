/** Above the maximum number of pending callbacks (spec/laws#5), requestors and callers of static sessions get 503 with Retry-After until callbacks have been
 *  delivered. @module */
import * as assert from 'uvu/assert'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequest } from '../../protocol/request.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { commitDelivery, commitSession } from '../stores/commits.ts'
import { owedRow, sessionRow } from '../stores/rows.ts'
import { suite } from '../suite.ts'
import { disclosure, sessionIn, withServer } from './harness.ts'

const callbackUrl = 'https://site.example/results'

const Bound = suite('callbacks above their maximum number')

Bound('only a session with a callback is refused while too many callbacks are owed', async () => {
  const store = createMemoryStore()
  const never = { dueAt: 2 ** 50, giveUpAt: 2 ** 50, requestor: null, host: 'site.example' }
  const owed = ['d', 'e'].map(id =>
    owedRow(id, { ...never, ...(id === 'd' && { host: 'other.example', requestor: '' }) }),
  )
  assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed }))
  const request = parseSessionRequest({ callbackUrl, request: { ...disclosure() } }, PROFILES.svc)
  const settings = {
    maxOwedCallbacks: 2,
    allowUnsignedCallbacks: true,
    staticSessions: new Map([['over18', request]]),
  }
  await withServer({ store, settings }, async server => {
    const asked = [
      () => server.post({ callbackUrl, request: disclosure() }),
      () => server.call('POST', '/svc/session/over18', { body: {} }),
    ]
    for (const ask of asked) assert.is((await ask()).status, 200)
    const another = owedRow('f', never)
    assert.ok(await commitSession(store, 'id-t', 0, sessionRow('t'), { owed: [another] }))
    server.clock.advance(1_000)
    for (const ask of asked) {
      const { status, headers, text } = await ask()
      assert.equal([status, headers['retry-after']], [503, '2'])
      assert.match(text, /max_owed_callbacks/)
      assert.not.match(text, 'site.example')
    }
    assert.is((await server.post(disclosure())).status, 200)
    assert.ok(
      await commitDelivery(store, 'f', 1, { ...another, version: 2, state: 'delivered', message: null }),
    )
    server.clock.advance(1_000)
    for (const ask of asked) assert.is((await ask()).status, 200)
    assert.ok(
      await commitSession(store, 'id-u', 0, sessionRow('u'), {
        owed: [owedRow('g', { ...never, host: 'third.example', requestor: '' })],
      }),
    )
    server.clock.advance(1_000)
    for (const ask of asked) assert.is((await ask()).status, 503, 'by its requestor')
    for (const id of ['d', 'e', 'g'])
      assert.is((await store.deliveries.load(id))?.state, 'waiting', 'no callback is dropped')
  })
})

Bound('sessions that were open when the maximum was reached still owe their callbacks', async () => {
  const store = createMemoryStore()
  const settings = { maxOwedCallbacks: 1, allowUnsignedCallbacks: true }
  const fetch = () => Promise.reject(new TypeError('the receiver is down'))
  await withServer({ store, settings, fetch }, async server => {
    const create = () => server.post({ callbackUrl, request: disclosure() })
    const open = [sessionIn(await create()), sessionIn(await create()), sessionIn(await create())]
    for (const { requestor } of open) assert.is((await server.call('DELETE', requestor)).status, 200)
    server.clock.advance(1_000)
    assert.is((await create()).status, 503)
    assert.is(await store.deliveries.countOwed({ host: 'site.example' }, 10), 3)
  })
})

Bound.run()
