/** Signed messages with members that are missing, null or too long: the answer to the app, and the result for the requestor. @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import type { Json } from './json.ts'
import { signature } from './requests.ts'
import { startService } from './service.ts'

const service = await startService()
const Members = suite('spec/interface#2.9: members of a signed message that are left out')

/** The answer and the result for a signed message that is right except for these members. */
async function signedWith(change: (message: Json) => object): Promise<{ told: unknown; result: Json }> {
  const session = await service.create(signature())
  const { call } = await service.answer(session, { tamper: body => ({ ...body, ...change(body) }) })
  const { status, got } = call('POST', '/proofs')
  const { json } = await service.get(`${session.requestor}/result`)
  return { told: [status, got.error ?? got.proofStatus, Object(json).status], result: json }
}

for (const member of ['nonce', 'context'])
  Members(`2.9 signed ${member} left out: UNMATCHED_REQUEST, and null in the result`, async () => {
    for (const value of [undefined, null]) {
      const { told, result } = await signedWith(() => ({ [member]: value }))
      assert.equal(told, [200, 'UNMATCHED_REQUEST', 'DONE'])
      assert.is(result.signature[member], null)
      assert.is(result.disclosed, undefined)
    }
  })

Members('2.9 signed indices left out: nothing answers the request, and null in the result', async () => {
  for (const indices of [undefined, null]) {
    const { told, result } = await signedWith(() => ({ indices }))
    assert.equal(told, [200, 'MISSING_ATTRIBUTES', 'DONE'])
    assert.is(result.signature.indices, null)
  }
  const { told, result } = await signedWith(() => ({ indices: [null] }))
  assert.equal([told, result.signature.indices], [[200, 'MISSING_ATTRIBUTES', 'DONE'], [null]])
})

Members('2.9 signed timestamp without its signature: INVALID_TIMESTAMP', async () => {
  for (const Sig of [undefined, null, {}]) {
    const { told, result } = await signedWith(({ timestamp }) => ({ timestamp: { ...timestamp, Sig } }))
    assert.equal(told, [200, 'INVALID_TIMESTAMP', 'DONE'])
    assert.equal(result.signature.timestamp.Sig, { Alg: '', Data: null, PublicKey: null })
  }
})

Members(
  '2.9 signed nonce, context of more than 256 bits: 400 and CANCELLED, and nothing is kept',
  async () => {
    const most = Buffer.alloc(32, 0xff)
    for (const member of ['nonce', 'context']) {
      const longest = await signedWith(() => ({ [member]: most.toString('base64') }))
      assert.equal(longest.told, [200, 'UNMATCHED_REQUEST', 'DONE'])
      const long = Buffer.concat([Buffer.of(1), most]).toString('base64')
      const { told, result } = await signedWith(() => ({ [member]: long }))
      assert.equal(told, [400, 'MALFORMED_INPUT', 'CANCELLED'])
      assert.equal([result.signature, result.proofStatus], [undefined, undefined])
    }
  },
)

Members.after(() => service.close())
Members.run()
