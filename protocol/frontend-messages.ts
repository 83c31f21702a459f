/** Messages between a frontend and the server (spec/interface#2.10, #4.4). @module */
import { contextOf } from './contexts.ts'
import { MalformedInputError, UnexpectedRequestError } from './errors.ts'
import type { Profile } from './profiles.ts'
import type { SessionPointer } from './session-package.ts'
import { mapShapeErrors, readObject, readString, readText } from './shape.ts'

/** Maximum number of JSON values in frontend options: three are known, others are ignored. */
const MAX_VALUES = 64

/** The pairing that a frontend requests. `unchanged`: it only reads the options. */
export type PairingChoice = 'none' | 'pin' | 'unchanged'

/** Reads the body of `frontend/options`.
 *  @throws {MalformedInputError} if it is not JSON or not a frontend options request
 *  @throws {UnexpectedRequestError} for an unknown pairing method */
export function parseFrontendOptions(
  text: string,
  { missingPairingMethod, contextBase }: Pick<Profile, 'missingPairingMethod' | 'contextBase'>,
): PairingChoice {
  return mapShapeErrors(MalformedInputError, () => {
    const json = readObject(readText(text, { maxValues: MAX_VALUES }), 'frontend options')
    const context = contextOf(contextBase, 'frontendOptions')
    if (readString(json['@context'], '@context') !== context)
      throw new MalformedInputError(`Not a frontend options request: expected the @context "${context}"`)
    const method = readString(json.pairingMethod, 'pairingMethod')
    if (method === '') return missingPairingMethod
    if (method !== 'none' && method !== 'pin')
      throw new UnexpectedRequestError('Pairing method unknown: expected "none" or "pin"')
    return method
  })
}

export type SessionOptions = {
  readonly '@context': string
  readonly pairingMethod: 'none' | 'pin'
  readonly pairingCode?: string
}

/** The options of a session, for its frontend. The client session request contains them for the wallet app.
 *  @param pairingCode four digits, secret; null: pairing is off */
export function sessionOptions(contextBase: string, pairingCode: string | null): SessionOptions {
  const context = { '@context': contextOf(contextBase, 'options') }
  if (pairingCode === null) return { ...context, pairingMethod: 'none' }
  return { ...context, pairingMethod: 'pin', pairingCode }
}

export type FrontendStatus = { readonly status: string; readonly nextSession?: SessionPointer }

/** @param nextSession the following session, once this one is `DONE` */
export function frontendStatus(status: string, nextSession?: SessionPointer): FrontendStatus {
  return { status, ...(nextSession && { nextSession }) }
}
