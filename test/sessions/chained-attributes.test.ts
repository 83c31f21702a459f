/** A session of a chain asks again for the attributes that earlier sessions disclosed, for every type of session (spec/session-server#15). @module */
import * as assert from 'uvu/assert'
import { type AttributeTypeId, parseAttributeTypeId } from '../../protocol/ids.ts'
import type { DisclosureIndices } from '../../protocol/proofs-json.ts'
import type { JsonObject } from '../../protocol/shape.ts'
import { suite } from '../suite.ts'
import {
  AGREED,
  commitmentBody,
  credential,
  disclosureBody,
  judgeSession,
  NOTE,
  NOW_SEC,
  prove,
  proveSignature,
  signatureBody,
  WEEK_SEC,
} from './app.ts'

const [TEXT, EXTRA]: readonly AttributeTypeId[] = ['text', 'extra'].map(name =>
  parseAttributeTypeId(`${NOTE}.${name}`),
)
const CONTEXT = 'https://irma.app/ld/request'

type Kind = {
  readonly request: JsonObject
  readonly body: (disclosed: readonly number[], indices: DisclosureIndices) => string
}

const note = credential(NOTE, ['x', 'y'])
const validity = NOW_SEC + 9 * WEEK_SEC
const KINDS: Readonly<Record<string, Kind>> = {
  'a disclosure': {
    request: { '@context': `${CONTEXT}/disclosure/v2`, disclose: [[[`${TEXT}`]]] },
    body: (disclosed, indices) => disclosureBody(prove([{ credential: note, disclosed }]), indices),
  },
  'a signature': {
    request: { '@context': `${CONTEXT}/signature/v2`, message: AGREED, disclose: [[[`${TEXT}`]]] },
    body: (disclosed, indices) => signatureBody(proveSignature([{ credential: note, disclosed }]), indices),
  },
  'an issuance': {
    request: {
      '@context': `${CONTEXT}/issuance/v2`,
      credentials: [{ credential: NOTE, validity, attributes: { text: 'z' } }],
      disclose: [[[`${TEXT}`]]],
    },
    body: (disclosed, indices) =>
      commitmentBody(prove([{ credential: note, disclosed }, { commitTo: NOTE }]), { indices }),
  },
}

const Chained = suite('a session after earlier sessions of its chain')

for (const [name, { request, body }] of Object.entries(KINDS))
  Chained(`${name} without the attributes that they disclosed is MISSING_ATTRIBUTES`, async () => {
    if (EXTRA === undefined) return assert.unreachable('an attribute')
    const implicitDisclose = [[[{ type: EXTRA, value: 'y', notNull: false }]]]
    const own = [{ cred: 0, attr: 2 }]
    const told = async (text: string, chained = implicitDisclose): Promise<string> =>
      (await judgeSession(text, request, { implicitDisclose: chained })).told
    assert.is(await told(body([2, 3], [own, [{ cred: 0, attr: 3 }]])), 'VALID')
    assert.is(await told(body([2], [own]), []), 'VALID')
    assert.is(await told(body([2], [own])), 'MISSING_ATTRIBUTES')
    assert.is(await told(body([2], [own, own])), 'MISSING_ATTRIBUTES')
  })

Chained.run()
