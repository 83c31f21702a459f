/** Turns in real threads. Messages with many proofs get the same verdict as in this thread, and do not delay other messages. One thread checks proofs in order, so a
 *  message is answered when its last proof has been checked. @module */
import * as assert from 'uvu/assert'
import { createProofPool, type ProofPool } from '../../actors/workers/proof-pool.ts'
import { draftProofs, type ProofList, verifyProofs } from '../../crypto/proof-list.ts'
import type { StampedMessage } from '../../crypto/timestamp.ts'
import {
  CHALLENGE,
  change,
  changeCommitment,
  changeFirst,
  credentialOf,
  disclose,
  openssl,
  proveTo,
  SECRET_KEY,
} from '../crypto/proofs.ts'
import { issueRevocable, proveNotRevoked } from '../crypto/revocable.ts'
import { keyOf } from '../crypto/vectors.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'

const FAST = 'svc-demo.fast-0'
const GOV = 'svc-demo.gov-0'
const { publicKey: key, privateKey } = keyOf(FAST)
const right = disclose([[FAST, 2]])
/** A wrong list of proofs. It is well-formed and in range, so all its arithmetic is done. */
const junk = { ...disclose(Array.from({ length: 20 }, () => [FAST, 2] as const)), nonce: 1n }
const stamped: StampedMessage = {
  message: 'm',
  version: 2,
  proofs: Array.from({ length: 20 }, () => ({
    A: 5n,
    disclosed: new Map([[2, 7n]]),
    key,
    attributeCount: 4,
  })),
}

const Turns = suite('turns in worker threads')

async function withThread(use: (pool: ProofPool) => Promise<void>): Promise<void> {
  const pool = createProofPool({ arithmetic: 'auto', threads: 1 })
  try {
    await pool.verify(right)
    await use(pool)
  } finally {
    await pool.close()
  }
}

/** @returns names in the order in which their work ended */
async function endsOf(works: Readonly<Record<string, () => Promise<unknown>>>): Promise<string[]> {
  const ends: string[] = []
  await Promise.all(Object.entries(works).map(([name, work]) => work().then(() => ends.push(name))))
  return ends
}

Turns('a message of one proof is answered before earlier messages of 20 proofs', () =>
  withThread(async pool => {
    const crowd = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [i, () => pool.verify(junk)]))
    const ends = await endsOf({ ...crowd, right: async () => assert.ok(await pool.verify(right)) })
    // the members of `works` whose names are numbers are started first
    assert.equal(ends, ['right', '0', '1', '2', '3', '4'])
  }),
)

Turns('timestamps, signatures and witnesses take turns with proofs', () =>
  withThread(async pool => {
    const { witness } = issueRevocable(FAST)
    const { U } = proveTo(drafts(), [FAST], [FAST]).commitments[0]?.proof ?? { U: 0n }
    const toSign = { key, privateKey, U, attributes: [7n], context: 1n, n2: 3n }
    const ends = await endsOf({
      junk: () => pool.verify(junk),
      timestamp: () => pool.timestampNonce(stamped),
      signatures: () => pool.sign(Array(2).fill(toSign)),
      witness: () => pool.issueWitness({ key, privateKey, signed: witness.signed }),
      right: () => pool.verify(right),
    })
    assert.equal(ends.slice(0, 3), ['witness', 'right', 'signatures'])
  }),
)

function drafts() {
  const { nonce, ...facts } = CHALLENGE
  const disclosures = [{ credential: credentialOf(FAST), disclosed: [2] }]
  const commitments = [{ key, randomBlind: [] }]
  return draftProofs(openssl, { disclosures, commitments, secretKey: SECRET_KEY, ...facts }, n =>
    new Uint8Array(n).fill(Number(nonce % 251n)),
  )
}

const mixed = proveTo(drafts(), [FAST], [FAST])
const two = disclose([
  [FAST, 2],
  [GOV, 3],
])
const notRevoked = proveNotRevoked(issueRevocable(FAST))
const MESSAGES: Readonly<Record<string, ProofList>> = {
  'a disclosure and a commitment': mixed,
  'a disclosure and a commitment for another nonce': { ...mixed, nonce: 3n },
  'a disclosure and a commitment for another context': { ...mixed, context: 2n },
  'a disclosure and a commitment as a signature': { ...mixed, isSignature: true },
  'a commitment in which U has no inverse': changeCommitment(mixed, () => ({ U: privateKey.p })),
  'two disclosures under keys of two sizes': two,
  'two disclosures in another order': { ...two, disclosures: [...two.disclosures].reverse() },
  'two disclosures, one with another challenge': change(two, ({ c }) => ({ c: c + 1n })),
  'two disclosures, one with an A that is 0': change(two, () => ({ A: 0n })),
  'two disclosures, one with another response': change(two, ({ eResponse }) => ({
    eResponse: eResponse + 1n,
  })),
  'two disclosures, each twice': { ...two, disclosures: [...two.disclosures, ...two.disclosures] },
  'a proof of non-revocation': notRevoked,
  'a proof of non-revocation whose accumulator another issuer signed': {
    ...notRevoked,
    disclosures: notRevoked.disclosures.map(each => ({ ...each, key: { ...each.key, counter: 7 } })),
  },
  'a valid proof of an attribute that the credential type does not have': changeFirst(right, each => ({
    ...each,
    attributeCount: 0,
  })),
  'no proofs': { ...two, disclosures: [] },
}

Turns('threads give the same verdicts on messages of several proofs as this thread', async () => {
  const pool = createProofPool({ arithmetic: 'auto', threads: 2 })
  const verdicts = await Promise.all(Object.values(MESSAGES).map(each => pool.verify(each)))
  const expected = Object.values(MESSAGES).map(each => verifyProofs(openssl, each))
  assert.equal(verdicts, expected)
  assert.ok(expected.filter(Boolean).length >= 3)
  await pool.close()
})

/** @returns the most pieces of a message that one thread got at once, and their kinds */
async function atOnce(list: ProofList, arithmetic: 'auto' | 'bigint' = 'auto') {
  const kinds = new Set<string>()
  const [now, most] = [{ begun: 0 }, { begun: 0 }]
  const begin = (kind: string) => {
    kinds.add(kind)
    most.begun = Math.max(most.begun, ++now.begun)
    return () => void now.begun--
  }
  const figures = { begin, waited: () => {}, watch: () => {} }
  const pool = createProofPool({ arithmetic, threads: 1, figures })
  await pool.verify(list)
  await pool.close()
  return [most.begun, ...kinds]
}

/** The same list with `count` copies of its disclosure. */
function copies(list: ProofList, count: number): ProofList {
  return { ...list, disclosures: Array.from({ length: count }, () => list.disclosures).flat() }
}

Turns(
  'a thread gets four short proofs together; longer proofs, and proofs with BigInt, one at a time',
  async () => {
    assert.equal(await atOnce(copies(disclose([[GOV, 3]]), 5)), [4, 'disclosure 2048'])
    assert.equal(await atOnce(copies(disclose([['scheme.issuerD-3', 2]]), 3)), [1, 'disclosure 4096'])
    assert.equal(await atOnce(copies(right, 5), 'bigint'), [1, 'disclosure 1024'])
    assert.equal(await atOnce(copies(notRevoked, 5)), [1, 'non-revocation 1024'])
  },
)

Turns('primes are searched for when no other work is left', async () => {
  const begun: string[] = []
  const begin = (kind: string) => {
    begun.push(kind)
    return () => {}
  }
  const figures = { begin, waited: () => {}, watch: () => {} }
  const pool = createProofPool({ arithmetic: 'auto', threads: 1, sparePrimes: 1, figures })
  const { U } = proveTo(drafts(), [FAST], [FAST]).commitments[0]?.proof ?? { U: 0n }
  await Promise.all([
    pool.verify(junk),
    pool.sign([{ key, privateKey, U, attributes: [7n], context: 1n, n2: 3n }]),
  ])
  await pool.close()
  assert.equal(begun.indexOf('findPrime 1024'), 21, 'after 20 proofs and the signature')
})

Turns(
  'a submission whose claim has ended leaves the queue, and its waiting proofs are never calculated',
  () =>
    withThread(async pool => {
      const claim = new AbortController()
      const over = rejection(pool.verify(junk, claim))
      const both = rejection(pool.timestampNonce(stamped, claim))
      const signing = rejection(
        pool.sign([{ key, privateKey, U: 0n, attributes: [], context: 1n, n2: 1n }], claim),
      )
      claim.abort(new Error('the claim is over'))
      assert.equal(await Promise.all([over, both, signing]), Array(3).fill('Error: the claim is over'))
      assert.ok(await pool.verify(right))
    }),
)

Turns.run()
