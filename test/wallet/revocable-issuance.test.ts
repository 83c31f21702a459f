/** Witnesses from an issuer, and those that a wallet accepts (spec/cryptography#14.3). @module */
import * as assert from 'uvu/assert'
import { readAccumulator } from '../../crypto/revocation/accumulator.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import { suite } from '../suite.ts'
import { type Authority, createAuthority } from './authority.ts'
import { held, NOTE, offering, playIssuing, withWallet } from './issuance-play.ts'
import { issuing, type Wrongs } from './issuer.ts'
import { assertFailed } from './play.ts'
import { BADGE, OFFER, receive, standing } from './revocation-play.ts'

const Received = suite('witnesses that are received (spec/cryptography#14.3)')

type WrongIssue = readonly [what: string, wrongs: (authority: Authority) => Wrongs, message: RegExp]
const NOT_RIGHT = /not one for an accumulator of its issuer/
const WRONG_WITNESSES: readonly WrongIssue[] = [
  ['no witness', () => ({ sent: null }), /expected a witness with svc-demo\.fast\.badge/],
  ['a witness whose root is wrong', own => ({ sent: { ...own.issue(), u: own.issue().u } }), NOT_RIGHT],
  ['a witness of root 0', own => ({ sent: { ...own.issue(), u: 0n } }), NOT_RIGHT],
  ['the trivial witness', own => ({ sent: trivial(own) }), NOT_RIGHT],
  [
    'the witness of another credential',
    own => ({ sent: own.issue() }),
    /expected a signature on the offered attributes/,
  ],
  [
    'a witness that another issuer signed',
    () => ({ sent: createAuthority('svc-demo.gov.permit').issue() }),
    NOT_RIGHT,
  ],
]

/** u = Nu, e = 1. */
function trivial(authority: Authority): Witness {
  const { signed } = authority.issue()
  return { u: readAccumulator(signed).nu, e: 1n, signed }
}

for (const [what, wrongs, message] of WRONG_WITNESSES)
  Received(`with ${what} a credential is not stored (14.3)`, () =>
    withWallet(async wallet => {
      const authority = createAuthority(BADGE)
      const { outcome } = await receive(wallet, authority.issue(), wrongs(authority))
      assertFailed(outcome, 'wrong-credential', message)
      assert.equal(held(wallet), [])
    }),
  )

Received('a credential with a witness that was not offered is not stored', () =>
  withWallet(async wallet => {
    const sent = createAuthority(BADGE).issue()
    const plain = { ...OFFER, revocationSupported: false }
    for (const offer of [plain, NOTE]) {
      const { outcome } = await playIssuing(offering([offer], issuing([offer], [{ sent }])), { wallet })
      assertFailed(outcome, 'wrong-credential', /expected no witness/)
    }
    assert.equal(held(wallet), [])
  }),
)

Received('revocationSupported for a type without revocation is ignored', () =>
  withWallet(async wallet => {
    const offer = { ...NOTE, revocationSupported: true }
    const { outcome } = await playIssuing(offering([offer], issuing([offer])), { wallet })
    assert.equal([outcome.status, standing(wallet)], ['success', [undefined]])
  }),
)

Received.run()
