/** The text that `svc wallet answer` prints before it asks for consent (spec/interface#1, #2.3, #2.5). @module */
import * as assert from 'uvu/assert'
import { agreementOf, linesOf, successOf } from '../../cli/wallet/consent-text.ts'
import type { Candidate } from '../../libraries/wallet/candidates.ts'
import type { ConsentQuestion } from '../../libraries/wallet/session.ts'
import { parseAttributeTypeId, parseCredentialTypeId } from '../../protocol/ids.ts'
import { suite } from '../suite.ts'

const NAME = parseAttributeTypeId('svc-demo.gov.idcard.familyname')
const LOT = parseCredentialTypeId('svc-demo.fast.lot')
const REQUEST = {
  disclose: [[[{ type: NAME, value: null, notNull: false }]]],
  labels: {},
  skipExpiryCheck: [],
  nonRevocation: [],
  clientReturnUrl: '',
  augmentReturnUrl: false,
  host: '',
} as const

function showing(value: string | null): Candidate {
  return { inner: 0, attributes: [{ id: NAME, credential: '1', index: 3, value }] }
}
const item = (...candidates: readonly Candidate[]) => ({
  candidates,
  isOptional: false,
  missing: [],
  unprovable: [],
})
const ASKED = {
  requestorHost: 'shop.example.test',
  candidates: { items: [item(showing('Vries'), showing(null))], isSatisfiable: true },
}
const NOTHING = { requestorHost: 'shop.example.test', candidates: { items: [], isSatisfiable: true } }

const disclosing: ConsentQuestion = {
  kind: 'disclosing',
  ...ASKED,
  request: { ...REQUEST, type: 'disclosing' },
}

function signing(message: string, asked = ASKED): ConsentQuestion {
  return { kind: 'signing', ...asked, request: { ...REQUEST, type: 'signing', message }, message }
}

const issuing: ConsentQuestion = {
  kind: 'issuing',
  ...NOTHING,
  request: { ...REQUEST, disclose: [], type: 'issuing', credentials: [] },
  credentials: [
    {
      type: LOT,
      attributes: [
        { id: parseAttributeTypeId(`${LOT}.draw`), value: 'Spring', isRandomBlind: false },
        { id: parseAttributeTypeId(`${LOT}.number`), value: null, isRandomBlind: true },
        { id: parseAttributeTypeId(`${LOT}.extra`), value: null, isRandomBlind: false },
      ],
      expiresAtSec: 1_800_000_000,
      isRevocable: false,
    },
  ],
}

const Text = suite('svc wallet: the text before consent')

Text('a disclosure names the requestor, and every way to answer', () => {
  assert.equal(linesOf(disclosing), [
    'shop.example.test asks:',
    '1.',
    '   1) svc-demo.gov.idcard.familyname = Vries',
    '   2) svc-demo.gov.idcard.familyname = (none)',
  ])
})

Text('a signature shows the whole message, and then the attributes', () => {
  assert.equal(linesOf(signing('I owe you\r\neverything')).slice(0, 5), [
    'shop.example.test asks you to sign this:',
    '   | I owe you',
    '   | everything',
    'together with:',
    '1.',
  ])
  assert.equal(linesOf(signing('m', NOTHING)), ['shop.example.test asks you to sign this:', '   | m'])
})

Text('an offer shows every value that is received, and the expiry', () => {
  assert.equal(linesOf(issuing), [
    'shop.example.test offers:',
    '   svc-demo.fast.lot, expires 2027-01-15',
    '     draw: Spring',
    '     number: (a random number that neither side chooses)',
    '     extra: (none)',
  ])
  assert.equal(linesOf({ ...issuing, ...ASKED }).at(5), 'and asks:')
})

Text('attributes that an earlier session of a chain disclosed are marked', () => {
  const items = [item(showing('Vries')), item(showing('Jong'))]
  const lines = linesOf({ ...disclosing, candidates: { items, isSatisfiable: true } })
  assert.equal(lines[3], '2. (again, as in the session before)')
})

Text('missing attributes are named if the wallet cannot answer', () => {
  const items = [{ candidates: [], isOptional: false, missing: [[NAME]], unprovable: [] }]
  const lines = linesOf({ ...disclosing, candidates: { items, isSatisfiable: false } })
  assert.is(lines.at(-1), '   missing: svc-demo.gov.idcard.familyname')
})

Text('an instance that cannot be proved not to be revoked is named, with the reason', () => {
  const types = { credential: 'c0ffee', type: LOT }
  const unprovable = [
    { ...types, reason: 'revoked' },
    { ...types, reason: 'no-witness' },
    { ...types, reason: 'outdated' },
  ] as const
  const items = [{ ...item(), missing: [[NAME]], unprovable }]
  const lines = linesOf({ ...disclosing, candidates: { items, isSatisfiable: false } })
  assert.equal(lines.slice(3), [
    '   not svc-demo.fast.lot (c0ffee): it has been revoked',
    '   not svc-demo.fast.lot (c0ffee): it was issued without the data that proves that it is not revoked',
    '   not svc-demo.fast.lot (c0ffee): no server could say whether it has been revoked',
  ])
})

Text('an offer shows that its issuer can revoke the credential', () => {
  const credentials = issuing.kind === 'issuing' ? issuing.credentials : []
  const revocable = credentials.map(each => ({ ...each, isRevocable: true }))
  assert.is(
    linesOf({ ...issuing, credentials: revocable } as ConsentQuestion)[1],
    '   svc-demo.fast.lot, expires 2027-01-15, its issuer can revoke it',
  )
})

Text('control characters and direction marks of a server are not printed', () => {
  const [, line] = linesOf(signing('pay \u001b[2K\u202e001'))
  assert.is(line, '   | pay \uFFFD[2K\uFFFD001')
})

Text('each type of session has its own words for consent and for success', () => {
  assert.equal([disclosing, signing('m'), issuing].map(agreementOf), ['Disclose', 'Sign', 'Receive'])
  assert.equal([disclosing, signing('m'), issuing].map(successOf), [
    'Disclosed: the proofs are valid.',
    'Signed: the signature is valid.',
    'Received: svc-demo.fast.lot.',
  ])
})

Text.run()
