/** Session pointers, from a QR code or a link (spec/interface#2.2, spec/schemes-and-cli#18). Their source is unknown, so no part of them is trusted: they only contain
 *  the address to call. @module */
import { parseUrl } from '../../ports/parse-url.ts'
import { readJson } from '../../protocol/json.ts'
import { PROFILES, type Profile } from '../../protocol/profiles.ts'
import type { SessionType } from '../../protocol/request.ts'
import { withoutSlashesAtEnd } from '../../protocol/text-scanning.ts'
import { SessionError } from './failure.ts'

export type SessionPointer = PointerAddress & { readonly type: SessionType }

/** The pointer of a static session. It is printed once; an app that calls it starts a session and gets its pointer. */
export type StaticPointer = PointerAddress & { readonly type: 'redirect' }

export type PointerAddress = {
  /** absolute, http or https, without a slash at the end, a query or a fragment */
  readonly u: string
  /** host of `u`, with its port unless it is the default one */
  readonly host: string
  readonly isPlainHttp: boolean
  /** determined by the name of the member that contains the type */
  readonly profile: Profile
}

const TYPES: readonly string[] = ['disclosing', 'signing', 'issuing'] satisfies SessionType[]
const STATIC = 'redirect' satisfies StaticPointer['type']
/** Links that contain the pointer as percent-encoded JSON. The brand in them is ignored. */
const LINKS = [
  /^[a-z][a-z0-9+.-]*:\/\/qr\/json\/(?<json>[^#]*)(?:#.*)?$/i,
  /^https:\/\/[^/?#]+\/-(?:pilot)?\/session#(?<json>.*)$/i,
]
/** Maximum length of a pointer's text, and of the address in it. */
const MAX_LENGTH = 10_000

/** Reads the text of a QR code or a link.
 *  @throws {SessionError} `invalid-pointer`, for any pointer that a wallet cannot follow */
export function parseSessionPointer(text: string): SessionPointer | StaticPointer {
  if (text.length > MAX_LENGTH) throw invalid(`expected at most ${MAX_LENGTH} characters`)
  const { type, ...address } = readPointer(readPointerJson(decode(text.trim())))
  return type === STATIC ? { ...address, type } : toSession(type, address)
}

/** Reads a pointer that a server sent as JSON: of the next session of a chain, or of the session that a static pointer starts. The rules are the same, but a static
 *  pointer is refused.
 *  @throws {SessionError} `invalid-pointer` */
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

/** @throws {SessionError} `insecure`, for plain HTTP without developer mode */
export function refuseInsecure(
  { host, isPlainHttp }: PointerAddress,
  { developerMode }: { readonly developerMode: boolean },
): void {
  if (isPlainHttp && !developerMode)
    throw new SessionError('insecure', `${host}: plain HTTP needs developer mode`)
}

function invalid(expected: string): SessionError {
  return new SessionError('invalid-pointer', `session pointer: ${expected}`)
}

function isSessionType(value: unknown): value is SessionType {
  return typeof value === 'string' && TYPES.includes(value)
}

function decode(text: string): string {
  const encoded = LINKS.map(link => link.exec(text)?.groups?.json).find(json => json !== undefined) ?? text
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw invalid('expected percent-encoded text') // a bare pointer is decoded too, so a "%" in it is written as %25
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
  const url = typeof u === 'string' ? parseUrl(u) : null
  const isUsable =
    url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
  if (!isUsable) throw invalid('expected an absolute http or https address in "u"')
  return { u: withoutSlashesAtEnd(url.href), host: url.host, isPlainHttp: url.protocol === 'http:' }
}
