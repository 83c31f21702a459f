/** Messages to a keyshare server and its answers (spec/interface#2.12, spec/keyshare-server#4 to #10), as schemas. The readers of `protocol/keyshare` check the messages.
 *  The claims of a JWT are checked after its signature, and are described in the text of each endpoint. @module */
import { z } from 'zod'
import { MAX_PROOFS } from '../../crypto/proof-list.ts'
import { MAX_PIN_BYTES } from '../keyshare/claims.ts'
import { MAX_HASH_CHARACTERS } from '../keyshare/proof-requests.ts'
import { BIG_INTEGER } from './ids.ts'

const TEXT = z.string().nullish()
const PIN = z
  .string()
  .max(MAX_PIN_BYTES)
  .nullish()
  .meta({ description: `At most ${MAX_PIN_BYTES} bytes` })
const JWT = z.string().min(1).meta({ description: 'A JWT that the key of the device signs' })
const NO_JWT = z.literal('').nullish()
const KEY_ID = z
  .string()
  .regex(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+-(0|[1-9][0-9]{0,8})$/)
  .meta({ description: 'An issuer public key: <scheme>.<issuer>-<counter>' })
const KEY_IDS = z
  .array(KEY_ID)
  .min(1)
  .refine(list => list.length <= MAX_PROOFS)
  .meta({ maxItems: MAX_PROOFS })

export const KEYSHARE_BODIES = {
  registration: z.union([
    z.object({ enrollment_jwt: JWT }),
    z.object({
      enrollment_jwt: NO_JWT,
      publickey: NO_JWT,
      pin: PIN,
      email: z.string().max(254).nullish(),
      language: z.string().max(64).nullish(),
    }),
  ]),
  loginStart: z.object({ auth_request_jwt: JWT }),
  login: z.object({ auth_response_jwt: JWT }),
  plainLogin: z.object({ auth_response_jwt: NO_JWT, id: TEXT, pin: PIN }),
  pinChange: z.union([
    z.object({ change_pin_jwt: JWT }),
    z.object({ change_pin_jwt: NO_JWT, id: TEXT, oldpin: PIN, newpin: PIN }),
  ]),
  keyRegistration: z.object({ jwt: JWT }),
  keys: KEY_IDS,
  hashedCommitments: z.object({
    keys: KEY_IDS,
    hw: z.object({ hashedComms: z.base64().max(MAX_HASH_CHARACTERS).nullish() }),
  }),
  challenge: BIG_INTEGER.nullable().meta({ description: 'At most 256 bits' }),
  response: z.object({
    context: BIG_INTEGER.nullish(),
    nonce: BIG_INTEGER,
    resp: BIG_INTEGER,
    sig: z.boolean().nullish(),
    UserChallengeInput: z
      .array(
        z.object({
          key: KEY_ID.nullish(),
          val: BIG_INTEGER,
          comm: BIG_INTEGER,
          otherComms: z.array(BIG_INTEGER).nullish(),
        }),
      )
      .nullish(),
  }),
}

const refusals = [
  z.strictObject({ status: z.literal('failure'), message: z.string().meta({ description: 'Tries left' }) }),
  z.strictObject({
    status: z.literal('error'),
    message: z.string().meta({ description: 'Seconds to wait' }),
  }),
] as const

export const KEYSHARE_ANSWERS = {
  challenge: z.strictObject({
    candidates: z.tuple([z.literal('pin_challengeresponse')]),
    challenge: z.base64(),
  }),
  login: z.union([
    z.strictObject({
      status: z.enum(['succes', 'success']).meta({ description: 'succes below /user, success below /users' }),
      message: z.string().meta({ description: 'The authentication JWT' }),
    }),
    ...refusals,
  ]),
  pinChange: z.union([
    z.strictObject({ status: z.literal('success'), message: z.literal('').optional() }),
    ...refusals,
  ]),
  commitments: z.strictObject({
    c: z.record(KEY_ID, z.strictObject({ P: BIG_INTEGER, Pcommit: BIG_INTEGER })),
  }),
  hashedCommitments: z.strictObject({ c: z.record(KEY_ID, BIG_INTEGER) }),
  publicParts: z.strictObject({ ps: z.record(KEY_ID, BIG_INTEGER) }),
}
