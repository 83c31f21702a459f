/** Versions of the session protocol (spec/interface#9): form, order and negotiation. @module */
import { MalformedInputError, ProtocolVersionError } from './errors.ts'

export type ProtocolVersion = { readonly major: number; readonly minor: number }
/** lowest and highest */
export type VersionRange = readonly [ProtocolVersion, ProtocolVersion]

/** The highest version that this program negotiates. */
export const HIGHEST_VERSION: ProtocolVersion = { major: 2, minor: 8 }

const VERSION = /^\s*("?)([0-9]{1,9})\.([0-9]{1,9})\1\s*$/

/** @param text `2.8` or `"2.8"`, white space around it ignored
 *  @throws {MalformedInputError} */
export function parseVersion(text: string): ProtocolVersion {
  const [, , major, minor] = VERSION.exec(text) ?? []
  if (major === undefined || minor === undefined)
    throw new MalformedInputError('protocol version: expected <major>.<minor>, got something else')
  return { major: Number(major), minor: Number(minor) }
}

export function formatVersion({ major, minor }: ProtocolVersion): string {
  return `${major}.${minor}`
}

/** @returns below 0 if `a` is older than `b`, 0 if equal, above 0 if newer */
export function compareVersions(a: ProtocolVersion, b: ProtocolVersion): number {
  return a.major - b.major || a.minor - b.minor
}

/** Reads the version headers of a first GET, the minimum first.
 *  @throws {MalformedInputError} if one is missing or malformed */
export function parseVersionHeaders(min: string | undefined, max: string | undefined): VersionRange {
  return [parseHeader('minimum', min), parseHeader('maximum', max)]
}

function parseHeader(which: string, text: string | undefined): ProtocolVersion {
  if (text === undefined)
    throw new MalformedInputError(`${which} protocol version: expected a header, got none`)
  return parseVersion(text)
}

/** The highest version in both ranges (spec/interface#9.1).
 *  @throws {ProtocolVersionError} if there is none, or if the client's range is empty */
export function negotiate(ranges: {
  readonly client: VersionRange
  readonly server: VersionRange
}): ProtocolVersion {
  const [clientMin, clientMax] = ranges.client
  const [serverMin, serverMax] = ranges.server
  const highest = compareVersions(clientMax, serverMax) < 0 ? clientMax : serverMax
  if (compareVersions(highest, serverMin) < 0 || compareVersions(highest, clientMin) < 0)
    throw new ProtocolVersionError()
  return highest
}
