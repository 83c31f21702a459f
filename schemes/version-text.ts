/** The version of each scheme as one text (`svc-demo@1795260553 svc-keyshare@1795260553`). The name of a scheme and the time of its signature
 *  identify a version. A session stores the text of the schemes that it began with. @module */
import type { Scheme } from './types.ts'

/** By scheme, Unix seconds at which it was signed. */
export type SignedTimes = ReadonlyMap<string, number>

export function versionText(schemes: readonly Pick<Scheme, 'id' | 'timestampSec'>[]): string {
  return schemes
    .map(({ id, timestampSec }) => `${id}@${timestampSec}`)
    .sort()
    .join(' ')
}

/** Parses a text of `versionText`; damaged parts are left out. */
export function signedTimesOf(version: string): SignedTimes {
  const parts = version.split(' ').map(part => part.split('@'))
  return new Map(
    parts.flatMap(([id = '', seconds = '']) =>
      /^-?[0-9]+$/.test(seconds) ? [[id, Number(seconds)] as const] : [],
    ),
  )
}
