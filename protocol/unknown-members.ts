/** Members of a session request that nobody reads (spec 2.3, 2.6): unknown members are ignored, so that a name which is misspelt, or stands in the wrong
 *  object, changes nothing and shows nowhere. Their names are for a log. @module */
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
/** The members of requests of every type and form; the last line is accepted from whoever sends it, and overwritten. */
const REQUEST = [
  ...['@context', 'disclose', 'labels', 'skipExpiryCheck', 'revocation', 'message', 'credentials'],
  ...['clientReturnUrl', 'augmentReturnUrl', 'host', 'type', 'content'],
  ...['context', 'nonce', 'protocolVersion', 'devMode'],
]

/** A session request, and the names of its members that nobody reads. */
export type AskedSession = { readonly extended: ExtendedRequest; readonly unknown: readonly string[] }

/** @throws {InvalidRequest} as `parseSessionRequestText` */
export function askedSession(text: string, profile: Profile): AskedSession {
  const json = readSessionRequestText(text)
  return { extended: parseAskedRequest(json, profile), unknown: unknownMembers(json) }
}

/** @param json a session request that was read without error, extended or plain
 *  @returns names with those of the objects around them: `timout`, `request.timeout` */
export function unknownMembers(json: JsonValue): string[] {
  if (!isObject(json)) return []
  const { request, nextSession } = json
  if (isBare(json) || !isObject(request)) return othersIn(json, REQUEST)
  return [
    ...othersIn(json, EXTENDED_MEMBERS),
    ...othersIn(isObject(nextSession) ? nextSession : {}, NEXT_SESSION, 'nextSession.'),
    ...othersIn(request, REQUEST, 'request.'),
  ]
}

function othersIn(json: JsonObject, known: readonly string[], prefix = ''): string[] {
  return Object.keys(json)
    .filter(name => !known.includes(name))
    .map(name => prefix + name)
}
