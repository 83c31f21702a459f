/** Helpers for suites about credentials that can be revoked: a badge that is received, and sessions that request one (spec/cryptography#14). @module */
import * as assert from 'uvu/assert'
import { verifyProofs } from '../../crypto/proof-list.ts'
import { readAccumulator } from '../../crypto/revocation/accumulator.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import type { ItemCandidates } from '../../libraries/wallet/candidates.ts'
import type { ConsentQuestion } from '../../libraries/wallet/session.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { parseDisclosureMessage } from '../../protocol/disclosure-message.ts'
import { writeUpdate } from '../../protocol/revocation-json.ts'
import type { Authority } from './authority.ts'
import { arithmetic, proofToVerify } from './demo-wallets.ts'
import { json, text } from './fake-server.ts'
import { EXPIRES, NONCE, offering, playIssuing } from './issuance-play.ts'
import { issuing, type Requested, type Wrongs } from './issuer.ts'
import { agreeToAll, connection, irma, type Played, play, refuse, requestOf } from './play.ts'

export const BADGE = 'svc-demo.fast.badge'
export const OFFER: Requested = {
  credential: BADGE,
  attributes: { level: '3' },
  validity: EXPIRES,
  revocationSupported: true,
}
export const receive = (wallet: Wallet, witness: Witness, wrongs: Wrongs = {}): Promise<Played> =>
  playIssuing(offering([OFFER], issuing([OFFER], [{ witness, ...wrongs }])), { wallet })

/** A request for a badge, and for the proof that it is not revoked.
 *  @param updates from the server, by key counter */
export const asking = (updates: object | undefined, more: object = {}): object =>
  requestOf(irma, {
    disclose: [[[`${BADGE}.level`]]],
    revocation: { [BADGE]: { updates } },
    ...more,
  })

export const updatesOf = (authority: Authority, count = 16): object => ({
  0: writeUpdate(authority.update(count)),
})

export async function disclose(
  wallet: Wallet,
  request: object,
): Promise<Played & { readonly item?: ItemCandidates }> {
  const items: (ItemCandidates | undefined)[] = []
  const consent = (question: ConsentQuestion) => {
    items.push(question.candidates.items[0])
    return (question.candidates.isSatisfiable ? agreeToAll : refuse).consent(question)
  }
  const answers = {
    'GET /': json(connection(irma, { request })),
    'POST /proofs': json({ proofStatus: 'VALID' }),
    'DELETE /': text(''),
  }
  const played = await play(answers, { wallet, handlers: { consent } })
  return { ...played, ...(items[0] && { item: items[0] }) }
}

/** Verifies the one proof that was sent.
 *  @returns the index of its accumulator; null if it proves nothing about revocation */
export function provedIndex({ server }: Played, nonce = NONCE): number | null {
  const { proofs } = parseDisclosureMessage(server.asked.at(-1)?.body ?? '')
  const disclosures = proofs.map(proofToVerify)
  const list = { disclosures, commitments: [], context: 1n, nonce, isSignature: false }
  assert.is(proofs.length, 1)
  assert.ok(verifyProofs(arithmetic, list))
  const signed = proofs[0]?.nonRevocation?.signed
  return signed ? readAccumulator(signed).index : null
}

export const standing = (wallet: Wallet) =>
  wallet.credentials().map(({ revocation }) => revocation?.isRevoked)
