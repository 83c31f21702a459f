/** JWTs in the name of a keyshare server, for the issuance of a credential whose secret key it should share. @module */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { draftCommitment } from '../../crypto/commitment.ts'
import { NotTriedError } from '../../libraries/conformance/expect.ts'
import type { Service } from '../../libraries/conformance/service.ts'
import { commitmentMessage } from '../../protocol/commitment-message.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import { writeJson } from '../../protocol/json.ts'
import { proofPClaim } from '../../protocol/keyshare/answers.ts'
import { PROJECT } from '../project.ts'
import { arithmetic, ask, bytes, hidden, isAcceptedText, prove } from './forge.ts'
import { holderOf } from './holder.ts'

const SCHEME = 'svc-keyshare'
const TYPE = `${SCHEME}.shop.loyalty`

/** The key of the demo keyshare server, which is public. */
export const KEYSHARE_KEY = createPrivateKey(
  readFileSync(join(PROJECT, 'test/vectors/keys/kss-0.private.pem')),
)
export const KEYSHARE_PUBLIC = createPublicKey(KEYSHARE_KEY)

/** @param ProofP of a server whose half of the secret key is 0 */
export type Forge = (ProofP: object) => string

/** Asks for a credential with a forged part of its keyshare server.
 *  @returns true if it is issued */
export async function isIssuedWith(service: Service, forge: Forge): Promise<boolean> {
  if (service.wallet.schemes.credentialType(parseCredentialTypeId(TYPE)) === undefined)
    throw new NotTriedError(`the schemes have no ${TYPE}`)
  const credentials = [{ credential: TYPE, attributes: { number: '1' } }]
  const asked = await ask(service, service.request('issuing', { credentials }))
  const [offer] = service.wallet.offers(asked.offered)
  if (offer === undefined) throw new Error('expected an offer')
  const { key, randomBlind } = offer
  const secret = hidden(holderOf(service).secretKey)
  const [made] = prove(asked, [draftCommitment(arithmetic, { key, randomBlind }, secret, bytes)])
  if (made === undefined) throw new Error('expected a commitment')
  const { proof } = made
  const ProofP = Object(JSON.parse(writeJson(proofPClaim({ P: 1n, c: proof.c, sResponse: 0n }))))
  const proofPJwts = new Map([[SCHEME, forge(ProofP)]])
  const message = { n2: 5n, disclosures: [], commitments: [proof], indices: [], proofPJwts }
  return isAcceptedText(service, asked.session, writeJson(commitmentMessage(message)))
}

/** The first of the forgeries that was accepted, by what is wrong with it. */
export async function firstIssued(
  service: Service,
  forged: Readonly<Record<string, Forge>>,
): Promise<string | null> {
  for (const [what, forge] of Object.entries(forged))
    if (await isIssuedWith(service, forge)) return `a credential was issued with a JWT ${what}`
  return null
}

export const rs256 =
  (key: KeyObject) =>
  (text: string): string =>
    sign('sha256', Buffer.from(text), key).toString('base64url')

/** The claims of a right JWT, beside the proof. */
export function rightClaims(): { readonly iat: number; readonly iss: string; readonly sub: string } {
  return { iat: Math.floor(Date.now() / 1_000), iss: 'keyshare_server', sub: 'ProofP' }
}
