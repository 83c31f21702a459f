/** The requests that are checked against the schemes again, after an update of the schemes (spec/schemes-and-cli#11.6). @module */
import * as assert from 'uvu/assert'
import { InvalidRequestError, NextSessionError, UnauthorizedError } from '../../protocol/errors.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequestText } from '../../protocol/request.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { acceptedByNewest } from '../../sessions/newest-schemes.ts'
import { NotInSchemesError, prepareRequest } from '../../sessions/prepare-request.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { acceptFactsOfTest } from './facts-of-test.ts'

const schemes = await loadSchemes(DEMO_SCHEMES)
const BASE = 'https://svc.example/ld/request'

/** Accepts only after that many updates of the schemes. */
async function accepted(error: Error, after = Number.POSITIVE_INFINITY) {
  let looks = 0
  const accept = (): string => {
    if (looks < after) throw error
    return 'accepted'
  }
  const lookAgain = async (): Promise<void> => void looks++
  const outcome = await acceptedByNewest(accept, lookAgain).catch((thrown: Error) => thrown.message)
  return { outcome, looks }
}

const Newest = suite('requests that may fit newer schemes (spec/schemes-and-cli#11.6)')

Newest(
  'an unknown identifier causes one update of the schemes, after which the request is judged again',
  async () => {
    const missing = new NotInSchemesError('Unknown identifiers: a.b.c')
    assert.equal(await accepted(missing, 1), { outcome: 'accepted', looks: 1 })
    assert.equal(await accepted(missing), { outcome: 'Unknown identifiers: a.b.c', looks: 1 })
    const ofChain = new NextSessionError('next', { cause: missing })
    assert.equal(await accepted(ofChain, 1), { outcome: 'accepted', looks: 1 })
  },
)

Newest('an accepted request causes no update, and neither do other errors', async () => {
  assert.equal(await accepted(new Error('never'), 0), { outcome: 'accepted', looks: 0 })
  for (const error of [
    new InvalidRequestError('no'),
    new UnauthorizedError('no'),
    new NextSessionError('no'),
  ])
    assert.equal(await accepted(error, 1), { outcome: 'no', looks: 0 })
})

type Refused = readonly [isOfVersion: boolean, request: JsonValue]
const disclosing = (attribute: string): JsonValue => ({
  '@context': `${BASE}/disclosure/v2`,
  disclose: [[[attribute]]],
})
const issuing = (credential: string): JsonValue => ({
  '@context': `${BASE}/issuance/v2`,
  credentials: [{ credential, attributes: {} }],
})
const REFUSED: Readonly<Record<string, Refused>> = {
  'an unknown attribute': [true, disclosing('svc-demo.gov.idcard.nothing')],
  'an unknown credential type': [true, disclosing('svc-demo.gov.nothing.x')],
  'an unknown issuer': [true, disclosing('svc-demo.nobody.nothing.x')],
  'an unknown scheme': [false, disclosing('nothing.nobody.nothing.x')],
  'a required attribute that is missing': [true, issuing('svc-demo.uni.student')],
}
for (const [what, [isOfVersion, request]] of Object.entries(REFUSED))
  Newest(`${what}: ${isOfVersion ? 'another version may have it' : 'no version can have it'}`, async () => {
    const options = acceptFactsOfTest({ canIssueRevocable: () => true })
    const extended = parseSessionRequestText(JSON.stringify(request), PROFILES.svc)
    let thrown: unknown
    try {
      prepareRequest(extended, schemes, options)
    } catch (error) {
      thrown = error
    }
    assert.instance(thrown, InvalidRequestError)
    assert.is(thrown instanceof NotInSchemesError, isOfVersion)
  })

Newest.run()
