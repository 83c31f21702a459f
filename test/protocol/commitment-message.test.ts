/** The issuance commitment message (spec/interface#2.9, spec/cryptography#9.1): only its form. @module */
import * as assert from 'uvu/assert'
import { toBase64 } from '../../crypto/bytes.ts'
import { commitmentMessage, parseCommitmentMessage } from '../../protocol/commitment-message.ts'
import { MalformedInputError } from '../../protocol/errors.ts'
import { writeJson } from '../../protocol/json.ts'
import { suite } from '../suite.ts'
import { bodyText, recordedPosts } from './recorded.ts'

const Commitments = suite('the issuance commitment message')

const PROOF = { U: 'AQ==', c: 'Ag==', v_prime_response: 'Aw==', s_response: 'BA==' }

function withMembers(members: object): string {
  return JSON.stringify({ n_2: 'AQ==', combinedProofs: [PROOF], ...members })
}

function malformed(text: string, message: RegExp): void {
  assert.throws(
    () => parseCommitmentMessage(text),
    (error: Error) => error instanceof MalformedInputError && message.test(error.message),
    `${text.slice(0, 200)} -> ${message}`,
  )
}

/** Reads a message, and writes it like an app. */
function writtenAgain(text: string): string {
  const { proofs, ...rest } = parseCommitmentMessage(text)
  const disclosures = proofs.flatMap(each => (each.kind === 'disclosure' ? [each.proof] : []))
  const commitments = proofs.flatMap(each => (each.kind === 'commitment' ? [each.proof] : []))
  return writeJson(commitmentMessage({ ...rest, disclosures, commitments }))
}

Commitments('every recorded message of an honest app is read and written again to the byte', () => {
  const names = [
    ...['one-credential', 'two-credentials', '1024', 'randomblind', 'randomblind-last'].map(
      n => `issuance-${n}`,
    ),
    'combined-disclosure-issuance',
    'combined-two-and-two',
    'legacy-request-issuance',
    ...['2.5', '2.6', '2.7'].map(version => `version-${version}-issuance`),
  ]
  const texts = recordedPosts(names, '/commitments').map(({ request }) => bodyText(request))
  assert.ok(texts.length >= names.length)
  for (const text of texts) assert.is(writtenAgain(text), text)
})

Commitments('every number of a commitment is read, and those of random blind attributes by index', () => {
  const text = withMembers({ combinedProofs: [{ ...PROOF, m_user_responses: { '3': 'BQ==' } }] })
  assert.equal(parseCommitmentMessage(text), {
    n2: 1n,
    proofs: [
      {
        kind: 'commitment',
        proof: { U: 1n, c: 2n, vPrimeResponse: 3n, sResponse: 4n, mUserResponses: new Map([[3, 5n]]) },
      },
    ],
    indices: [],
    proofPJwts: new Map(),
    proofPJwt: null,
    keys: [],
  })
  assert.is(writtenAgain(text), text)
})

Commitments('JWTs of keyshare servers are a map by scheme, or a single JWT (spec/decisions#d13)', () => {
  const { proofPJwts, proofPJwt } = parseCommitmentMessage(
    withMembers({ proofPJwts: { 'svc-keyshare': 'a.b.c', other: 'd' }, proofPJwt: 'e' }),
  )
  assert.equal(
    proofPJwts,
    new Map([
      ['svc-keyshare', 'a.b.c'],
      ['other', 'd'],
    ]),
  )
  assert.is(proofPJwt, 'e')
  const none = parseCommitmentMessage(withMembers({ proofPJwts: null, proofPJwt: null }))
  assert.is(none.proofPJwts.size, 0)
  assert.is(none.proofPJwt, null)
  assert.match(
    writeJson(
      commitmentMessage({
        n2: 1n,
        disclosures: [],
        commitments: [],
        indices: [[{ cred: 0, attr: 2 }]],
        proofPJwts: new Map([
          ['b', '2'],
          ['a', '1'],
        ]),
      }),
    ),
    '{"n_2":"AQ==","combinedProofs":[],"proofPJwts":{"a":"1","b":"2"},"indices":[[{"cred":0,"attr":2}]]}',
  )
})

Commitments('the JWT of a keyshare server has at most 16,384 characters', () => {
  const [longest, long] = ['a'.repeat(2 ** 14), 'a'.repeat(2 ** 14 + 1)]
  assert.is(parseCommitmentMessage(withMembers({ proofPJwt: longest })).proofPJwt, longest)
  malformed(withMembers({ proofPJwt: long }), /^proofPJwt: expected at most 16384 characters/)
  assert.is(parseCommitmentMessage(withMembers({ proofPJwts: { a: longest } })).proofPJwts.get('a'), longest)
  malformed(withMembers({ proofPJwts: { a: long } }), /^proofPJwts: a JWT: expected at most 16384 characters/)
})

Commitments('numbers of a commitment have at most 8192 bits', () => {
  for (const name of ['U', 'c', 'v_prime_response', 's_response'])
    malformed(
      withMembers({ combinedProofs: [{ ...PROOF, [name]: toBase64(2n ** 8192n) }] }),
      new RegExp(`^combinedProofs\\[0\\]\\.${name}: expected at most 8192 bits, got 8193$`),
    )
})

Commitments('n_2 is required and has at most 256 bits', () => {
  const n2 = (value: unknown): string => withMembers({ n_2: value })
  assert.is(parseCommitmentMessage(n2(Buffer.alloc(32, 255).toString('base64'))).n2, 2n ** 256n - 1n)
  const long = Buffer.from([1, ...Buffer.alloc(32)]).toString('base64')
  malformed(n2(long), /^n_2: expected at most 256 bits, got 257/)
  malformed(n2(undefined), /^n_2: expected Base64 or a non-negative integer, got nothing/)
  malformed(n2(null), /^n_2: expected Base64 or a non-negative integer, got null/)
  malformed(n2(-1), /^n_2: expected Base64/)
})

Commitments('a body that is no commitment message is malformed', () => {
  for (const text of ['', '{', '[]', '"x"', '5', 'null'])
    malformed(text, /^(JSON: expected|commitment message: expected an object, got)/)
  malformed('{}', /^n_2: expected .*, got nothing/)
  malformed(withMembers({ combinedProofs: 5 }), /^combinedProofs: expected a list, got an integer/)
  malformed(withMembers({ combinedProofs: [{}] }), /combinedProofs\[0\]: expected a member "A" or "U"/)
  malformed(withMembers({ combinedProofs: Array(257).fill(PROOF) }), /expected at most 256, got 257/)
  malformed(withMembers({ proofPJwts: ['x'] }), /^proofPJwts: expected an object, got a list/)
  malformed(withMembers({ proofPJwts: { a: 5 } }), /^proofPJwts: a JWT: expected a string, got an integer/)
  malformed(withMembers({ proofPJwt: 5 }), /^proofPJwt: expected a string, got an integer/)
  malformed(withMembers({ indices: [[null]] }), /^indices\[0\]\[0\]: expected an object, got null/)
})

Commitments('a commitment without one of its numbers is malformed', () => {
  for (const member of ['c', 'v_prime_response', 's_response'])
    malformed(
      withMembers({ combinedProofs: [{ ...PROOF, [member]: undefined }] }),
      new RegExp(`^combinedProofs\\[0\\]\\.${member}: expected .*, got nothing`),
    )
})

Commitments('a repeated index, or one with a leading zero, is malformed', () => {
  const responses = (json: string): string =>
    withMembers({ combinedProofs: [{ ...PROOF, m_user_responses: 0 }] }).replace(':0', `:${json}`)
  malformed(responses('{"3":"AQ==","3":"AQ=="}'), /second time/)
  malformed(responses('{"03":"AQ=="}'), /expected attribute indices as member names/)
})

Commitments('lists that are null are empty', () => {
  const { proofs, indices } = parseCommitmentMessage('{"n_2":"AQ==","combinedProofs":null,"indices":null}')
  assert.equal([proofs, indices], [[], []])
})

Commitments.run()
