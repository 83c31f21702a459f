/** Worker threads give the same verdict as this thread, and admit a bounded amount of work. A thread that dies loses only its own task. @module */
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import * as assert from 'uvu/assert'
import { createProofPool, type ProofPool } from '../../actors/workers/proof-pool.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { draftProofs, type ProofList, verifyProofs } from '../../crypto/proof-list.ts'
import { timestampNonce } from '../../crypto/timestamp.ts'
import { signAttributes } from '../../libraries/testing/sign-attributes.ts'
import { issueRevocable, proveNotRevoked } from '../crypto/revocable.ts'
import { keyOf } from '../crypto/vectors.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { connectedNode, VALID } from './node.ts'

const arithmetic = chooseArithmetic('auto')
const { publicKey: key, privateKey } = keyOf('svc-demo.fast-0')
const secretKey = 123456789n
const attributes = [42n, 7n, 9n]

/** Deterministic bytes in place of random ones. */
function countingBytes(): (n: number) => Uint8Array {
  let next = 1
  return n => Uint8Array.from({ length: n }, () => (next = (next * 37 + 11) % 251))
}

function makeMessage(): ProofList {
  const bytes = countingBytes()
  const signature = signAttributes(arithmetic, { key, privateKey, secretKey, attributes }, bytes)
  const facts = { context: 1n, isSignature: false }
  const chosen = [{ credential: { signature, attributes, key }, disclosed: [2] }]
  const input = { disclosures: chosen, commitments: [], secretKey, ...facts }
  const { disclosures } = draftProofs(arithmetic, input, bytes).finish(99n)
  return {
    disclosures: disclosures.map(proof => ({
      proof,
      key,
      group: '.',
      attributeCount: 2,
      revocationIndex: null,
    })),
    commitments: [],
    nonce: 99n,
    ...facts,
  }
}

const message = makeMessage()
const wrong = { ...message, nonce: 100n }

const Pool = suite('the proof pool')

for (const name of ['auto', 'bigint'] as const) {
  Pool(`threads give the verdict of this thread (${name})`, async () => {
    const pool = createProofPool({ arithmetic: name, threads: 2 })
    const verdicts = await Promise.all([message, wrong, message, wrong].map(each => pool.verify(each)))
    assert.equal(verdicts, [true, false, true, false])
    assert.is(verifyProofs(arithmetic, message), true)
    await pool.close()
  })
}

Pool('threads check proofs of non-revocation, with the tables that they share', async () => {
  const list = proveNotRevoked(issueRevocable('svc-demo.fast-0'))
  const pool = createProofPool({ arithmetic: 'auto', threads: 2 })
  const lists = [list, { ...list, nonce: 1n }, list, list]
  assert.equal(await Promise.all(lists.map(each => pool.verify(each))), [true, false, true, true])
  await pool.close()
})

Pool(
  'the nonce of a timestamp over 256 proofs: threads give the same, and the event loop is not blocked',
  async () => {
    const pool = createProofPool({ arithmetic: 'auto', threads: 1 })
    const proof = {
      A: 5n,
      disclosed: new Map([
        [1, 7n],
        [2, 2n ** 255n],
      ] as const),
      key,
      attributeCount: 2,
    }
    const stamped = { message: 'I agree', version: 2, proofs: Array(256).fill(proof) } as const
    let isWaiting = true
    let turns = 0
    const turn = (): void => {
      turns++
      if (isWaiting) setImmediate(turn)
    }
    setImmediate(turn)
    const nonce = await pool.timestampNonce(stamped)
    isWaiting = false
    assert.equal(Buffer.from(nonce), Buffer.from(timestampNonce(stamped, arithmetic)))
    assert.ok(turns > 1)
    await pool.close()
  },
)

Pool('waiting proofs that take long count as overload, and every message is still checked', async () => {
  const pool = createProofPool({ arithmetic: 'bigint', threads: 1, maxWaitMs: 50 })
  assert.is(pool.isOverloaded(), false)
  const verdicts = Array.from({ length: 12 }, () => pool.verify(message))
  assert.is(pool.isOverloaded(), true)
  assert.ok((await Promise.all(verdicts)).every(Boolean))
  assert.is(pool.isOverloaded(), false)
  await pool.close()
})

Pool('closing rejects unfinished checks, and a check that throws rejects only itself', async () => {
  const pool = createProofPool({ arithmetic: 'bigint', threads: 1 })
  const broken = {
    ...message,
    disclosures: message.disclosures.map(each => ({ ...each, key: { ...key, n: 15n } })),
  }
  const failed = await Promise.allSettled([pool.verify(broken), pool.verify(message)])
  assert.equal(
    failed.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  const waiting = Promise.allSettled([pool.verify(message), pool.verify(message)])
  await pool.close()
  assert.ok((await waiting).some(({ status }) => status === 'rejected'))
})

/** A pool of one thread, and that thread. */
async function poolAndThread(): Promise<{ pool: ProofPool; thread: Worker }> {
  const started = once(process, 'worker')
  const pool = createProofPool({ arithmetic: 'bigint', threads: 1 })
  const [thread] = await started
  return { pool, thread }
}

Pool(
  'only the check in a dying thread fails; checks that wait behind it, and later ones, are done',
  async () => {
    const { pool, thread } = await poolAndThread()
    assert.is(pool.hasThread(), false, 'the first thread is loading')
    await pool.verify(message)
    assert.is(pool.hasThread(), true)
    const died = thread.terminate() // sends no further message, even if this process is slow
    const verdicts = Promise.allSettled([message, message, wrong].map(each => pool.verify(each)))
    await died
    assert.is(pool.hasThread(), false, 'the next thread is loading')
    const [taken, ...others] = await verdicts
    assert.is(taken?.status, 'rejected')
    assert.equal(
      others.map(each => each.status === 'fulfilled' && each.value),
      [true, false],
    )
    assert.equal([pool.isOverloaded(), pool.hasThread()], [false, true])
    await pool.close()
  },
)

Pool(
  'a submission whose thread dies: no outcome for its caller, who may repeat it; other sessions continue',
  async () => {
    const { pool, thread } = await poolAndThread()
    await pool.verify(message)
    let checks = 0
    const node = await connectedNode({
      check: async () => {
        if (++checks === 1) void thread.terminate() // sends no further message, even if this process is slow
        const verdict = pool.verify(message)
        assert.ok(await verdict)
        return VALID
      },
    })
    await node.open('other')
    await node.connect('other')
    const submitted = rejection(node.submit())
    const other = node.submit('proof', 'other')
    assert.match(await submitted, /^UnavailableError: the work on this call ended without an outcome/)
    assert.equal([await node.submit(), await other], [VALID.answer.body, VALID.answer.body])
    assert.is(node.reports.length, 1)
    await pool.close()
  },
)

Pool('can be closed at any moment while its threads start, and the process continues', async () => {
  for (let turns = 0; turns < 8; turns++) {
    const pool = createProofPool({ arithmetic: 'auto', threads: 1 })
    const verified = pool.verify(message).catch(() => {})
    for (let turn = 0; turn < turns * 1_000; turn++) await new Promise(resolve => setImmediate(resolve))
    await pool.close()
    await verified
  }
})

Pool.run()
