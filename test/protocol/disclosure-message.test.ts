/** The disclosure message of a wallet app (spec/interface#2.9): only its form, and the refusal of ambiguous forms. @module */
import * as assert from 'uvu/assert'
import { toBase64 } from '../../crypto/bytes.ts'
import { disclosureMessage, parseDisclosureMessage } from '../../protocol/disclosure-message.ts'
import { ExceptionError, MalformedInputError } from '../../protocol/errors.ts'
import { writeJson } from '../../protocol/json.ts'
import { suite } from '../suite.ts'
import { bodyText, transcript } from './recorded.ts'

const Message = suite('the disclosure message')

const PROOF = {
  c: 'AQ==',
  A: 'Ag==',
  e_response: 'Aw==',
  v_response: 'BA==',
  a_responses: {},
  a_disclosed: {},
}

/** A message with one proof, as text, because some tests need forms that JSON.stringify cannot write. */
function withProof(members: object | string, indices: unknown = []): string {
  const proof = typeof members === 'string' ? members : JSON.stringify({ ...PROOF, ...members })
  return `{"proofs":[${proof}],"indices":${JSON.stringify(indices)}}`
}

function malformed(text: string, message: RegExp): void {
  assert.throws(
    () => parseDisclosureMessage(text),
    (error: Error) => error instanceof MalformedInputError && message.test(error.message),
    `${text.slice(0, 200)} -> ${message}`,
  )
}

Message('every number of a proof is read, with its index', () => {
  const text = withProof(
    { a_responses: { '0': 'BQ==', '3': '' }, a_disclosed: { '1': 'Bg==', '2': 'Bw==' } },
    [[{ cred: 0, attr: 2 }], []],
  )
  assert.equal(parseDisclosureMessage(text), {
    proofs: [
      {
        c: 1n,
        A: 2n,
        eResponse: 3n,
        vResponse: 4n,
        aResponses: new Map([
          [0, 5n],
          [3, 0n],
        ]),
        aDisclosed: new Map([
          [1, 6n],
          [2, 7n],
        ]),
      },
    ],
    indices: [[{ cred: 0, attr: 2 }], []],
    hasUncheckedParts: false,
  })
})

Message('numbers are Base64 with padding, line breaks skipped, or JSON integers of any size', () => {
  const c = (value: string): bigint | undefined =>
    parseDisclosureMessage(withProof(JSON.stringify(PROOF).replace('"AQ=="', value))).proofs[0]?.c
  assert.is(c('"AAE="'), 1n)
  assert.is(c('"A\\r\\nQ=\\n="'), 1n)
  assert.is(c('"\\/w=="'), 255n)
  assert.is(c('258'), 258n)
  assert.is(c('1208925819614629174706176'), 2n ** 80n)
})

Message('anything else in place of a number is malformed', () => {
  const values = [-1, 1.5, true, [], {}, null, 'A', 'AQ', 'AQ=', 'A Q=', 'A-__', '====', '!']
  for (const value of values)
    for (const member of ['c', 'e_response', 'v_response'])
      malformed(withProof({ [member]: value }), new RegExp(`^proofs\\[0\\]\\.${member}: expected`))
  malformed(withProof({ A: 'AQ' }), /^proofs\[0\]\.A: expected standard Base64 with padding/)
  malformed(
    withProof({ a_disclosed: { '1': null } }),
    /^proofs\[0\]\.a_disclosed\["1"\]: expected .*, got null/,
  )
  malformed(withProof({ a_responses: [] }), /^proofs\[0\]\.a_responses: expected an object, got a list/)
  for (const member of ['c', 'e_response', 'v_response'])
    malformed(
      withProof({ [member]: undefined }),
      new RegExp(`^proofs\\[0\\]\\.${member}: expected .*, got nothing`),
    )
})

Message('a number with a fraction or an exponent is no integer, even if its value is one', () => {
  for (const value of ['1e300', '1208925819614629174706176.0', '1e3', '1000.0', '0.0'])
    malformed(
      withProof(JSON.stringify(PROOF).replace('"AQ=="', value)),
      /^proofs\[0\]\.c: expected Base64 or a non-negative integer, got a number with a fraction or an exponent$/,
    )
})

Message('a number of a proof has at most 8192 bits, and the value of an attribute may be longer', () => {
  const [longest, long] = [2n ** 8192n - 1n, 2n ** 8192n].map(toBase64)
  const revocation = { C_r: 'AQ==', C_u: 'AQ==', sacc: { data: '', pk: 0 } }
  const responses = { beta: 'AQ==', delta: 'AQ==', epsilon: 'AQ==', zeta: 'AQ==' }
  const places: readonly ((number: unknown) => object)[] = [
    ...['c', 'A', 'e_response', 'v_response'].map(name => (number: unknown) => ({ [name]: number })),
    number => ({ a_responses: { 0: number } }),
    ...['C_r', 'C_u'].map(name => (number: unknown) => ({
      nonrev_proof: { ...revocation, responses, [name]: number },
    })),
    ...Object.keys(responses).map(name => (number: unknown) => ({
      nonrev_proof: { ...revocation, responses: { ...responses, [name]: number } },
    })),
  ]
  for (const place of places) {
    assert.ok(parseDisclosureMessage(withProof(place(longest))))
    malformed(withProof(place(long)), /^proofs\[0\]\.\S+: expected at most 8192 bits, got 8193$/)
  }
  const { proofs } = parseDisclosureMessage(withProof({ a_disclosed: { 1: long } }))
  assert.is(proofs[0]?.aDisclosed.get(1), 2n ** 8192n)
})

Message('an index has one spelling: decimal, without sign or leading zero (MUST 5)', () => {
  for (const index of ['01', '-1', '+1', '1.0', '1e0', ' 1', '0x1', '', 'a', '100000', '１'])
    for (const member of ['a_disclosed', 'a_responses'])
      malformed(withProof({ [member]: { [index]: 'AQ==' } }), /expected attribute indices as member names/)
})

Message('a repeated index is malformed (MUST 11); of other repeated members the last value counts', () => {
  const twice = (member: string): string =>
    withProof(JSON.stringify(PROOF).replace(`"${member}":{}`, `"${member}":{"1":"AQ==","1":"Ag=="}`))
  for (const member of ['a_disclosed', 'a_responses']) malformed(twice(member), /second time/)
  const proof = parseDisclosureMessage(withProof(JSON.stringify(PROOF).replace('{', '{"c":"Bw==",')))
    .proofs[0]
  assert.is(proof?.c, 1n)
})

Message('a message without proofs or indices is read', () => {
  const nothing = { proofs: [], indices: [], hasUncheckedParts: false }
  for (const text of ['{}', 'null', '{"proofs":null,"indices":null}', '{"proofs":[],"other":1}'])
    assert.equal(parseDisclosureMessage(text), nothing)
  assert.equal(parseDisclosureMessage('{"indices":[null,[]]}').indices, [[], []])
})

Message('a body that is no disclosure message is malformed', () => {
  for (const text of [
    '',
    '{',
    '[]',
    '"x"',
    '5',
    '{"proofs":5}',
    '{"proofs":{}}',
    '{"indices":{}}',
    '{"__proto__":{}}',
  ])
    malformed(text, /expected|not allowed/)
  for (const index of [null, 5, {}, { cred: 0 }, { attr: 0 }, { cred: -1, attr: 0 }, { cred: 0, attr: 1.5 }])
    malformed(withProof({}, [[index]]), /^indices\[0\]\[0\]/)
  malformed(withProof({}, [5]), /^indices\[0\]: expected a list, got an integer/)
})

Message('a proof that is neither a disclosure nor a commitment is malformed', () => {
  for (const proof of ['{}', 'null', '5', '[]', '{"A":null}', '{"c":"AQ=="}'])
    malformed(withProof(proof), /^Unknown proof type found in ProofList: proofs\[0\]/)
})

Message(
  'a commitment gets the error of a proof that cannot be checked; with A and U it is read as a disclosure',
  () => {
    assert.throws(
      () => parseDisclosureMessage(withProof('{"U":"AQ=="}')),
      (error: Error) => error instanceof ExceptionError && /not a disclosure proof/.test(error.message),
    )
    assert.is(parseDisclosureMessage(withProof({ U: 'AQ==' })).proofs.length, 1)
  },
)

Message('at most 256 proofs are read (MUST 8)', () => {
  const proofs = (count: number): string => JSON.stringify({ proofs: Array(count).fill(PROOF) })
  assert.is(parseDisclosureMessage(proofs(256)).proofs.length, 256)
  malformed(proofs(257), /^proofs: expected at most 256, got 257/)
})

Message('the numbers of all proofs have at most 4 MiB of text together', () => {
  const withText = (length: number) =>
    withProof({ A: 'AAAA'.repeat(length / 8), a_disclosed: { 1: 'AAAA'.repeat(length / 8) } })
  const [c, e, v] = [PROOF.c.length, PROOF.e_response.length, PROOF.v_response.length]
  const most = 4 * 2 ** 20 - c - e - v
  assert.ok(parseDisclosureMessage(withText(most - (most % 8))))
  malformed(withText(most - (most % 8) + 8), /^proofs: expected at most 4194304 characters, got 4194308$/)
})

Message('hasUncheckedParts is true if a proof has range proofs, with any content', () => {
  for (const part of [{ rangeproofs: {} }, { rangeproofs: 5 }])
    assert.ok(parseDisclosureMessage(withProof(part)).hasUncheckedParts)
  assert.not(parseDisclosureMessage(withProof({ nonrev_proof: null, rangeproofs: null })).hasUncheckedParts)
})

Message('no error quotes the message', () => {
  for (const text of [
    withProof({ c: 'SECRET!' }),
    withProof({ a_disclosed: { SECRET: 'AQ==' } }),
    '{"SECRET',
    '["SECRET"]',
    withProof({}, ['SECRET']),
  ])
    assert.throws(
      () => parseDisclosureMessage(text),
      (error: Error) => !`${error.stack}${error.cause}`.includes('SECRET'),
    )
})

Message('a message is written as existing apps write it', () => {
  const { exchanges } = transcript('disclosure-several-credentials', 'irma')
  const submission = exchanges.find(({ request }) => request.path.endsWith('/proofs'))
  const text = submission === undefined ? '' : bodyText(submission.request)
  const { proofs, indices } = parseDisclosureMessage(text)
  assert.is(writeJson(disclosureMessage(proofs, indices)), text)
})

Message.run()
