/** Registration at the keyshare server of a scheme (spec/interface#4.5, spec/keyshare-server#2.2, #4.1, #5). The device key signs its own registration. A session then
 *  issues the login credential; the server itself co-signs its proofs. @module */
import {
  type AttributeTypeId,
  credentialTypeOf,
  parseAttributeTypeId,
  type SchemeId,
} from '../../../protocol/ids.ts'
import type { Scheme } from '../../../schemes/types.ts'
import { type ActionOutcome, endingOf, SessionError } from '../failure.ts'
import type { SessionPointer } from '../pointer.ts'
import {
  answerKeyshareSession,
  type ConsentQuestion,
  type SessionDeps,
  type SessionHandlers,
} from '../session.ts'
import type { KeyshareAccount } from './account.ts'
import { readPointerAnswer } from './answers.ts'
import { keyshareCalls } from './calls.ts'
import { coSign } from './co-sign.ts'
import { createDevice, type Device } from './device.ts'
import { type SessionKeyshares, serversOf } from './session-keyshares.ts'

/** Minimum number of characters of a PIN. */
const MIN_PIN_CHARACTERS = 5

export type Registration = {
  /** secret */
  readonly pin: string
  /** address for mails of the server; empty: none */
  readonly email: string
  /** language of these mails, such as `en`; empty: the server chooses */
  readonly language: string
}

export type RegisterDeps = SessionDeps & { readonly signal?: AbortSignal }

/** Registers. On success, the wallet has both an account and its login credential, which are stored together. On failure before that it has neither.
 *  @throws {WalletError} if the folder of the wallet cannot be written */
export function register(
  deps: RegisterDeps,
  scheme: SchemeId,
  registration: Registration,
): Promise<ActionOutcome> {
  return endingOf(async () => {
    const known = keyshareScheme(deps, scheme)
    if (deps.wallet.accounts().some(account => account.scheme === scheme))
      throw new SessionError('already-registered', `this wallet has an account of ${scheme} already`)
    requireLength(registration.pin)
    const { developerMode, dir } = deps.wallet
    const calls = keyshareCalls(known, { ...deps, developerMode })
    const device = await createDevice(dir, scheme, deps.randomBytes)
    const enrollment_jwt = device.jwt(claimsOf(device, registration))
    const pointer = readPointerAnswer(await calls.post('/client/register', { enrollment_jwt }))
    let isRegistered = false
    try {
      await receiveLogin(deps, known, pointer, registration.pin)
      isRegistered = true
    } finally {
      if (!isRegistered) deps.wallet.tokens.delete(scheme) // token of an account that this wallet will not use
    }
  })
}

/** @throws {SessionError} `short-pin` */
export function requireLength(pin: string): void {
  if ([...pin].length < MIN_PIN_CHARACTERS)
    throw new SessionError('short-pin', `PIN: expected at least ${MIN_PIN_CHARACTERS} characters, got fewer`)
}

/** @throws {SessionError} `not-registered`, if the scheme has no keyshare server */
export function keyshareScheme({ wallet }: Pick<SessionDeps, 'wallet'>, id: SchemeId): Scheme {
  const scheme = wallet.schemes.scheme(id)
  if (!scheme?.keyshareServer)
    throw new SessionError('not-registered', `${id}: expected a scheme with a keyshare server`)
  return scheme
}

function claimsOf(device: Device, { pin, email, language }: Registration): object {
  return {
    pin: device.pinValue(pin),
    ...(email !== '' && { email }),
    ...(language !== '' && { language }),
    publickey: device.publicKey,
  }
}

/** Runs the session that issues the login credential. Only its request contains the user name. */
async function receiveLogin(
  deps: RegisterDeps,
  scheme: Scheme,
  pointer: SessionPointer,
  pin: string,
): Promise<void> {
  let account: KeyshareAccount | null = null
  const keyshares: SessionKeyshares = {
    check: () => undefined,
    finish: prepare => coSign(prepare, draft => serversOf(draft, deps, () => account), once(pin)),
    registered: () => account,
  }
  await answerLoginSession(deps, pointer, keyshares, question => {
    const userName = userNameIn(question, scheme)
    if (question.candidates.items.length > 0) throw unexpected('no attribute is asked for')
    account = { scheme: scheme.id, userName, profile: pointer.profile.name, isOutOfSync: false }
  })
}

function once(pin: string): () => Promise<string> {
  let isAsked = false
  return async () => {
    if (isAsked) throw unexpected('the PIN that was just set is right')
    isAsked = true
    return pin
  }
}

/** Runs a session of the keyshare server for the login credential. The user is not asked, so the session may contain nothing else.
 *  @param check an error that it throws ends the session
 *  @throws {SessionError} unless it succeeds */
export async function answerLoginSession(
  deps: RegisterDeps,
  pointer: SessionPointer,
  keyshares: SessionKeyshares,
  check: (question: ConsentQuestion) => void,
): Promise<void> {
  let isAsked = false
  const handlers: SessionHandlers = {
    ...(deps.signal && { signal: deps.signal }),
    pairing: () => {
      throw unexpected('there is no pairing')
    },
    consent: async question => {
      if (isAsked) throw unexpected('no session follows')
      isAsked = true
      if (question.request.clientReturnUrl !== '') throw unexpected('there is no return URL')
      check(question)
      return { answer: 'disclose', choices: question.candidates.items.map(() => 0) }
    },
  }
  const outcome = await answerKeyshareSession(deps, pointer, handlers, keyshares)
  if (outcome.status === 'failed') throw new SessionError(outcome.reason, outcome.message, outcome)
  if (outcome.status === 'cancelled') throw unexpected('it can be answered')
}

/** @returns the value of the login credential
 *  @throws {SessionError} unless the session offers this credential and nothing else */
export function userNameIn(question: ConsentQuestion, { keyshareAttribute }: Scheme): string {
  if (question.kind !== 'issuing' || keyshareAttribute === '')
    throw unexpected('the login credential is issued')
  const [credential, ...others] = question.credentials
  const [attribute, ...more] = credential?.attributes ?? []
  const isLogin = credential?.type === credentialTypeOf(loginAttribute(keyshareAttribute))
  const isAlone = others.length === 0 && more.length === 0 && attribute?.id === keyshareAttribute
  if (!isLogin || !isAlone || !attribute.value) throw unexpected('the login credential alone is issued')
  return attribute.value
}

/** @param text from a verified scheme */
export function loginAttribute(text: string): AttributeTypeId {
  return parseAttributeTypeId(text)
}

function unexpected(rule: string): SessionError {
  return new SessionError('malformed-answer', `session of the keyshare server: expected that ${rule}`)
}
