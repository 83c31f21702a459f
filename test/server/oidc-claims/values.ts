/** Options of sign-in for tests, and how they are read. @module */
import { loadSchemes } from '../../../schemes/load.ts'
import type { Schemes } from '../../../schemes/types.ts'
import { readSignIn, type SignInSettings } from '../../../server/settings/oidc/read-sign-in.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { refused as refusedSettings } from '../refused.ts'

export const schemes = await loadSchemes(DEMO_SCHEMES)
export const CARD = 'svc-demo.gov.idcard'
export const SECRET = 'a secret of at least thirty-two letters'

export const CLIENT = {
  client_id: 'shop',
  redirect_uris: ['https://shop.example/back'],
  client_secret: SECRET,
}

export type SignInOptions = {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly scopes?: Readonly<Record<string, unknown>>
  readonly acr_values?: readonly string[]
  readonly subject?: unknown
  readonly verified_claims?: boolean
  readonly clients?: readonly unknown[]
  readonly production?: boolean
  readonly schemes?: Schemes
}

export function read({
  production = false,
  schemes: others = schemes,
  ...given
}: SignInOptions): SignInSettings {
  const options = {
    claims: {},
    scopes: {},
    acr_values: [],
    subject: 'random',
    verified_claims: false,
    clients: [CLIENT],
    ...given,
  }
  return readSignIn(options, { schemes: others, production })
}

/** @param message the whole text of the error, or a pattern that it matches */
export function refused(given: SignInOptions, message: string | RegExp): void {
  refusedSettings(() => read(given), message)
}
