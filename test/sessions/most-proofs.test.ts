/** How many proofs a submission may hold (D26). @module */
import * as assert from 'uvu/assert'
import { PROFILES } from '../../protocol/profiles.ts'
import { type ExtendedRequest, parseSessionRequestText } from '../../protocol/request.ts'
import { implicitDisclosures } from '../../sessions/implicit-disclosures.ts'
import { mostProofs } from '../../sessions/most-proofs.ts'
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

const Bound = suite('how many proofs a submission may hold (D26)')

Bound('one for each outer item that asks for one credential type, however many attributes of it', () => {
  const items = [[[`${IDCARD}.over18`, `${IDCARD}.over21`]], [[`${ADDRESS}.city`]]]
  assert.is(mostProofs(asked('disclosure', { disclose: items })), 2 + SPARE)
  assert.is(mostProofs(asked('signature', { disclose: items, message: 'm' })), 2 + SPARE)
})

Bound('of an outer item the option with most credential types counts, whichever the user chooses', () => {
  const options = [[], [`${IDCARD}.over18`], [`${ADDRESS}.city`, `${IDCARD}.over18`, `${STUDENT}.university`]]
  assert.is(mostProofs(asked('disclosure', { disclose: [options] })), 3 + SPARE)
})

Bound('the same credential type in two outer items counts twice: it may be two instances', () => {
  const disclose = [[[`${IDCARD}.over18`]], [[`${IDCARD}.over18`]]]
  assert.is(mostProofs(asked('disclosure', { disclose })), 2 + SPARE)
})

Bound('a request for nothing leaves the spare ones', () => {
  assert.is(mostProofs(asked('signature', { message: 'm' })), SPARE)
})

Bound('one for each credential to issue', () => {
  const credential = { credential: 'svc-demo.fast.note', attributes: { text: 'x' } }
  const members = { credentials: Array(3).fill(credential), disclose: [[[`${IDCARD}.over18`]]] }
  assert.is(mostProofs(asked('issuance', members)), 4 + SPARE)
})

Bound('a request in the legacy form counts as it was converted', () => {
  const content = [
    { label: 'a', attributes: [`${IDCARD}.over18`, `${ADDRESS}.city`] },
    { label: 'b', attributes: [`${STUDENT}.university`] },
  ]
  const extended = parseSessionRequestText(JSON.stringify({ type: 'disclosing', content }), PROFILES.irma)
  assert.is(mostProofs(extended), 2 + SPARE)
})

Bound('what earlier sessions of a chain disclosed is asked for again, and counts', () => {
  const extended = asked('disclosure', { disclose: [[[`${IDCARD}.over18`]]] })
  const attribute = { id: `${ADDRESS}.city`, rawvalue: 'x', status: 'PRESENT' }
  const implicitDisclose = implicitDisclosures([[attribute], [attribute]] as never) // of attributes only these members are read
  assert.is(mostProofs({ ...extended, implicitDisclose }), 3 + SPARE)
})

Bound('256 is the most for any request', () => {
  const disclose = Array(300).fill([[`${IDCARD}.over18`]])
  assert.is(mostProofs(asked('disclosure', { disclose })), 256)
})

const RECORDED = {
  disclosing: ['transcripts/disclosure-single-attribute', 'proofs'],
  signing: ['transcripts/signature-1024', 'signature'],
  issuing: ['transcripts/combined-disclosure-issuance', 'combinedProofs'],
} as const

for (const [type, [file, list]] of Object.entries(RECORDED))
  Bound(
    `${type}: the last proof that is allowed is looked at, one more is MALFORMED_INPUT and no number is`,
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
