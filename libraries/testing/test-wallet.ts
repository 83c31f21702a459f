/** A wallet app without a phone, for tests of a web site. A test chooses its credentials and its user's answers. @module */

import type { MovableClock } from '../../ports/movable-clock.ts'
import { attributeNameOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import type { Schemes } from '../../schemes/types.ts'
import type { Choices } from '../wallet/proofs.ts'
import type { SdJwtBatchView } from '../wallet/sd-jwt/batches.ts'
import {
  answerSession,
  type ConsentQuestion,
  type SessionDeps,
  type SessionOutcome,
} from '../wallet/session.ts'
import type { CredentialView, Wallet } from '../wallet/wallet.ts'
import { fetchWithFault, PHONE_FAULTS, type PhoneFault } from './faults.ts'
import {
  checkMembers,
  DATE,
  DURATION,
  FLAG,
  FUNCTION,
  type Kinds,
  NUMBERS,
  oneOf,
  RECORD,
  TEXT,
} from './members.ts'
import type { HeldCredential } from './sign-credentials.ts'

/** Values by attribute name. Optional attributes may be left out. */
export type TestAttributes = Readonly<Record<string, string>>

export type TestCredential = {
  readonly type: string
  readonly attributes: TestAttributes
  /** left out: now */
  readonly signedAt?: Date
  /** left out: five years after `signedAt` */
  readonly expiresAt?: Date
}

export type TestWalletOptions = {
  /** By credential type, or a list if one type occurs several times or dates matter. Left out: none. */
  readonly credentials?: Readonly<Record<string, TestAttributes>> | readonly TestCredential[]
}

export type AnswerOptions = {
  /** the index of the candidate for each item of the request, in order; left out: the first candidate of each */
  readonly choose?: Choices | ((question: ConsentQuestion) => Choices)
  /** the user refuses */
  readonly decline?: boolean
  /** called with the pairing code, which the user types into the page */
  readonly pairingCode?: (code: string) => void
  /** time that the user takes to decide: the kit's clock advances by it before the answer */
  readonly hesitateMs?: number
  /** fault of this phone; left out: none */
  readonly fault?: PhoneFault
}

const WALLET_OPTIONS: Kinds<keyof TestWalletOptions> = { credentials: RECORD }
const CREDENTIAL: Kinds<keyof TestCredential> = {
  type: TEXT,
  attributes: RECORD,
  signedAt: DATE,
  expiresAt: DATE,
}
const ANSWER_OPTIONS: Kinds<keyof AnswerOptions> = {
  choose: NUMBERS,
  decline: FLAG,
  pairingCode: FUNCTION,
  hesitateMs: DURATION,
  fault: oneOf(PHONE_FAULTS),
}

export type TestWallet = {
  /** Answers a session and those chained to it. The wallet refuses a request that it has no credentials for.
   *  @param sessionPtr the session pointer that the site passes to its page: an object, or the text of a QR code or a link
   *  @throws {Error} for an unknown option and for an option of another kind */
  answer(sessionPtr: object | string, options?: AnswerOptions): Promise<SessionOutcome>
  /** All credentials, those that the site issued included; oldest first. */
  credentials(): readonly CredentialView[]
  /** The SD-JWTs that the site issued, by type and values; oldest first. The wallet verified them, and accepts every issuer. */
  sdJwts(): readonly SdJwtBatchView[]
}

export function testWallet(
  wallet: Wallet,
  deps: Omit<SessionDeps, 'wallet' | 'clock'> & { readonly clock: MovableClock },
): TestWallet {
  return {
    credentials: () => wallet.credentials(),
    sdJwts: () => wallet.sdJwts.list(),
    async answer(sessionPtr, options = {}) {
      checkMembers('options of answer', options, ANSWER_OPTIONS)
      const { choose, decline = false, pairingCode, hesitateMs = 0, fault } = options
      const pointer =
        typeof sessionPtr === 'string' ? sessionPtr : encodeURIComponent(JSON.stringify(sessionPtr))
      const phone = { ...deps, wallet, fetch: fetchWithFault(deps.fetch, fault) }
      return answerSession(phone, pointer, {
        ...(pairingCode && { pairing: pairingCode }),
        async consent(question) {
          deps.clock.advance(hesitateMs)
          if (decline || !question.candidates.isSatisfiable) return { answer: 'refuse' }
          return { answer: 'disclose', choices: choicesOf(question, choose) }
        },
      })
    },
  }
}

function choicesOf(question: ConsentQuestion, choose: AnswerOptions['choose']): Choices {
  if (typeof choose === 'function') return choose(question)
  return choose ?? question.candidates.items.map(() => 0)
}

/** @throws {Error} for an unknown type, attribute or member, for a missing attribute, and for a member of another kind */
export function heldCredentials(
  options: TestWalletOptions,
  schemes: Schemes,
  nowMs: number,
): HeldCredential[] {
  checkMembers('options of wallet', options, WALLET_OPTIONS)
  const { credentials = [] } = options
  const listed: readonly TestCredential[] = isList(credentials)
    ? credentials
    : Object.entries(credentials).map(([type, attributes]) => ({ type, attributes }))
  return listed.map(credential => {
    const { type, attributes, signedAt, expiresAt } = credential
    checkMembers(`credentials: ${type}`, credential, CREDENTIAL)
    if (expiresAt && expiresAt.getTime() < (signedAt?.getTime() ?? nowMs))
      throw new Error(
        `${type}: expected signedAt before expiresAt, got ${signedAt ? 'one after it' : 'none, which is now'}`,
      )
    checkAttributes(type, attributes, schemes)
    return {
      type,
      attributes,
      ...(signedAt && { signedAtSec: secondOf(signedAt) }),
      ...(expiresAt && { expiresAtSec: secondOf(expiresAt) }),
    }
  })
}

function isList(
  credentials: NonNullable<TestWalletOptions['credentials']>,
): credentials is readonly TestCredential[] {
  return Array.isArray(credentials)
}

function secondOf(date: Date): number {
  return Math.floor(date.getTime() / 1_000)
}

function checkAttributes(type: string, attributes: TestAttributes, schemes: Schemes): void {
  const known = schemes.credentialType(parseCredentialTypeId(type))?.attributes
  if (known === undefined)
    throw new Error(
      `${type}: expected a credential type of the kit's schemes; credentialTypes of startTestKit makes one`,
    )
  const names = known.filter(({ isRevocation }) => !isRevocation).map(({ id }) => attributeNameOf(id))
  const unknown = Object.keys(attributes).find(name => !names.includes(name))
  if (unknown !== undefined)
    throw new Error(`${type}: expected attributes of ${names.join(', ')}, got ${JSON.stringify(unknown)}`)
  const isNeeded = ({ isOptional, isRandomBlind, isRevocation }: (typeof known)[number]): boolean =>
    !isOptional && !isRandomBlind && !isRevocation
  const notText = Object.entries(attributes).find(([, value]) => typeof value !== 'string')
  if (notText) throw new Error(`${type}: expected a text for ${notText[0]}, got ${typeof notText[1]}`)
  const missing = known
    .filter(isNeeded)
    .map(({ id }) => attributeNameOf(id))
    .find(name => attributes[name] === undefined)
  if (missing !== undefined) throw new Error(`${type}: expected a value of ${missing}, got none`)
}
