/** The whole way of a wallet app through the keyshare server: registration, login, commitments, a response that verifies. @module */
import * as assert from 'uvu/assert'
import { fromBase64 } from '../../../crypto/bytes.ts'
import { parseIssuerId } from '../../../protocol/ids.ts'
import { claimsIn } from '../../crypto/keyshare/recorded.ts'
import { suite } from '../../suite.ts'
import { headersOf, PIN, registered, registeredWithout } from './app.ts'
import { power, withKeyshare } from './harness.ts'

const Whole = suite('keyshare server: the whole way of an app')

Whole('registration, login, commitments and a response: R^s = Pcommit * P^c mod n', async () => {
  await withKeyshare({}, async server => {
    const app = await registered(server)
    const headers = await headersOf(server, app)
    const name = 'svc-demo.gov-0'
    const commitments = await server.call('POST', '/prove/getCommitments', { headers, body: [name] })
    assert.is(commitments.status, 200, commitments.text)
    const { P, Pcommit } = Object(commitments.json).c[name]
    const response = await server.call('POST', '/prove/getResponse', { headers, body: '12345' })
    assert.equal([response.status, response.headers['content-type']], [200, 'text/plain'])
    const { ProofP } = Object(claimsIn(response.text))
    const { n = 0n, R: [R0 = 0n] = [] } =
      server.deps.issuerKeys.publicKey(parseIssuerId('svc-demo.gov'), 0) ?? {}
    assert.is(ProofP.P, P)
    assert.is(
      power(R0, fromBase64(ProofP.s_response), n),
      (fromBase64(Pcommit) * power(fromBase64(P), 12345n, n)) % n,
    )
  })
})

Whole(
  'a hundred users of the previous protocol at once, each with a separate account: no request fails',
  async () => {
    await withKeyshare({}, async server => {
      const users = await Promise.all(Array.from({ length: 100 }, () => registeredWithout(server)))
      assert.is(new Set(users).size, 100)
      const asked = async (path: string, body: unknown, headers = {}) => {
        const { status, text, json } = await server.call('POST', path, { headers, body })
        assert.is(status, 200, `${path}: ${text}`)
        return { text, json }
      }
      const whole = async (id: string): Promise<string> => {
        const { status, message } = Object((await asked('/users/verify/pin', { id, pin: PIN })).json)
        assert.is(status, 'success')
        const headers = { 'X-Svc-Keyshare-Username': id, Authorization: message }
        await asked('/prove/getCommitments', ['svc-demo.gov-0'], headers)
        return (await asked('/prove/getResponse', '12345', headers)).text
      }
      assert.is(new Set(await Promise.all(users.map(whole))).size, 100, 'responses')
    })
  },
)

Whole.run()
