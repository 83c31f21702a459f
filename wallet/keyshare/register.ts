/** Registering at the keyshare server of a scheme (spec 4.5, `spec/keyshare-server.md` 2.2, 4.1, 5): a device key that signs its own registration, then the session that
 *  issues the login credential, of which the server itself co-signs the proofs. @module */
import {
  type AttributeTypeId,
  credentialTypeOf,
  parseAttributeTypeId,
  type SchemeId,
} from '../../protocol/ids.ts'
import type { Scheme } from '../../schemes/types.ts'
import { type Ending, endingOf, SessionFailure } from '../failure.ts'
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

/** The fewest characters of a PIN. */
const MIN_PIN_CHARACTERS = 5

export type Registration = {
  /** secret */
  readonly pin: string
  /** where the server sends what its user must know; empty: nowhere */
  readonly email: string
  /** the language of its mails, `en` for instance; empty: the server chooses */
  readonly language: string
}

export type RegisterDeps = SessionDeps & { readonly signal?: AbortSignal }

/** The wallet has an account and its login credential when this succeeds, and neither when it fails before the credential is received: they are stored together.
 *  @throws {WalletError} if the folder of the wallet cannot be written */
export function register(deps: RegisterDeps, scheme: SchemeId, registration: Registration): Promise<Ending> {
  return endingOf(async () => {
    const known = keyshareScheme(deps, scheme)
    if (deps.wallet.accounts().some(account => account.scheme === scheme))
      throw new SessionFailure('already-registered', `this wallet has an account of ${scheme} already`)
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
      if (!isRegistered) deps.wallet.tokens.delete(scheme) // of an account that this wallet will not use
    }
  })
}

/** @throws {SessionFailure} `short-pin` */
export function requireLength(pin: string): void {
  if ([...pin].length < MIN_PIN_CHARACTERS)
    throw new SessionFailure(
      'short-pin',
      `PIN: expected at least ${MIN_PIN_CHARACTERS} characters, got fewer`,
    )
}

/** @throws {SessionFailure} `not-registered`: nobody can be */
export function keyshareScheme({ wallet }: Pick<SessionDeps, 'wallet'>, id: SchemeId): Scheme {
  const scheme = wallet.schemes.scheme(id)
  if (!scheme?.keyshareServer)
    throw new SessionFailure('not-registered', `${id}: expected a scheme with a keyshare server`)
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

/** The user name is known from the request of this session alone. */
async function receiveLogin(
  deps: RegisterDeps,
  scheme: Scheme,
  pointer: SessionPointer,
  pin: string,
): Promise<void> {
  let account: KeyshareAccount | null = null
  const keyshares: SessionKeyshares = {
    check: () => undefined,
    finish: (draft, nonce) =>
      coSign(
        draft,
        nonce,
        serversOf(draft, deps, () => account),
        once(pin),
      ),
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

/** A session of the keyshare server about the login credential: the user is not asked, so that it may have nothing else.
 *  @param check what it throws ends the session
 *  @throws {SessionFailure} unless it succeeds */
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
  if (outcome.status === 'failed') throw new SessionFailure(outcome.reason, outcome.message, outcome)
  if (outcome.status === 'cancelled') throw unexpected('it can be answered')
}

/** @returns the value of the login credential that is offered, and nothing else is
 *  @throws {SessionFailure} */
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

/** @param text of a scheme that was verified */
export function loginAttribute(text: string): AttributeTypeId {
  return parseAttributeTypeId(text)
}

function unexpected(rule: string): SessionFailure {
  return new SessionFailure('malformed-answer', `session of the keyshare server: expected that ${rule}`)
}
