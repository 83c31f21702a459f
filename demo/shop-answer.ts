/** What the web shop makes of a session result (spec 2.8): its decision in words, what it has seen and what it has not. A shop decides on its
 *  own side, from the result that it fetched itself, never from what a page tells it. @module */
import { z } from 'zod'
import { MalformedInput } from '../protocol/errors.ts'
import { type AttributeRequestId, credentialTypeOf, parseAttributeTypeId } from '../protocol/ids.ts'
import type { Schemes } from '../schemes/types.ts'
import { attributeName, cardName, otherAttributeNames } from './names.ts'
import * as ids from './scenarios.ts'

const RESULT = z.object({
  status: z.enum(['INITIALIZED', 'PAIRING', 'CONNECTED', 'DONE', 'CANCELLED', 'TIMEOUT']),
  proofStatus: z.string().optional(),
  disclosed: z
    .array(z.array(z.object({ id: z.string(), rawvalue: z.string().nullable() })).nullable())
    .optional(),
  error: z.unknown().optional(),
})
const MEMBERS = z.record(z.string(), z.unknown())

export type ShopResult = z.infer<typeof RESULT> & {
  /** every member as it was told, in the order of the wire, without the requestor token */
  readonly told: object
}

/** @throws {MalformedInput} if the session server answered something else */
export function parseResult(json: unknown): ShopResult {
  const [facts, members] = [RESULT.safeParse(json), MEMBERS.safeParse(json)]
  if (!facts.success || !members.success)
    throw new MalformedInput('session result: expected status, proofStatus and disclosed')
  const { token: _, ...told } = members.data
  return { ...facts.data, told }
}

export type ShopAnswer = {
  readonly isAccepted: boolean
  readonly title: string
  readonly text: string
  readonly seen: readonly { readonly card: string; readonly name: string; readonly value: string | null }[]
  readonly hidden: readonly { readonly card: string; readonly names: readonly string[] }[]
  /** as told, without the requestor token */
  readonly result: object
}

type Values = ReadonlyMap<string, string | null>
type Words = Pick<ShopAnswer, 'isAccepted' | 'title' | 'text'>

export function shopAnswer(scenario: ids.Scenario, result: ShopResult, schemes: Schemes): ShopAnswer {
  const isValid = result.status === 'DONE' && result.proofStatus === 'VALID'
  const disclosed = isValid ? (result.disclosed ?? []).flatMap(item => item ?? []) : []
  const values = new Map(disclosed.map(({ id, rawvalue }) => [id, rawvalue]))
  const seen = disclosed.map(({ id, rawvalue }) => ({ id: parseAttributeTypeId(id), value: rawvalue }))
  return {
    ...(isValid ? DECISIONS[scenario](values) : wordsOfFailure(result)),
    seen: seen.map(({ id, value }) => ({
      card: cardName(schemes, id),
      name: attributeName(schemes, id),
      value,
    })),
    hidden: hiddenOn(
      schemes,
      seen.map(({ id }) => id),
    ),
    result: result.told,
  }
}

const DECISIONS: Readonly<Record<ids.Scenario, (values: Values) => Words>> = {
  age: values =>
    values.get(ids.OVER_18)?.toLowerCase() === 'yes'
      ? accepted('Thank you, you are over 18', 'The bottle is yours. Your name stayed on your phone.')
      : { isAccepted: false, title: 'Not this bottle', text: 'Your card says that you are not over 18.' },
  login: values =>
    accepted(
      'You are logged in',
      values.has(ids.STUDENT_NUMBER)
        ? `As student ${values.get(ids.STUDENT_NUMBER)} of ${values.get(ids.UNIVERSITY)}.`
        : `With registration number ${values.get(ids.REGISTRATION_NUMBER)}.`,
    ),
  delivery: values =>
    accepted(
      'We know where to deliver',
      `${values.get(ids.POSTAL_CODE)}, number ${values.get(ids.HOUSE_NUMBER)}. ` +
        (values.has(ids.FAMILY_NAME)
          ? `The label says ${values.get(ids.FAMILY_NAME)}.`
          : 'There is no name on the label.'),
    ),
}

function accepted(title: string, text: string): Words {
  return { isAccepted: true, title, text }
}

function wordsOfFailure({ status, proofStatus, error }: ShopResult): Words {
  const isAccepted = false
  if (status === 'DONE')
    return {
      isAccepted,
      title: 'The proof does not hold',
      text: `The session server checked it: ${proofStatus}.`,
    }
  if (status === 'TIMEOUT')
    return { isAccepted, title: 'That took too long', text: 'The session has ended. You can start again.' }
  if (error !== undefined)
    return {
      isAccepted,
      title: 'Something went wrong',
      text: 'The session server ended the session. You can start again.',
    }
  return {
    isAccepted,
    title: 'Stopped',
    text: 'Nothing was shared. The shop is not told whether somebody refused or could not answer.',
  }
}

/** What else stands on the cards that were used, and stayed on the phone. */
function hiddenOn(schemes: Schemes, shared: readonly AttributeRequestId[]): ShopAnswer['hidden'] {
  const all = new Set<string>(shared)
  return [...new Set(shared.map(credentialTypeOf))].map(type => ({
    card: cardName(schemes, type),
    names: otherAttributeNames(schemes, type, all),
  }))
}
