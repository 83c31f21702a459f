/** Messages of wallet apps and frontends, and answers to wallet apps (spec/interface#2.9, #2.10), as schemas. The readers beside this folder check the messages
 *  (`disclosure-message.ts`, `commitment-message.ts`, `signed-message.ts`, `frontend-messages.ts`). They also limit lengths and refuse duplicate names, which the
 *  schemas cannot express. `test/protocol/wire` checks that readers and schemas accept the same forms. @module */
import { z } from 'zod'
import { contextOf } from '../contexts.ts'
import type { Profile } from '../profiles.ts'
import { isPublicKey } from '../sd-jwt/key-binding-keys.ts'
import { BIG_INTEGER } from './ids.ts'

type MakeObject = typeof z.object | typeof z.strictObject

const BY_INDEX = z
  .record(z.string().regex(/^(0|[1-9][0-9]{0,4})$/), BIG_INTEGER)
  .meta({ description: 'By base index' })
const SIGNED_ACCUMULATOR = z.object({
  data: z.base64().nullish(),
  pk: z.int().min(0).max(0xffff_ffff).nullish(),
})

/** @param make answers have all their members */
export function disclosureProof(make: MakeObject) {
  return make({
    c: BIG_INTEGER,
    A: BIG_INTEGER,
    e_response: BIG_INTEGER,
    v_response: BIG_INTEGER,
    a_responses: BY_INDEX.nullish(),
    a_disclosed: BY_INDEX.nullish(),
    nonrev_proof: z
      .object({
        C_r: BIG_INTEGER,
        C_u: BIG_INTEGER,
        responses: z.object({
          beta: BIG_INTEGER,
          delta: BIG_INTEGER,
          epsilon: BIG_INTEGER,
          zeta: BIG_INTEGER,
        }),
        sacc: SIGNED_ACCUMULATOR,
      })
      .nullish(),
  })
}

const DISCLOSURE_PROOF = disclosureProof(z.object)
const COMMITMENT_PROOF = z.object({
  U: BIG_INTEGER,
  c: BIG_INTEGER,
  v_prime_response: BIG_INTEGER,
  s_response: BIG_INTEGER,
  m_user_responses: BY_INDEX.nullish(),
})

const INDEX = z.int().min(0).max(0xffff)
export const INDICES = z
  .array(z.array(z.object({ cred: INDEX, attr: INDEX })).nullable())
  .meta({ description: 'By disjunction: which attribute of which proof answers it' })

const BYTES = z.base64().nullish()
export const TIMESTAMP = z.object({
  Time: z.int().min(0).nullish(),
  ServerUrl: z.string().nullish(),
  Sig: z.object({ Alg: z.string().nullish(), Data: BYTES, PublicKey: BYTES }).nullish(),
  Hashing: z.object({ Hash: z.string().nullish(), Prefix: BYTES }).nullish(),
})

const DISCLOSURE_MESSAGE = z
  .object({ proofs: z.array(DISCLOSURE_PROOF).nullish(), indices: INDICES.nullish() })
  .nullable()

const PUBLIC_JWK = z
  .looseObject({ kty: z.enum(['EC', 'OKP', 'RSA']) })
  .refine(isPublicKey)
  .meta({ description: 'The public key that an SD-JWT is bound to (JWK), as a rule on the curve P-256' })

const COMMITMENT_MESSAGE = z.object({
  n_2: BIG_INTEGER,
  combinedProofs: z.array(z.union([DISCLOSURE_PROOF, COMMITMENT_PROOF])).nullish(),
  proofPJwts: z.record(z.string(), z.string().nullable()).nullish(),
  proofPJwt: z.string().nullish(),
  indices: INDICES.nullish(),
  keybinding_pub_keys: z.array(PUBLIC_JWK).nullish(),
})

function signedMessage(contextBase: string) {
  return z.object({
    '@context': z.union([z.literal(contextOf(contextBase, 'signature')), z.literal('')]).nullish(),
    signature: z.array(DISCLOSURE_PROOF).nullish(),
    indices: INDICES.nullish(),
    nonce: BIG_INTEGER.nullish(),
    context: BIG_INTEGER.nullish(),
    message: z.string().nullish(),
    timestamp: TIMESTAMP.nullish(),
  })
}

function frontendOptions(contextBase: string) {
  return z.object({
    '@context': z.literal(contextOf(contextBase, 'frontendOptions')),
    pairingMethod: z.enum(['', 'none', 'pin']).nullish(),
  })
}

/** One signature of an issuance. */
const ISSUED = z.strictObject({
  proof: z.strictObject({ c: BIG_INTEGER, e_response: BIG_INTEGER }),
  signature: z.strictObject({ A: BIG_INTEGER, e: BIG_INTEGER, v: BIG_INTEGER, KeyshareP: z.null() }),
  nonrev: z
    .strictObject({ u: BIG_INTEGER, e: BIG_INTEGER, sacc: SIGNED_ACCUMULATOR, Updated: z.string() })
    .optional(),
  m_issuer: BY_INDEX.optional(),
})

export function appMessageSchemas({ contextBase }: Pick<Profile, 'contextBase'>) {
  return {
    disclosureMessage: DISCLOSURE_MESSAGE,
    commitmentMessage: COMMITMENT_MESSAGE,
    signedMessage: signedMessage(contextBase),
    frontendOptions: frontendOptions(contextBase),
    issued: ISSUED,
  }
}
