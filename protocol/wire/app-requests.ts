/** The session request for wallet apps (spec/interface#2.9), as schemas, in the form of each protocol version. @module */
import { z } from 'zod'
import { contextOf } from '../contexts.ts'
import type { Profile } from '../profiles.ts'
import { MAX_BATCH_SIZE } from '../sd-jwt/sd-jwt.ts'
import { answerSchemas } from './answers.ts'
import { appMessageSchemas } from './app-messages.ts'
import { ATTRIBUTE, BIG_INTEGER, CREDENTIAL_TYPE } from './ids.ts'

const TEXTS = z.record(z.string(), z.string())
const VERSION = z.string().regex(/^[0-9]+\.[0-9]+$/)
const HEAD = { context: BIG_INTEGER, nonce: BIG_INTEGER, protocolVersion: VERSION }
const CREDENTIALS = z.array(
  z.strictObject({
    validity: z.int().optional(),
    keyCounter: z.int().optional(),
    credential: CREDENTIAL_TYPE,
    attributes: TEXTS,
    revocationSupported: z.literal(true).optional(),
    randomblindIDs: z.array(z.string()).optional(),
    sdJwtBatchSize: z.int().min(1).max(MAX_BATCH_SIZE).optional(),
  }),
)
const SIGNED_ACCUMULATOR = z.strictObject({ data: z.base64(), pk: z.int() })
export const UPDATE = z.strictObject({
  sacc: SIGNED_ACCUMULATOR,
  e: z.strictObject({ i: z.int(), hash: z.string(), e: z.array(BIG_INTEGER) }).optional(),
})
const REVOCATION = z.record(
  CREDENTIAL_TYPE,
  z.strictObject({ tolerance: z.int().optional(), updates: z.record(z.string(), UPDATE).optional() }),
)
const DISCLOSE = z.array(
  z.array(
    z.array(
      z.union([
        ATTRIBUTE,
        z.strictObject({
          type: ATTRIBUTE,
          value: z.string().optional(),
          notNull: z.literal(true).optional(),
        }),
      ]),
    ),
  ),
)

function modernRequest(contextBase: string) {
  return z.strictObject({
    '@context': z.enum([
      contextOf(contextBase, 'disclosing'),
      contextOf(contextBase, 'signing'),
      contextOf(contextBase, 'issuing'),
    ]),
    ...HEAD,
    revocation: REVOCATION.optional(),
    type: z.enum(['disclosing', 'signing', 'issuing']).optional(),
    devMode: z.literal(true).optional(),
    clientReturnUrl: z.string().optional(),
    augmentReturnUrl: z.literal(true).optional(),
    host: z.string().optional(),
    disclose: DISCLOSE.optional(),
    labels: z.record(z.string(), TEXTS.nullable()).optional(),
    skipExpiryCheck: z.array(CREDENTIAL_TYPE).optional(),
    message: z.string().optional(),
    credentials: CREDENTIALS.optional(),
  })
}

const LEGACY_DISCLOSE = z.array(
  z.strictObject({
    label: z.string(),
    attributes: z.union([z.array(ATTRIBUTE), z.record(ATTRIBUTE, z.string().nullable())]),
  }),
)

/** The form below version 2.5. */
const LEGACY_REQUEST = z.union([
  z.strictObject({ ...HEAD, type: z.literal('disclosing'), content: LEGACY_DISCLOSE }),
  z.strictObject({ ...HEAD, type: z.literal('signing'), content: LEGACY_DISCLOSE, message: z.string() }),
  z.strictObject({
    ...HEAD,
    type: z.literal('issuing'),
    credentials: CREDENTIALS,
    disclose: LEGACY_DISCLOSE,
  }),
])

type RequestProfile = Pick<Profile, 'contextBase' | 'pointerField' | 'resultError' | 'optionsWithoutPairing'>

export function appRequestSchemas(profile: RequestProfile) {
  const { contextBase, optionsWithoutPairing } = profile
  const { sessionOptions, sessionPointer } = answerSchemas(profile)
  const { issued } = appMessageSchemas(profile)
  const sessionRequestForApp = modernRequest(contextBase)
  const clientSessionRequest = z.strictObject({
    '@context': z.literal(contextOf(contextBase, 'client')),
    protocolVersion: VERSION,
    options: optionsWithoutPairing === 'sent' ? sessionOptions : sessionOptions.optional(),
    request: sessionRequestForApp.optional(),
  })
  const serverSessionResponse = z.strictObject({
    proofStatus: z.string(),
    sigs: z.array(issued).optional(),
    sdjwts: z.array(z.string()).optional().meta({ description: 'An SD-JWT VC for each key of the app' }),
    nextSession: sessionPointer.optional(),
  })
  return {
    sessionRequestForApp,
    clientSessionRequest,
    serverSessionResponse,
    firstAnswer: z.union([clientSessionRequest, sessionRequestForApp, LEGACY_REQUEST]),
    outcome: z.union([serverSessionResponse, z.array(issued), z.string()]),
  }
}
