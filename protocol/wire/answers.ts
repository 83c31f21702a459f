/** Answers to requestors and frontends (spec/interface#2.2, #2.8, #2.10, #2.11), as schemas. The OpenAPI description and the types of the client are derived from them.
 *  `test/openapi` checks recorded answers and answers of running servers against them. @module */
import { z } from 'zod'
import { contextOf } from '../contexts.ts'
import type { Profile } from '../profiles.ts'
import { disclosureProof, INDICES, TIMESTAMP } from './app-messages.ts'
import { ATTRIBUTE, BIG_INTEGER, TOKEN } from './ids.ts'

const SESSION_TYPE = z.enum(['disclosing', 'signing', 'issuing'])
export const STATUS = z.enum(['INITIALIZED', 'PAIRING', 'CONNECTED', 'DONE', 'CANCELLED', 'TIMEOUT'])
const PROOF_STATUS = z.enum([
  ...([
    'VALID',
    'INVALID',
    'INVALID_TIMESTAMP',
    'UNMATCHED_REQUEST',
    'MISSING_ATTRIBUTES',
    'EXPIRED',
  ] as const),
])

export const REMOTE_ERROR = z.strictObject({
  status: z.int().meta({ description: 'The HTTP status' }),
  error: z.string().meta({ description: 'The type of the error', examples: ['INVALID_REQUEST'] }),
  description: z.string().optional().meta({ description: 'What the type means' }),
  message: z.string().optional().meta({ description: 'What was expected, and what came' }),
  stacktrace: z.string().optional(),
})

/** The reasons and warnings in the answer of `GET /health/ready`. */
const SENTENCES = z.record(z.string(), z.string())
const NODE_STATE = { reasons: SENTENCES, warnings: SENTENCES }
export const READY = z.strictObject({ ready: z.literal(true), ...NODE_STATE })
export const NOT_READY = z.strictObject({ ...REMOTE_ERROR.shape, ready: z.literal(false), ...NODE_STATE })

const SECONDS = z.int().meta({ description: 'Unix time, seconds' })
const DISCLOSED = z.strictObject({
  rawvalue: z.string().nullable(),
  value: z
    .strictObject({ '': z.string(), en: z.string(), nl: z.string() })
    .nullable()
    .meta({ description: 'The value by language; all are the same' }),
  id: ATTRIBUTE,
  status: z.enum(['PRESENT', 'NULL', 'EXTRA']),
  issuancetime: SECONDS,
  notrevoked: z.literal(true).optional().meta({ description: 'Its credential was proved not to be revoked' }),
  notrevokedbefore: SECONDS.optional(),
})

/** A signed message in a result: the message of the wallet app, in the form that the server writes. */
const SIGNED_MESSAGE = z.strictObject({
  '@context': z.string(),
  signature: z.array(disclosureProof(z.strictObject)).nullable(),
  indices: INDICES.nullable(),
  nonce: BIG_INTEGER.nullable(),
  context: BIG_INTEGER.nullable(),
  message: z.string(),
  timestamp: TIMESTAMP.nullable(),
})

type Names = Pick<Profile, 'pointerField' | 'contextBase' | 'resultError'>

/** The member that contains the type of a session, by profile. */
const POINTERS = {
  svcqr: z.strictObject({ u: z.url(), svcqr: SESSION_TYPE }),
  irmaqr: z.strictObject({ u: z.url(), irmaqr: SESSION_TYPE }),
}

/** The last variant of `disclosed` is that of a request in the form without conjunctions. */
export const SESSION_RESULT = z.strictObject({
  token: TOKEN,
  status: STATUS,
  type: SESSION_TYPE,
  proofStatus: PROOF_STATUS.optional(),
  disclosed: z
    .union([z.array(z.array(DISCLOSED).nullable()), z.array(DISCLOSED)])
    .optional()
    .meta({
      description:
        'By disjunction; of a request in the form before conjunctions a list of attributes, where the profile says so',
    }),
  signature: SIGNED_MESSAGE.optional(),
  error: z.union([z.string(), REMOTE_ERROR]).optional(),
  nextSession: TOKEN.optional().meta({ description: 'The requestor token of the session that followed' }),
})

export function answerSchemas({ pointerField, contextBase }: Names) {
  const sessionPointer = POINTERS[pointerField]
  const sessionPackage = z.strictObject({
    sessionPtr: sessionPointer,
    token: TOKEN,
    frontendRequest: z.strictObject({
      authorization: TOKEN,
      pairingHint: z.literal(true).optional(),
      minProtocolVersion: z.string(),
      maxProtocolVersion: z.string(),
    }),
  })
  const frontendStatus = z.strictObject({ status: STATUS, nextSession: sessionPointer.optional() })
  const sessionOptions = z.strictObject({
    '@context': z.literal(contextOf(contextBase, 'options')),
    pairingMethod: z.enum(['none', 'pin']),
    pairingCode: z
      .string()
      .regex(/^[0-9]{4}$/)
      .optional(),
  })
  return { sessionPointer, sessionPackage, frontendStatus, sessionOptions }
}

export type SessionResult = z.output<typeof SESSION_RESULT>
export type WireStatus = z.output<typeof STATUS>
