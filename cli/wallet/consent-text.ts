/** The text of a consent screen: the requestor, the message to sign or the credentials to receive, and the attributes to disclose. Texts of a server are escaped,
 *  so that they cannot control the terminal or change the direction of other text. @module */
import type { Candidate, ItemCandidates, UnprovableInstance } from '../../libraries/wallet/candidates.ts'
import type { OfferedCredential } from '../../libraries/wallet/offers.ts'
import type { ConsentQuestion } from '../../libraries/wallet/session.ts'

/** Control characters, and those that change the direction of a text. */
const CONTROLS = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

export function linesOf(question: ConsentQuestion): string[] {
  const { requestorHost, candidates, request } = question
  const asked = candidates.items.flatMap((item, i) => itemLines(i, item, i >= request.disclose.length))
  switch (question.kind) {
    case 'disclosing':
      return [`${requestorHost} asks:`, ...asked]
    case 'signing':
      return [
        `${requestorHost} asks you to sign this:`,
        ...question.message.split(/\r?\n/).map(line => `   | ${plain(line)}`),
        ...(asked.length > 0 ? ['together with:', ...asked] : []),
      ]
    case 'issuing':
      return [
        `${requestorHost} offers:`,
        ...question.credentials.flatMap(offerLines),
        ...(asked.length > 0 ? ['and asks:', ...asked] : []),
      ]
  }
}

/** The verb in the last question of a session. */
export function agreementOf({ kind }: ConsentQuestion): string {
  return { disclosing: 'Disclose', signing: 'Sign', issuing: 'Receive' }[kind]
}

/** The line printed after a successful session. */
export function successOf(question: ConsentQuestion): string {
  switch (question.kind) {
    case 'disclosing':
      return 'Disclosed: the proofs are valid.'
    case 'signing':
      return 'Signed: the signature is valid.'
    case 'issuing':
      return `Received: ${question.credentials.map(({ type }) => type).join(', ')}.`
  }
}

function itemLines(
  index: number,
  { candidates, missing, unprovable }: ItemCandidates,
  isRepeated: boolean,
): string[] {
  const again = isRepeated ? ' (again, as in the session before)' : ''
  const choices = candidates.map((candidate, number) => `   ${number + 1}) ${inWords(candidate)}`)
  const lacking = candidates.length > 0 ? [] : missing.map(ids => `   missing: ${ids.join(', ')}`)
  const refused = unprovable.map(
    ({ credential, type, reason }) => `   not ${type} (${credential}): ${WHY[reason]}`,
  )
  return [`${index + 1}.${again}`, ...choices, ...lacking, ...refused]
}

const WHY: Readonly<Record<UnprovableInstance['reason'], string>> = {
  revoked: 'it has been revoked',
  'no-witness': 'it was issued without the data that proves that it is not revoked',
  outdated: 'no server could say whether it has been revoked',
}

function inWords({ attributes }: Candidate): string {
  if (attributes.length === 0) return 'nothing'
  return attributes.map(({ id, value }) => `${id} = ${value === null ? '(none)' : plain(value)}`).join(', ')
}

function offerLines(offer: OfferedCredential): string[] {
  const { type, attributes, expiresAtSec, isRevocable, sdJwts } = offer
  const beside = sdJwts === undefined ? '' : `, with ${sdJwts} SD-JWTs`
  const expires = new Date(expiresAtSec * 1000).toISOString().slice(0, 10)
  const values = attributes.map(({ id, value, isRandomBlind }) => {
    const shown = value === null ? '(none)' : plain(value)
    return `     ${id.slice(type.length + 1)}: ${isRandomBlind ? '(a random number that neither side chooses)' : shown}`
  })
  return [
    `   ${type}, expires ${expires}${isRevocable ? ', its issuer can revoke it' : ''}${beside}`,
    ...values,
  ]
}

function plain(text: string): string {
  return text.replace(CONTROLS, '\uFFFD')
}
