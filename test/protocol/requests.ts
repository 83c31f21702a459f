/** Helpers for the tests of session requests. @module */
import * as assert from 'uvu/assert'
import { InvalidRequestError } from '../../protocol/errors.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { PROFILES, type Profile } from '../../protocol/profiles.ts'
import { parseSessionRequest } from '../../protocol/request.ts'

export const SVC = PROFILES.svc
export const CONTEXT = 'https://svc.example/ld/request'
export const OVER18 = 'svc-demo.gov.idcard.over18'
export const INITIALS = 'svc-demo.gov.idcard.initials'
export const CITY = 'svc-demo.gov.address.city'
export const STREET = 'svc-demo.gov.address.street'

export function disclosure(members: { readonly [name: string]: JsonValue }): {
  readonly [name: string]: JsonValue
} {
  return { '@context': `${CONTEXT}/disclosure/v2`, disclose: [[[OVER18]]], ...members }
}

export function refused(json: JsonValue, message: RegExp | string, profile: Profile = SVC): void {
  assert.throws(
    () => parseSessionRequest(json, profile),
    (error: Error) =>
      error instanceof InvalidRequestError &&
      (typeof message === 'string' ? error.message === message : message.test(error.message)),
    String(message),
  )
}
