/** Proofs together with the halves of keyshare servers (spec/interface#4.6, spec/keyshare-server#2.2, #8, #17.3). It uses the first version of their protocol, with P
 *  from `getPs` for an issuance. @module */

import { toBase64 } from '../../../crypto/bytes.ts'
import type { DisclosureProof } from '../../../crypto/disclosure.ts'
import type { KeyshareCommitment } from '../../../crypto/keyshare/join.ts'
import { type KeyshareProof, mergeIntoDisclosure } from '../../../crypto/keyshare/merge.ts'
import type { KeyshareParts } from '../../../crypto/proof-list.ts'
import { issuerOf, type SchemeId, schemeOf } from '../../../protocol/ids.ts'
import { publicKeyIdText } from '../../../protocol/keyshare/public-key-ids.ts'
import { SessionError } from '../failure.ts'
import type { TypeAndKey } from '../proofs.ts'
import type { BoundDraft, Draft, FinishedProofs } from '../wallet.ts'
import { readCommitments, readProofJwt, readPs } from './answers.ts'
import type { Authentication } from './calls.ts'
import { type AskPin, authenticate, inRounds, type KeyshareServer, statusOf } from './login.ts'

export type CoSignedProofs = {
  readonly finished: FinishedProofs
  /** the disclosure proofs to send */
  readonly disclosures: readonly DisclosureProof[]
  /** by scheme; only for an issuance */
  readonly proofPJwts: ReadonlyMap<string, string>
}

const FORBIDDEN = 403

/** @param servers keyshare servers of the schemes of these proofs
 *  @throws {SessionError} {CancelledError} */
export async function coSign(
  draft: Draft,
  nonce: bigint,
  servers: readonly KeyshareServer[],
  askPin: AskPin,
): Promise<CoSignedProofs> {
  const signers: Signer[] = []
  for (const server of servers) signers.push(await signerOf(server, draft, askPin))
  return inRounds(async () => {
    for (const signer of signers) await signer.commit()
    const bound = draft.bind(nonce, partsOf(draft, signers))
    const answers = new Map<SchemeId, Answer>()
    for (const { id, respond } of signers) answers.set(id, await respond(bound))
    return finish(bound, draft, answers)
  })
}

type Answer = { readonly jwt: string; readonly proof: KeyshareProof }

/** A keyshare server's part in one submission. */
type Signer = {
  readonly id: SchemeId
  /** requests new commitments, in each round */
  commit(): Promise<void>
  /** by public key id; from the last `commit` */
  commitments(): ReadonlyMap<string, KeyshareCommitment>
  respond(bound: BoundDraft): Promise<Answer>
}

/** Asks for the PIN of this server if needed, and requests P of the issued credentials. */
async function signerOf(server: KeyshareServer, draft: Draft, askPin: AskPin): Promise<Signer> {
  const { scheme, calls } = server
  const own = (keys: readonly TypeAndKey[]) =>
    keys.filter(({ type }) => schemeOf(type.id) === scheme.id).map(keyId)
  const issued = own(draft.keys.commitments)
  const keys = [...own(draft.keys.disclosures), ...issued]
  let authentication = await authenticate(server, askPin)
  const Ps =
    issued.length === 0 ? new Map<string, bigint>() : await readIssuedPs(server, issued, authentication)
  let commitments: ReadonlyMap<string, KeyshareCommitment> = new Map()
  const ask = async (): Promise<string> => {
    try {
      return await calls.post('/prove/getCommitments', keys, authentication)
    } catch (error) {
      if (statusOf(error) !== FORBIDDEN) throw error
      server.deps.wallet.tokens.delete(scheme.id) // the token is no longer valid: ask for the PIN again
      authentication = await authenticate(server, askPin)
      return calls.post('/prove/getCommitments', keys, authentication)
    }
  }
  return {
    id: scheme.id,
    async commit() {
      commitments = readCommitments(await ask())
      for (const [key, P] of Ps)
        if (commitments.get(key)?.P !== P) throw malformed(`expected the same P of ${key} twice`)
    },
    commitments: () => commitments,
    async respond({ challenge }) {
      const jwt = await calls.post('/prove/getResponse', toBase64(challenge), authentication)
      return { jwt, proof: await readProofJwt(jwt, scheme, challenge) }
    },
  }
}

/** @param keys of the credentials to issue: the server must return P for each */
async function readIssuedPs(
  { calls }: KeyshareServer,
  keys: readonly string[],
  authentication: Authentication,
): Promise<ReadonlyMap<string, bigint>> {
  const Ps = readPs(await calls.post('/api/v2/prove/getPs', keys, authentication))
  for (const key of keys) if (!Ps.has(key)) throw malformed(`expected a P of ${key}`)
  return Ps
}

function malformed(message: string): SessionError {
  return new SessionError('malformed-answer', `keyshare server: ${message}`)
}

function keyId({ type, key }: TypeAndKey): string {
  return publicKeyIdText({ issuer: issuerOf(type.id), counter: key.counter })
}

/** @throws {SessionError} if a number is missing, or not between 0 and the modulus of its key */
function partsOf({ keys }: Draft, signers: readonly Signer[]): KeyshareParts {
  const part = (of: TypeAndKey): KeyshareCommitment | null => {
    const signer = signers.find(({ id }) => id === schemeOf(of.type.id))
    if (signer === undefined) return null
    const commitment = signer.commitments().get(keyId(of))
    const isRight =
      commitment && [commitment.P, commitment.Pcommit].every(each => each > 0n && each < of.key.n)
    if (!isRight) throw malformed(`expected commitments for ${keyId(of)}`)
    return commitment
  }
  return { disclosures: keys.disclosures.map(part), commitments: keys.commitments.map(part) }
}

/** In an issuance, the issuer combines both halves itself and gets the server's JWT. A verifier gets the sum of both. */
function finish(bound: BoundDraft, { keys }: Draft, answers: ReadonlyMap<SchemeId, Answer>): CoSignedProofs {
  const finished = bound.respond()
  if (keys.commitments.length > 0) {
    const proofPJwts = new Map([...answers].map(([scheme, { jwt }]) => [scheme, jwt]))
    return { finished, disclosures: finished.disclosures, proofPJwts }
  }
  const disclosures = finished.disclosures.map((proof, i) => {
    const type = keys.disclosures[i]?.type
    const answer = type && answers.get(schemeOf(type.id))
    return answer ? mergeIntoDisclosure(proof, answer.proof) : proof
  })
  return { finished, disclosures, proofPJwts: new Map() }
}
