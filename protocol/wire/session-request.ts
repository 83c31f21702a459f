/** Session requests of requestors (spec/interface#2.3 to #2.6), as schemas. The OpenAPI description and the types of the client are derived from them.
 *  `parseSessionRequest` (`protocol/request.ts`) reads the requests, because it also limits their size. `test/protocol/wire` checks that both accept the same requests. A
 *  member that is `null` counts as left out. @module */
import { z } from 'zod'
import { MAX_PROOFS } from '../../crypto/proof-list.ts'
import { contextOf } from '../contexts.ts'
import type { Profile } from '../profiles.ts'
import { MAX_SECONDS } from '../request.ts'
import { HOST, LABEL_INDEX, MAX_KEY_COUNTER } from '../request-members.ts'
import { MAX_BATCH_SIZE } from '../sd-jwt/sd-jwt.ts'
import { ATTRIBUTE, CREDENTIAL_TYPE } from './ids.ts'

const TEXTS = z.record(z.string(), z.string().nullable())

const ATTRIBUTE_REQUEST = z.union([
  ATTRIBUTE,
  z.object({
    type: ATTRIBUTE,
    value: z.string().nullish().meta({ description: 'the only value that is accepted' }),
    notNull: z.boolean().nullish().meta({ description: 'the attribute must have a value' }),
  }),
])
const CONJUNCTION = z
  .array(ATTRIBUTE_REQUEST)
  .nullable()
  .meta({ description: 'All of these; an empty list: nothing, so that its disjunction is optional' })
const DISJUNCTION = z.array(CONJUNCTION).min(1).meta({ description: 'One of these conjunctions' })

/** A list with at least one inner conjunction that is not empty. */
const DISCLOSE = z
  .tuple([DISJUNCTION], DISJUNCTION)
  .refine(disclose => disclose.some(items => items.some(inner => (inner ?? []).length > 0)))
  .meta({
    description: 'Each of these disjunctions',
    contains: { contains: { type: 'array', minItems: 1 } },
  })

/** Members that requestors may send and the server ignores. The server sets them for wallet apps itself. */
const UNREAD = z.unknown().optional().meta({ description: 'Not read' })

const COMMON = {
  context: UNREAD,
  nonce: UNREAD,
  protocolVersion: UNREAD,
  devMode: UNREAD,
  labels: z
    .record(z.string().regex(LABEL_INDEX), TEXTS.nullable())
    .nullish()
    .meta({ description: 'Texts for a disjunction, by its index in disclose, then by language' }),
  skipExpiryCheck: z
    .array(CREDENTIAL_TYPE)
    .nullish()
    .meta({ description: 'Types of which expired credentials are accepted' }),
  revocation: z
    .union([
      z.array(CREDENTIAL_TYPE),
      z.record(
        CREDENTIAL_TYPE,
        z.object({ tolerance: z.int().min(0).nullish().meta({ description: 'seconds' }) }).nullable(),
      ),
    ])
    .nullish()
    .meta({ description: 'Types of which credentials must be proved not to be revoked' }),
  clientReturnUrl: z.string().nullish().meta({ description: 'Where the wallet app goes at the end' }),
  augmentReturnUrl: z
    .boolean()
    .nullish()
    .meta({ description: 'Whether the token is added to clientReturnUrl' }),
  host: z
    .union([z.literal(''), z.string().regex(HOST)])
    .nullish()
    .meta({
      description: 'The host that the wallet app must use',
    }),
}

const CREDENTIAL = z.object({
  credential: CREDENTIAL_TYPE,
  validity: z.int().min(0).nullish().meta({ description: 'Unix time at which it expires, seconds' }),
  attributes: TEXTS.nullish().meta({ description: 'Values by the name of the attribute' }),
  revocationKey: z.string().nullish().meta({ description: 'The name by which it can be revoked' }),
  keyCounter: z.int().min(0).max(MAX_KEY_COUNTER).nullish(),
  randomblindIDs: z.array(z.string().nullable()).nullish(),
  sdJwtBatchSize: z.int().min(0).max(MAX_BATCH_SIZE).nullish().meta({
    description: 'How many SD-JWTs the wallet app gets beside the credential',
  }),
})
const CREDENTIALS = z.tuple([CREDENTIAL], CREDENTIAL).refine(list => list.length <= MAX_PROOFS)
const ISSUED = CREDENTIALS.meta({ description: 'What is issued', maxItems: MAX_PROOFS })
const MESSAGE = z.string().min(1).meta({ description: 'The text that is signed' })

/** The form with `@context`. */
function modern({ contextBase }: Pick<Profile, 'contextBase'>) {
  const optional = z.array(DISJUNCTION).nullish().meta({ description: 'What is disclosed as well' })
  const disclosure = z.object({
    '@context': z.literal(contextOf(contextBase, 'disclosing')),
    disclose: DISCLOSE,
    ...COMMON,
  })
  const signature = z.object({
    '@context': z.literal(contextOf(contextBase, 'signing')),
    message: MESSAGE,
    disclose: optional,
    ...COMMON,
  })
  const issuance = z.object({
    '@context': z.literal(contextOf(contextBase, 'issuing')),
    credentials: ISSUED,
    disclose: optional,
    ...COMMON,
  })
  return { disclosure, signature, issuance }
}

const NO_CONTEXT = z.literal('').nullish()
const { labels: _, ...LEGACY_COMMON } = COMMON
const LEGACY_ITEM = z.object({
  label: z.string().nullish(),
  attributes: z.union([
    z.array(ATTRIBUTE).min(1),
    z
      .record(ATTRIBUTE, z.string().nullable())
      .refine(map => Object.keys(map).length > 0)
      .meta({ minProperties: 1 }),
  ]),
})

/** The form without conjunctions: each item is a list of attributes, one of which is disclosed. */
function legacy() {
  const disclosure = z.object({
    '@context': NO_CONTEXT,
    type: z.literal('disclosing'),
    content: z.tuple([LEGACY_ITEM], LEGACY_ITEM),
    ...LEGACY_COMMON,
  })
  const signature = z.object({
    '@context': NO_CONTEXT,
    type: z.literal('signing'),
    message: MESSAGE,
    content: z.array(LEGACY_ITEM).nullish(),
    ...LEGACY_COMMON,
  })
  const issuance = z.object({
    '@context': NO_CONTEXT,
    type: z.literal('issuing'),
    credentials: ISSUED,
    disclose: z.array(LEGACY_ITEM).nullish(),
    ...LEGACY_COMMON,
  })
  return { disclosure, signature, issuance }
}

/** All forms of the body of `POST /session`. */
export function sessionRequestSchemas(profile: Pick<Profile, 'contextBase'>) {
  const { disclosure, signature, issuance } = modern(profile)
  const old = legacy()
  const legacyForm = z.union([old.disclosure, old.signature, old.issuance])
  const options = {
    '@context': NO_CONTEXT,
    validity: z.int().min(0).max(MAX_SECONDS).nullish().meta({ description: 'Of the result JWT, seconds' }),
    timeout: z.int().min(0).max(MAX_SECONDS).nullish().meta({ description: 'Of the session, seconds' }),
    callbackUrl: z.string().nullish().meta({ description: 'Where the result is posted' }),
    nextSession: z
      .object({ url: z.string().nullish() })
      .nullish()
      .meta({ description: 'Who is asked for the next session of a chain' }),
  }
  const plain = z.union([disclosure, signature, issuance])
  const extended = z.object({ request: z.union([disclosure, signature, issuance, legacyForm]), ...options })
  const sessionRequest = z.union([plain, extended, legacyForm])
  return { disclosure, signature, issuance, legacyForm, extended, sessionRequest }
}

type Schemas = ReturnType<typeof sessionRequestSchemas>

/** A message in its wire form, read-only. */
export type DeepReadonly<T> = T extends object ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> } : T

export type WireDisclosure = DeepReadonly<z.input<Schemas['disclosure']>>
export type WireSignature = DeepReadonly<z.input<Schemas['signature']>>
export type WireIssuance = DeepReadonly<z.input<Schemas['issuance']>>
export type WireLegacyRequest = DeepReadonly<z.input<Schemas['legacyForm']>>
export type WireExtended = DeepReadonly<z.input<Schemas['extended']>>
/** The body of `POST /session`. */
export type WireSessionRequest = DeepReadonly<z.input<Schemas['sessionRequest']>>
