/** Finds members of a session request that are ignored (spec/interface#2.3, #2.6). A member with a misspelt name, or in the wrong object, has no effect and causes no
 *  error. These names are logged. @module */
import type { JsonValue } from './json.ts'
import type { Profile } from './profiles.ts'
import {
  EXTENDED_MEMBERS,
  type ExtendedRequest,
  isBare,
  parseAskedRequest,
  readSessionRequestText,
} from './request.ts'
import { isObject, type JsonObject } from './shape.ts'

const NEXT_SESSION = ['url']
/** The members of requests of every type and form. Those of the last line are accepted from any sender, and overwritten. */
export const REQUEST_MEMBERS = [
  '@context',
  'disclose',
  'labels',
  'skipExpiryCheck',
  'revocation',
  'message',
  'credentials',
  'clientReturnUrl',
  'augmentReturnUrl',
  'host',
  'type',
  'content',
  'context',
  'nonce',
  'protocolVersion',
  'devMode',
]

/** A session request, and the names of its ignored members. */
export type AskedSession = { readonly extended: ExtendedRequest; readonly unknown: readonly string[] }

/** @throws {InvalidRequestError} as `parseSessionRequestText` */
export function askedSession(text: string, profile: Profile): AskedSession {
  const json = readSessionRequestText(text)
  return { extended: parseAskedRequest(json, profile), unknown: unknownMembers(json) }
}

/** @param json a session request that was parsed without error, extended or plain
 *  @returns names with their parent objects: `timout`, `request.timeout` */
export function unknownMembers(json: JsonValue): string[] {
  if (!isObject(json)) return []
  const { request, nextSession } = json
  if (isBare(json) || !isObject(request)) return othersIn(json, REQUEST_MEMBERS)
  return [
    ...othersIn(json, EXTENDED_MEMBERS),
    ...othersIn(isObject(nextSession) ? nextSession : {}, NEXT_SESSION, 'nextSession.'),
    ...othersIn(request, REQUEST_MEMBERS, 'request.'),
  ]
}

function othersIn(json: JsonObject, known: readonly string[], prefix = ''): string[] {
  return Object.keys(json)
    .filter(name => !known.includes(name))
    .map(name => prefix + name)
}
