import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { type Finished, startSvc } from './run-svc.ts'

type Recorded = { readonly response: { readonly body?: { readonly signature?: object } } | null }
type Signed = { message: string; timestamp: { Time: number; Sig: { PublicKey: string } } | null }

function recordedResult(name: string): { readonly signature: Signed } {
  const text = readFileSync(`test/vectors/transcripts/${name}.json`, 'utf8')
  const { exchanges }: { exchanges: readonly Recorded[] } = JSON.parse(text)
  const body = exchanges.map(({ response }) => response?.body).find(body => body?.signature)
  if (!body) throw new Error(`${name}: expected a result with a signature`)
  return body as { signature: Signed } // in the recorded form
}

const result = recordedResult('signature-with-timestamp')
const { signature } = result
const KEY = 's10vFPyrRMI+rQN8xhXj2e+tGww5VPSMqe7zUEhlS5w='
const OTHER_KEY = Buffer.alloc(32, 7).toString('base64')
const folder = mkdtempSync(join(tmpdir(), 'svc-signature-'))
const file = join(folder, 'signature.json')

function verify(input: string | Buffer | null, ...words: readonly string[]): Promise<Finished> {
  const running = startSvc(['signature', 'verify', '--schemes-path', 'demo/schemes', ...words])
  running.process.stdin?.end(input ?? '')
  return running.finished
}

const Verify = suite('svc signature verify: a signature that was kept, offline (spec/cryptography#12.6)')
Verify.after(() => rmSync(folder, { recursive: true }))

Verify(
  'prints message, time and attributes of a valid signature, from a file or standard input, alone or in a result',
  async () => {
    writeFileSync(file, JSON.stringify(signature))
    const words = ['--timestamp-key', OTHER_KEY, '--timestamp-key', KEY]
    const answers = [
      await verify(null, file, ...words),
      await verify(JSON.stringify(signature), ...words),
      await verify(JSON.stringify(result, null, 2), ...words),
    ]
    for (const { code, stdout, stderr } of answers) {
      assert.equal([code, stderr], [0, ''])
      const [message, time, ...attributes] = stdout.trimEnd().split('\n')
      assert.is(message, 'Message: "I owe you everything"')
      assert.is(time, `Time: ${new Date(1_795_260_840_000).toISOString()}`)
      assert.ok(attributes.length > 0)
      for (const line of attributes) assert.match(line, /^svc-demo(\.\w+){3}: ".*"$/)
    }
    const { stdout } = await verify(JSON.stringify(signature), ...words, '--json')
    const { proofStatus, message, time, disclosed } = JSON.parse(stdout)
    assert.equal([proofStatus, message, time], ['VALID', 'I owe you everything', 1_795_260_840])
    assert.is(disclosed[0].status, 'EXTRA')
  },
)

Verify(
  'without the key of its timestamp a signature is not valid, and the message has this key',
  async () => {
    for (const words of [[], ['--timestamp-key', OTHER_KEY]]) {
      const { code, stderr } = await verify(JSON.stringify(signature), ...words)
      assert.is(code, 1)
      assert.is(
        stderr,
        `svc: signature: expected a valid one, got INVALID_TIMESTAMP; the key of its timestamp is none of --timestamp-key: ${KEY}\n`,
      )
    }
  },
)

Verify('a changed signature is not valid: code 1', async () => {
  const stamp = signature.timestamp ?? { Time: 0 }
  const changed = {
    INVALID_TIMESTAMP: [
      { ...signature, message: 'I owe you nothing' },
      { ...signature, timestamp: { ...stamp, Time: stamp.Time + 1 } },
    ],
    INVALID: [
      { ...signature, timestamp: null },
      { ...signature, nonce: 'AQ==' },
      { ...signature, signature: [] },
    ],
  }
  for (const [status, messages] of Object.entries(changed))
    for (const message of messages) {
      const { code, stderr } = await verify(JSON.stringify(message), '--timestamp-key', KEY)
      assert.equal([code, stderr], [1, `svc: signature: expected a valid one, got ${status}\n`])
    }
})

Verify('an input that is no signature is refused in one line', async () => {
  const wrong = {
    '': 'signature: expected a signed message in JSON, got something else',
    '[]': 'signature: expected a signed message, or a session result that holds one, got neither',
    '{"signature":"x"}': 'signed message',
  }
  for (const [text, message] of Object.entries(wrong)) {
    const { code, stdout, stderr } = await verify(text)
    assert.equal([code, stdout], [1, ''], text)
    assert.match(stderr, new RegExp(`^svc: ${message}[^\\n]*\\n$`))
  }
  const { stderr } = await verify('{}', '--timestamp-key', 'AQ==')
  assert.is(stderr, 'svc: --timestamp-key: expected 32 bytes in Base64, got 1\n')
})

Verify('a signature with other bytes than UTF-8 is refused, from a file or standard input', async () => {
  const latin = Buffer.from(JSON.stringify({ ...signature, message: 'caf\u00e9' }), 'latin1')
  writeFileSync(file, latin)
  const [ofFile, ofInput] = [await verify(null, file), await verify(latin)]
  assert.equal([ofFile.code, ofInput.code], [1, 1])
  assert.is(ofFile.stderr, `svc: signature ${file}: expected text in UTF-8, got another\n`)
  assert.is(ofInput.stderr, 'svc: signature: expected text in UTF-8, got another\n')
})

Verify('a message shows as text: no character of it reaches the terminal as a command', async () => {
  const { stdout } = await verify(JSON.stringify({ ...signature, message: 'a\u001b[2J\u009b\u202eb' }))
  assert.match(stdout, 'Message: "a\\u001b[2J\\u009b\\u202eb"\n')
})
Verify.run()
