/** The body for `POST /session` (spec/interface#4.1) and similar endpoints, from flags: JSON with or without a token, or a signed JWT. @module */
import { createSystemClock } from '../../ports/clock.ts'
import { PROFILES, type Profile } from '../../protocol/profiles.ts'
import { parseSessionRequestText } from '../../protocol/request.ts'
import { schemesOfCommand } from '../../server/files/schemes-folder.ts'
import { tokenOf } from '../../server/settings/keys.ts'
import { type BuiltRequest, buildRequest } from './build.ts'
import type { AuthFlags, RequestFlags } from './flags.ts'
import { keyOf, type Signer, signRequest } from './sign.ts'

export type RequestBody = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** @param flags.request a complete request in JSON, of any form, instead of the flags that build one */
export function requestBody(flags: RequestFlags & { readonly request?: string }): Promise<RequestBody> {
  const { request, profile } = flags
  return authenticatedBody(flags, {
    plain: async () => request ?? JSON.stringify((await requestOf(flags)).extended),
    signed: async (signer, nowSec) =>
      signRequest(
        request === undefined ? await requestOf(flags) : wrapped(request, PROFILES[profile]),
        signer,
        nowSec,
      ),
  })
}

/** The body in the form that the method of authentication requires.
 *  @param forms functions that create the body; only the required one is called */
export async function authenticatedBody(
  flags: AuthFlags,
  forms: {
    readonly plain: () => Promise<string>
    readonly signed: (signer: Signer, nowSec: number) => Promise<string>
  },
): Promise<RequestBody> {
  const { authMethod: method, name = '' } = flags
  if (method === 'hmac' || method === 'rsa') {
    const nowSec = Math.floor(createSystemClock().wallNow() / 1_000)
    const body = await forms.signed({ method, key: keyOf(flags), name }, nowSec)
    return { headers: { 'content-type': 'text/plain' }, body }
  }
  const { text, place } = keyOf(flags)
  const authorization = method === 'token' && { authorization: tokenOf(place, text) }
  return { headers: { 'content-type': 'application/json', ...authorization }, body: await forms.plain() }
}

/** Builds the request from the flags. Ids are checked against the installed schemes. */
export async function requestOf(flags: RequestFlags): Promise<BuiltRequest> {
  const { loadSchemes } = await import('../../schemes/load.ts')
  const schemes = await loadSchemes(schemesOfCommand(flags.schemesPath))
  return buildRequest(flags, PROFILES[flags.profile].contextBase, schemes)
}

/** Converts a request to the extended form, because a JWT contains only that form.
 *  @throws {InvalidRequestError} */
function wrapped(text: string, profile: Profile): BuiltRequest {
  const { type } = parseSessionRequestText(text, profile).request
  const json: object = JSON.parse(text) // an object, because it was parsed above
  return {
    type,
    extended:
      'request' in json && isObject(json.request) ? { ...json, request: json.request } : { request: json },
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
