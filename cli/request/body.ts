/** What a requestor sends to `POST /session` (spec 4.1) and the like, from flags: a request in JSON, with a token or without, or a signed one. @module */
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

/** @param flags.request a whole request in JSON, of any form, in place of the flags that build one */
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

/** What is asked for, in the way in which the requestor is known.
 *  @param forms made when they are needed */
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

/** The request that the flags describe, held against the installed schemes. */
export async function requestOf(flags: RequestFlags): Promise<BuiltRequest> {
  const { loadSchemes } = await import('../../schemes/load.ts')
  const schemes = await loadSchemes(schemesOfCommand(flags.schemesPath))
  return buildRequest(flags, PROFILES[flags.profile].contextBase, schemes)
}

/** In a JWT there is only the form with options around it.
 *  @throws {InvalidRequest} */
function wrapped(text: string, profile: Profile): BuiltRequest {
  const { type } = parseSessionRequestText(text, profile).request
  const json: object = JSON.parse(text) // an object, as just parsed
  return {
    type,
    extended:
      'request' in json && isObject(json.request) ? { ...json, request: json.request } : { request: json },
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
