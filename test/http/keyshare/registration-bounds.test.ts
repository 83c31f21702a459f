/** Bounds on registrations, by the address of the caller and in all (spec/decisions#bounds-of-callers). */
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { type KeyshareOfTest, withKeyshare } from './harness.ts'

const MINUTE = 60_000
const Bounds = suite('keyshare server: bounds on registrations')

/** @returns the statuses of so many registrations */
async function statuses(
  { call }: KeyshareOfTest,
  count: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<number[]> {
  const found: number[] = []
  for (let i = 0; i < count; i++)
    found.push((await call('POST', '/client/register', { headers, body: { pin: 'pin' } })).status)
  return found
}

Bounds(
  'a caller may register a number of accounts a minute; then 429 with the time to wait, and no account',
  () =>
    withKeyshare({ options: { registrations_per_caller: 3 } }, async server => {
      assert.equal(await statuses(server, 4), [200, 200, 200, 429])
      assert.is(await server.store.accounts.count(), 3)
      server.clock.advance(1_000)
      const { status, headers, json } = await server.call('POST', '/client/register', {
        body: { pin: 'pin' },
      })
      assert.equal([status, headers['retry-after']], [429, '19'])
      assert.equal(json, {
        status: 429,
        error: 'TOO_MANY_REQUESTS',
        description: 'Too many requests',
        message:
          'expected at most 3 registrations a minute from one network address, got more; try again later',
      })
      server.clock.advance(19_000)
      assert.equal(await statuses(server, 2), [200, 429])
      server.clock.advance(MINUTE)
      assert.equal(await statuses(server, 4), [200, 200, 200, 429])
    }),
)

Bounds('both paths of the registration share the limit', () =>
  withKeyshare({ options: { registrations_per_caller: 1 } }, async server => {
    assert.equal(await statuses(server, 1), [200])
    const { status } = await server.call('POST', '/api/v1/client/register', { body: { pin: 'pin' } })
    assert.is(status, 429)
  }),
)

Bounds(
  'callers behind a trusted proxy have separate limits; the header of an untrusted caller is ignored',
  async () => {
    const from = (address: string) => ({ 'X-Forwarded-For': address })
    const options = { registrations_per_caller: 1 }
    await withKeyshare({ options }, async server => {
      for (const address of ['192.0.2.1', '192.0.2.2'])
        assert.equal(await statuses(server, 2, from(address)), [200, 429])
      assert.equal(await statuses(server, 1, from('192.0.2.3, 192.0.2.2')), [429])
    })
    await withKeyshare({ options: { ...options, trusted_proxies: ['10.0.0.0/8'] } }, async server => {
      assert.equal(await statuses(server, 1, from('192.0.2.1')), [200])
      assert.equal(await statuses(server, 1, from('192.0.2.2')), [429])
      assert.is(server.log.filter(line => line.includes('trusted_proxies: X-Forwarded-For of')).length, 1)
    })
  },
)

Bounds('all callers together have a limit, too: 503 with the time to wait', () =>
  withKeyshare({ options: { registrations_per_minute: 2 } }, async server => {
    assert.equal(await statuses(server, 2, { 'X-Forwarded-For': '192.0.2.1' }), [200, 200])
    const { status, headers, json } = await server.call('POST', '/client/register', { body: { pin: 'pin' } })
    assert.equal([status, headers['retry-after'], Object(json).error], [503, '2', 'OVERLOADED'])
    assert.is(await server.store.accounts.count(), 2)
    server.clock.advance(30_000)
    assert.equal(await statuses(server, 2), [200, 503])
  }),
)

Bounds('a registration that is refused for its content is not counted', () =>
  withKeyshare({ options: { registrations_per_caller: 1 } }, async server => {
    for (const body of ['{', '{"pin":5}'])
      assert.is((await server.call('POST', '/client/register', { body })).status, 400)
    assert.equal(await statuses(server, 2), [200, 429])
  }),
)

Bounds.run()
