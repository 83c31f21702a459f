/** The limit for proofs in a submission (spec/decisions#d26). @module */
import * as assert from 'uvu/assert'
import { MalformedInputError } from '../../protocol/errors.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { type ExtendedRequest, parseSessionRequestText } from '../../protocol/request.ts'
import { implicitDisclosures } from '../../sessions/implicit-disclosures.ts'
import { boundsOf, mostProofs, refuseTooMuch } from '../../sessions/most-proofs.ts'
import { suite } from '../suite.ts'
import { judged, onlySubmission } from './submissions.ts'

const IDCARD = 'svc-demo.gov.idcard'
const ADDRESS = 'svc-demo.gov.address'
const STUDENT = 'svc-demo.uni.student'
const SPARE = 4

function asked(type: string, members: object): ExtendedRequest {
  const context = `${PROFILES.irma.contextBase}/ld/request/${type}/v2`
  return parseSessionRequestText(JSON.stringify({ '@context': context, ...members }), PROFILES.irma)
}

const Bound = suite('the maximum number of proofs in a submission (spec/decisions#d26)')

Bound('an outer item about one credential type counts as one, with any number of attributes', () => {
  const items = [[[`${IDCARD}.over18`, `${IDCARD}.over21`]], [[`${ADDRESS}.city`]]]
  assert.is(mostProofs(asked('disclosure', { disclose: items })), 2 + SPARE)
  assert.is(mostProofs(asked('signature', { disclose: items, message: 'm' })), 2 + SPARE)
})

Bound('an outer item counts with its inner conjunction that has the most credential types', () => {
  const options = [[], [`${IDCARD}.over18`], [`${ADDRESS}.city`, `${IDCARD}.over18`, `${STUDENT}.university`]]
  assert.is(mostProofs(asked('disclosure', { disclose: [options] })), 3 + SPARE)
})

Bound('the same credential type in two outer items counts twice: it may be two instances', () => {
  const disclose = [[[`${IDCARD}.over18`]], [[`${IDCARD}.over18`]]]
  assert.is(mostProofs(asked('disclosure', { disclose })), 2 + SPARE)
})

Bound('a request for no attributes allows the spare proofs only', () => {
  assert.is(mostProofs(asked('signature', { message: 'm' })), SPARE)
})

Bound('each credential to issue counts as one', () => {
  const credential = { credential: 'svc-demo.fast.note', attributes: { text: 'x' } }
  const members = { credentials: Array(3).fill(credential), disclose: [[[`${IDCARD}.over18`]]] }
  assert.is(mostProofs(asked('issuance', members)), 4 + SPARE)
})

Bound('there may be a key for each requested SD-JWT, and four more; one more is refused', () => {
  const batch = { credential: 'svc-demo.fast.note', attributes: { text: 'x' }, sdJwtBatchSize: 2 }
  const wanted = asked('issuance', { credentials: [batch, { ...batch, sdJwtBatchSize: 1 }] })
  const message = (count: number) =>
    JSON.stringify({ n_2: 'AQ==', combinedProofs: [], keybinding_pub_keys: Array(count).fill({ kty: 'EC' }) })
  refuseTooMuch(message(3 + SPARE), wanted)
  assert.throws(
    () => refuseTooMuch(message(3 + SPARE + 1), wanted),
    (error: unknown) => error instanceof MalformedInputError,
  )
})

Bound('a request in the legacy form counts in its converted form', () => {
  const content = [
    { label: 'a', attributes: [`${IDCARD}.over18`, `${ADDRESS}.city`] },
    { label: 'b', attributes: [`${STUDENT}.university`] },
  ]
  const extended = parseSessionRequestText(JSON.stringify({ type: 'disclosing', content }), PROFILES.irma)
  assert.is(mostProofs(extended), 2 + SPARE)
})

Bound('attributes that earlier sessions of a chain disclosed count too', () => {
  const extended = asked('disclosure', { disclose: [[[`${IDCARD}.over18`]]] })
  const attribute = { id: `${ADDRESS}.city`, rawvalue: 'x', status: 'PRESENT' }
  const implicitDisclose = implicitDisclosures([[attribute], [attribute]] as never) // no other member of an attribute is read
  assert.is(mostProofs({ ...extended, implicitDisclose }), 3 + SPARE)
})

Bound('the maximum for any request is 256', () => {
  const disclose = Array(300).fill([[`${IDCARD}.over18`]])
  assert.is(mostProofs(asked('disclosure', { disclose })), 256)
  assert.is(boundsOf(asked('disclosure', { disclose })).characters, 4 * 2 ** 20)
})

/** The server's answer before it stores a submission. */
function saidOf(body: object | string, extended: ExtendedRequest): string {
  try {
    refuseTooMuch(typeof body === 'string' ? body : JSON.stringify(body), extended)
    return 'read'
  } catch (error) {
    return error instanceof MalformedInputError ? error.message : 'another error'
  }
}

/** An object with that many members, named by numbers. */
function members(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [index, 'AQ==']))
}

const ONE = asked('disclosure', { disclose: [[[`${IDCARD}.over18`]]] })

Bound('a message with 60,000 members anywhere is not read to its end', () => {
  const many = members(60_000)
  const open = JSON.stringify({ proofs: [{ a_responses: many }] }).slice(0, -4) // the server stops before the missing end
  for (const text of [
    open,
    { proofs: [{ a_disclosed: many }] },
    { proofs: [{ A: 'AQ==', unknown: [Object.values(many)] }] },
    { unknown: many, proofs: [] },
    { proofs: [], indices: Object.values(many) },
    { proofPJwts: many },
  ])
    assert.match(saidOf(text, ONE), /^JSON: expected at most \d+ values, got more$/)
})

Bound('a message may have exactly the maximum number of values', () => {
  const { values } = boundsOf(ONE)
  const message = (count: number) => ({ proofs: [], unknown: members(count - 3) })
  assert.is(saidOf(message(values), ONE), 'read')
  assert.is(saidOf(message(values + 1), ONE), `JSON: expected at most ${values} values, got more`)
  assert.ok(values < 2_000, `${values} values for one attribute`)
})

Bound('the maximum number of proofs under a key of 256 bases, with every index, is accepted', () => {
  const ids = Array.from({ length: 255 }, (_, k) => `${IDCARD}.attribute${k}`)
  const extended = asked('disclosure', { disclose: [[ids], [[], ids]] })
  const numbers = { c: '', A: '', e_response: '', v_response: '', a_responses: members(128) }
  const nonrev_proof = {
    C_r: '',
    C_u: '',
    responses: { alpha: '', beta: '', delta: '', epsilon: '', zeta: '' },
    sacc: { data: '', pk: 0 },
  }
  const proof = { ...numbers, a_disclosed: members(128), nonrev_proof, rangeproofs: null }
  const indices = Array(2).fill(Array.from({ length: 255 }, (_, attr) => ({ cred: 0, attr })))
  const body = {
    '@context': '',
    proofs: Array(mostProofs(extended)).fill(proof),
    indices,
    proofPJwts: members(190),
  }
  assert.is(saidOf(body, extended), 'read')
})

const RECORDED = {
  disclosing: ['transcripts/disclosure-single-attribute', 'proofs'],
  signing: ['transcripts/signature-1024', 'signature'],
  issuing: ['transcripts/combined-disclosure-issuance', 'combinedProofs'],
} as const

for (const [type, [file, list]] of Object.entries(RECORDED))
  Bound(
    `${type}: the last allowed proof is verified; with one more, MALFORMED_INPUT and no proof is verified`,
    async () => {
      const { input, services } = onlySubmission(file)
      const most = mostProofs(input.extended)
      let looks = 0
      const look = async (): Promise<never> => {
        looks++
        throw new Error('looked at')
      }
      const told = async (count: number): Promise<string> => {
        const message = JSON.parse(input.body)
        const body = JSON.stringify({
          ...message,
          [list]: [...Array(count - 1).fill(message[list][0]), message[list].at(-1)],
        })
        const counted = { ...services, verify: look, timestampNonce: look }
        return judged({ input: { ...input, body }, services: counted }).then(
          each => each.told,
          (error: Error) => error.message,
        )
      }
      assert.is(await told(most), 'looked at')
      looks = 0
      assert.is(await told(most + 1), '400 MALFORMED_INPUT')
      assert.is(looks, 0)
    },
  )

Bound.run()
