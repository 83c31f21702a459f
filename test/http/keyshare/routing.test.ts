/** The paths of the keyshare server, and what none of its endpoints answers (keyshare note 2.1, 2.4, K1, D1). @module */
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { withKeyshare } from './harness.ts'

const Routing = suite('keyshare server: paths')

Routing('GET /health says OK, as text without a charset', async () => {
  await withKeyshare({}, async ({ call }) => {
    const { status, headers, text } = await call('GET', '/health')
    assert.equal([status, headers['content-type'], text], [200, 'text/plain', 'OK'])
  })
})

Routing('what is below the prefix of the profile is answered by the embedded session server', async () => {
  for (const profile of ['svc', 'irma'] as const)
    await withKeyshare({ profile }, async ({ call }) => {
      const { status, json } = await call('GET', `/${profile}/session/aaaaaaaaaaaaaaaaaaaa/status`)
      assert.equal([status, Object(json).error], [400, 'SESSION_UNKNOWN'])
    })
})

Routing.run()
