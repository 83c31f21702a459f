/** `attribute-session-service/verify`: another program verifies a stored signature. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { verifySignature } from '../../libraries/verify.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { schemes } from '../wallet/support.ts'

type Signed = {
  readonly '@context': string
  readonly message: string
  readonly nonce: string
  readonly signature: readonly { readonly c: string }[]
  readonly timestamp: { readonly Time: number }
}
type Recorded = { readonly response: { readonly body?: { readonly signature?: Signed } } | null }

const KEY = 's10vFPyrRMI+rQN8xhXj2e+tGww5VPSMqe7zUEhlS5w='
const OTHER_KEY = Buffer.alloc(32, 7).toString('base64')

/** A session result with a signature that has a timestamp. */
function recordedResult(): { readonly signature: Signed } {
  const text = readFileSync(join(PROJECT, 'test/vectors/transcripts/signature-with-timestamp.json'), 'utf8')
  const { exchanges }: { exchanges: readonly Recorded[] } = JSON.parse(text)
  const body = exchanges.map(({ response }) => response?.body).find(each => each?.signature)
  if (body?.signature === undefined) throw new Error('expected a result with a signature')
  return { ...body, signature: body.signature }
}

const result = recordedResult()
const { signature } = result

const Verify = suite('a stored signature, verified by other programs (spec/cryptography#12.6)')

Verify(
  'a signed message or a session result, as JSON or parsed, gives message, time, key, attributes',
  async () => {
    const options = { schemes, timestampKeys: [OTHER_KEY, KEY] }
    for (const form of [signature, result, JSON.stringify(signature), JSON.stringify(result)]) {
      const { disclosed, ...facts } = await verifySignature(form, options)
      assert.equal(facts, {
        proofStatus: 'VALID',
        message: 'I owe you everything',
        timeSec: 1_795_260_840,
        timestampKey: KEY,
      })
      assert.equal(
        disclosed.map(({ status }) => status),
        disclosed.map(() => 'EXTRA'),
      )
      assert.ok(disclosed.length > 0)
    }
  },
)

Verify(
  'a timestamp of a key that is not given is INVALID_TIMESTAMP; keys are 32 bytes in Base64',
  async () => {
    for (const timestampKeys of [[], [OTHER_KEY]]) {
      const judged = await verifySignature(signature, { schemes, timestampKeys })
      assert.equal([judged.proofStatus, judged.disclosed], ['INVALID_TIMESTAMP', []])
    }
    assert.is((await verifySignature(signature, { schemes })).proofStatus, 'INVALID_TIMESTAMP')
    const short = await verifySignature(signature, { schemes, timestampKeys: ['AQ=='] }).catch(
      (error: unknown) => String(error),
    )
    assert.is(short, 'Error: timestampKeys: expected 32 bytes in Base64, got 1')
  },
)

Verify('a change of any part makes the signature invalid', async () => {
  const [first, ...others] = signature.signature
  const changed = {
    INVALID_TIMESTAMP: [
      { ...signature, message: 'I owe you nothing' },
      { ...signature, timestamp: { ...signature.timestamp, Time: signature.timestamp.Time + 1 } },
    ],
    INVALID: [
      { ...signature, nonce: 'AQ==' },
      { ...signature, timestamp: null },
      { ...signature, signature: [{ ...first, c: 'AQ==' }, ...others] },
    ],
  }
  for (const [status, messages] of Object.entries(changed))
    for (const message of messages)
      assert.is((await verifySignature(message, { schemes, timestampKeys: [KEY] })).proofStatus, status)
})

Verify('a value that is no signature is refused', async () => {
  const NEITHER =
    'Error: signature: expected a signed message, or a session result that holds one, got neither'
  const wrong: readonly (readonly [string | object, string])[] = [
    [{}, NEITHER],
    ...['[]', '5', 'null'].map(text => [text, NEITHER] as const),
    [{ signature: null }, NEITHER],
    ['', 'Error: signature: expected a signed message in JSON, got something else'],
  ]
  for (const [form, words] of wrong) {
    const error = await verifySignature(form, { schemes }).then(() => assert.unreachable(), String)
    assert.is(String(error), words)
  }
  const error = await verifySignature({ signature: 'x' }, { schemes }).then(
    () => assert.unreachable(),
    String,
  )
  assert.match(String(error), /^MalformedInput/)
})

Verify.run()
