/** Session pointers: what a QR code or a link says (spec 2.2, schemes-and-cli note 18). It comes from anywhere, so nothing in it is
 *  trusted: it only says where to ask. @module */
import { readJson } from '../protocol/json.ts'
import { PROFILES, type Profile } from '../protocol/profiles.ts'
import type { SessionType } from '../protocol/request.ts'
import { withoutSlashesAtEnd } from '../protocol/text-scanning.ts'
import { SessionFailure } from './failure.ts'

export type SessionPointer = PointerAddress & { readonly type: SessionType }

/** The pointer of a static session: it is printed once, and a session begins when an app asks there for its pointer. */
export type StaticPointer = PointerAddress & { readonly type: 'redirect' }

export type PointerAddress = {
  /** absolute, http or https, without a slash at the end, a query or a fragment */
  readonly u: string
  /** host of `u`, with its port unless that is the usual one */
  readonly host: string
  readonly isPlainHttp: boolean
  /** known by the name of the member that holds the type */
  readonly profile: Profile
}

const TYPES: readonly string[] = ['disclosing', 'signing', 'issuing'] satisfies SessionType[]
const STATIC = 'redirect' satisfies StaticPointer['type']
/** The links that may stand around the percent-encoded JSON; the brand in them says nothing. */
const LINKS = [
  /^[a-z][a-z0-9+.-]*:\/\/qr\/json\/(?<json>[^#]*)(?:#.*)?$/i,
  /^https:\/\/[^/?#]+\/-(?:pilot)?\/session#(?<json>.*)$/i,
]
/** The longest text of a pointer, and the longest address in one, whoever sent it. */
const MAX_LENGTH = 10_000

/** What a QR code or a link says.
 *  @throws {SessionFailure} `invalid-pointer`, for anything that a wallet cannot follow */
export function parseSessionPointer(text: string): SessionPointer | StaticPointer {
  if (text.length > MAX_LENGTH) throw invalid(`expected at most ${MAX_LENGTH} characters`)
  const { type, ...address } = readPointer(readPointerJson(decode(text.trim())))
  return type === STATIC ? { ...address, type } : toSession(type, address)
}

/** A pointer that a server sent as JSON: the session before it in a chain, or the static session before it. The same rules go for it,
 *  but that it must lead to a session: one to a static session is refused.
 *  @throws {SessionFailure} `invalid-pointer` */
export function readSessionPointer(value: unknown): SessionPointer {
  const { type, ...address } = readPointer(value)
  return toSession(type, address)
}

function toSession(type: unknown, address: PointerAddress): SessionPointer {
  if (!isSessionType(type)) throw invalid(`expected a session type of ${TYPES.join(', ')}`)
  return { ...address, type }
}

function readPointer(value: unknown): PointerAddress & { readonly type: unknown } {
  const json = readMembers(value)
  const profiles = Object.values(PROFILES).filter(({ pointerField }) => json[pointerField] !== undefined)
  const [profile] = profiles
  if (!profile || profiles.length > 1) throw invalid('expected a member "svcqr" or "irmaqr"')
  return { ...parseAddress(json.u), type: json[profile.pointerField], profile }
}

/** @throws {SessionFailure} `insecure`, for plain HTTP without developer mode */
export function refuseInsecure(
  { host, isPlainHttp }: PointerAddress,
  { developerMode }: { readonly developerMode: boolean },
): void {
  if (isPlainHttp && !developerMode)
    throw new SessionFailure('insecure', `${host}: plain HTTP needs developer mode`)
}

function invalid(expected: string): SessionFailure {
  return new SessionFailure('invalid-pointer', `session pointer: ${expected}`)
}

function isSessionType(value: unknown): value is SessionType {
  return typeof value === 'string' && TYPES.includes(value)
}

function decode(text: string): string {
  const encoded = LINKS.map(link => link.exec(text)?.groups?.json).find(json => json !== undefined) ?? text
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw invalid('expected percent-encoded text') // a bare pointer is decoded too: a "%" in it stands as %25
  }
}

function readPointerJson(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    throw invalid('expected JSON or a link around it')
  }
}

function readMembers(json: unknown): { readonly [name: string]: unknown } {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw invalid('expected a JSON object')
  return { ...json }
}

function parseAddress(u: unknown): Omit<PointerAddress, 'profile'> {
  if (typeof u === 'string' && u.length > MAX_LENGTH)
    throw invalid(`expected at most ${MAX_LENGTH} characters in "u"`)
  const url = typeof u === 'string' && URL.canParse(u) ? new URL(u) : null
  const isUsable =
    url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
  if (!isUsable) throw invalid('expected an absolute http or https address in "u"')
  return { u: withoutSlashesAtEnd(url.href), host: url.host, isPlainHttp: url.protocol === 'http:' }
}
