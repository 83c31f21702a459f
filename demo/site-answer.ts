/** The web site's answer to a session result (spec/interface#2.8): its decision as text, the attributes it has seen, signed or issued, and those it has not seen. A site
 *  decides by the result that it requested itself, never by data from its page. @module */
import { z } from 'zod'
import { MalformedInputError } from '../protocol/errors.ts'
import {
  type AttributeRequestId,
  credentialTypeOf,
  parseAttributeTypeId,
  parseCredentialTypeId,
} from '../protocol/ids.ts'
import type { Schemes } from '../schemes/types.ts'
import { attributeName, cardName, issuerName, otherAttributeNames } from './names.ts'
import {
  DECISIONS,
  LOGGED_IN_AGAIN,
  NOT_LET_IN,
  type SiteText,
  UNSEEN,
  wordsOfFailure,
} from './site-words.ts'
import { OFFERED, type OfferedCard, type SessionStep } from './steps.ts'

const RESULT = z.object({
  type: z.string().optional(),
  status: z.enum(['INITIALIZED', 'PAIRING', 'CONNECTED', 'DONE', 'CANCELLED', 'TIMEOUT']),
  proofStatus: z.string().optional(),
  disclosed: z
    .array(
      z
        .array(
          z.object({
            id: z.string(),
            rawvalue: z.string().nullable(),
            notrevoked: z.boolean().optional(),
          }),
        )
        .nullable(),
    )
    .optional(),
  signature: z
    .object({ message: z.string(), timestamp: z.object({ Time: z.int().min(0) }).nullish() })
    .optional(),
  error: z.unknown().optional(),
  nextSession: z.string().optional(),
})
const MEMBERS = z.record(z.string(), z.unknown())

export type SiteResult = z.infer<typeof RESULT> & {
  /** every member as received, in the order of the wire, without requestor tokens */
  readonly told: object
}

/** @throws {MalformedInputError} if the response has another shape */
export function parseResult(json: unknown): SiteResult {
  const [facts, members] = [RESULT.safeParse(json), MEMBERS.safeParse(json)]
  if (!facts.success || !members.success)
    throw new MalformedInputError('session result: expected status, proofStatus and disclosed')
  const { token: _, nextSession: __, ...told } = members.data
  return { ...facts.data, told }
}

export type SiteAnswer = SiteText & {
  readonly seen: readonly {
    readonly card: string
    readonly name: string
    readonly value: string | null
    /** the card was proved unrevoked */
    readonly isNotRevoked: boolean
  }[]
  readonly signed: {
    readonly message: string
    /** time of the timestamp, Unix seconds; null: none */
    readonly atSec: number | null
  } | null
  /** the issued cards, whose values the site knows */
  readonly issued: readonly {
    readonly card: string
    readonly issuer: string
    readonly attributes: readonly { readonly name: string; readonly value: string }[]
  }[]
  /** the other attributes of the used cards */
  readonly hidden: readonly { readonly card: string; readonly names: readonly string[] }[]
  /** the site can revoke the issued card */
  readonly canRevoke: boolean
  /** the step continues with a second login */
  readonly canRepeat: boolean
  /** the step has reached its goal */
  readonly isDone: boolean
  /** further facts that the site cannot know, as texts */
  readonly unseen: readonly string[]
  /** as received, without requestor tokens; one per session of a chain */
  readonly results: readonly object[]
}

export type Setting = {
  readonly step: SessionStep
  /** this is the second question of a step: after the site revoked the card, or a second login */
  readonly isAgain: boolean
  /** the user pressed Cancel on the web site */
  readonly isCancelledHere: boolean
}

/** @param results one per session of a chain, the first one first */
export function siteAnswer(
  { step, isAgain, isCancelledHere }: Setting,
  results: readonly [SiteResult, ...SiteResult[]],
  schemes: Schemes,
): SiteAnswer {
  const valid = results.filter(isValid)
  const last = results.at(-1) ?? results[0]
  // a later session of a chain discloses the attributes of the first again
  const disclosed = (valid.at(-1)?.disclosed ?? []).flatMap(item => item ?? [])
  const seen = disclosed.map(({ id, rawvalue, notrevoked }) => ({
    id: parseAttributeTypeId(id),
    value: rawvalue,
    isNotRevoked: notrevoked === true,
  }))
  const isSuccess = valid.length === results.length
  const values = new Map(disclosed.map(({ id, rawvalue }) => [id, rawvalue]))
  const shared = seen.map(({ id }) => id)
  const isCancelled = last.status === 'CANCELLED' && last.error === undefined
  const isRefusedAsRevoked = step === 'revoked' && isAgain && isCancelled && !isCancelledHere
  const failure = isRefusedAsRevoked
    ? NOT_LET_IN
    : wordsOfFailure(last, { hasSeen: valid.length > 0, isCancelledHere })
  const words = isSuccess ? DECISIONS[step](values) : failure
  const issued = valid.some(({ type }) => type === 'issuing') ? OFFERED[step] : []
  return {
    ...(step === 'twice' && isAgain && words.isAccepted ? LOGGED_IN_AGAIN : words),
    seen: seen.map(({ id, value, isNotRevoked }) => ({
      card: cardName(schemes, id),
      name: attributeName(schemes, id),
      value,
      isNotRevoked,
    })),
    signed: isSuccess ? signedBy(last) : null,
    issued: issued.map(card => issuedView(card, schemes)),
    canRevoke: step === 'revoked' && isSuccess && !isAgain,
    canRepeat: step === 'twice' && words.isAccepted && !isAgain,
    isDone: step === 'revoked' ? isRefusedAsRevoked : words.isAccepted && (step !== 'twice' || isAgain),
    hidden: hiddenOn(schemes, shared, issued),
    unseen: isSuccess ? UNSEEN[step] : [],
    results: results.map(({ told }) => told),
  }
}

function isValid({ status, proofStatus }: SiteResult): boolean {
  return status === 'DONE' && proofStatus === 'VALID'
}

function signedBy({ signature }: SiteResult): SiteAnswer['signed'] {
  return signature ? { message: signature.message, atSec: signature.timestamp?.Time ?? null } : null
}

function issuedView({ credential, attributes }: OfferedCard, schemes: Schemes): SiteAnswer['issued'][number] {
  const type = parseCredentialTypeId(credential)
  return {
    card: cardName(schemes, type),
    issuer: issuerName(schemes, type),
    attributes: Object.entries(attributes).map(([name, value]) => ({
      name: attributeName(schemes, parseAttributeTypeId(`${credential}.${name}`)),
      value,
    })),
  }
}

/** @param issued cards of the site itself, whose values it knows */
function hiddenOn(
  schemes: Schemes,
  shared: readonly AttributeRequestId[],
  issued: readonly OfferedCard[],
): SiteAnswer['hidden'] {
  const all = new Set<string>(shared)
  return [...new Set(shared.map(credentialTypeOf))]
    .filter(type => !issued.some(({ credential }) => credential === type))
    .map(type => ({ card: cardName(schemes, type), names: otherAttributeNames(schemes, type, all) }))
    .filter(({ names }) => names.length > 0)
}
