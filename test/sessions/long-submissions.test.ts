/** Limits for the parts of a submission that a result would contain: a message that exceeds them is never stored (spec/laws#5).
 *  @module */
import * as assert from 'uvu/assert'
import { toBase64 } from '../../crypto/bytes.ts'
import { writeJson } from '../../protocol/json.ts'
import { storeOutcome } from '../../sessions/result.ts'
import { suite } from '../suite.ts'
import { judged, onlySubmission } from './submissions.ts'

const Long = suite('maximum lengths in a submission')

/** The recorded signed message with these members, in its first proof or in the message. */
async function told(of: { readonly proof?: object; readonly own?: object }): Promise<[string, number]> {
  const { input, services } = onlySubmission('transcripts/signature-1024')
  const message = JSON.parse(input.body)
  const signature = [{ ...message.signature[0], ...of.proof }, ...message.signature.slice(1)]
  const body = JSON.stringify({ ...message, signature, ...of.own })
  const { told, checked } = await judged({ input: { ...input, body }, services })
  return [told, checked ? storeOutcome(checked.judgement).text.length : 0]
}

const WRONG_NONCE = { nonce: 'AQ==' }

Long(
  'a number that is too long for any key is MALFORMED_INPUT, also in a message with another nonce',
  async () => {
    const long = toBase64(2n ** 8192n)
    for (const proof of [
      { A: long },
      { v_response: long },
      { a_responses: { 0: long } },
      { A: 'AQID'.repeat(2 ** 20) },
    ])
      for (const own of [{}, WRONG_NONCE])
        assert.equal(await told({ proof, own }), ['400 MALFORMED_INPUT', 0])
  },
)

Long(
  'the result contains the whole message with another nonce, within the limits of the request',
  async () => {
    const longest = toBase64(2n ** 8192n - 1n)
    const [status, length] = await told({ proof: { A: longest }, own: WRONG_NONCE })
    assert.is(status, 'UNMATCHED_REQUEST')
    assert.ok(length > longest.length && length < 10_000, `${length} characters`)
  },
)

Long(
  'a value may be long; all proofs together have at most 65,536 characters for each allowed proof',
  async () => {
    const value = (characters: number) => ({ a_disclosed: { 1: 'AQ==', 2: 'AQID'.repeat(characters / 4) } })
    const allowed = 5 * 2 ** 16 // one attribute is requested, and four proofs are spare
    const [status, length] = await told({ proof: value(allowed - 4_096), own: WRONG_NONCE })
    assert.is(status, 'UNMATCHED_REQUEST')
    assert.ok(length > allowed - 4_096 && length < allowed + 4_096, `${length} characters`)
    for (const own of [{}, WRONG_NONCE])
      assert.equal(await told({ proof: value(allowed), own }), ['400 MALFORMED_INPUT', 0])
  },
)

Long('a long integer counts with the length of its text in the result', async () => {
  const count = Math.ceil((5 * 2 ** 16) / (4_096 / 1.21)) // in hexadecimal digits, a number is shorter than in decimal ones
  const numbers = Array.from({ length: count }, (_, index) => `"${index + 2}":${'9'.repeat(4_096)}`)
  const { input, services } = onlySubmission('transcripts/signature-1024')
  const body = input.body.replace(/"a_disclosed":\{[^}]*\}/, `"a_disclosed":{${numbers.join()}}`)
  assert.is((await judged({ input: { ...input, body }, services })).told, '400 MALFORMED_INPUT')
})

Long('a signed message that differs from the requested one has at most 4,096 characters', async () => {
  const [status, length] = await told({ own: { message: '<'.repeat(4_096) } })
  assert.is(status, 'UNMATCHED_REQUEST')
  assert.ok(length < 40_000, `${length} characters`)
  assert.equal(await told({ own: { message: '<'.repeat(4_097) } }), ['400 MALFORMED_INPUT', 0])
})

Long('the requested message may have the maximum length of a request', async () => {
  const { input, services } = onlySubmission('transcripts/signature-1024')
  const { extended } = input
  if (extended.request.type !== 'signing') throw new Error('expected a signature request')
  const message = 'm'.repeat(2 ** 19)
  const asked = { ...input, extended: { ...extended, request: { ...extended.request, message } } }
  const sent = (text: string) => ({ ...asked, body: writeJson({ ...JSON.parse(input.body), message: text }) })
  assert.is((await judged({ input: sent(message), services })).told, 'INVALID_TIMESTAMP')
  assert.is((await judged({ input: sent(`${message}m`), services })).told, '400 MALFORMED_INPUT')
})

Long.run()
