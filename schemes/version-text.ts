/** Which version of each scheme there is, as one text (`svc-demo@1795260553 svc-keyshare@1795260553`): a scheme of one name that was signed at one time is one version. A
 *  session stores the text of the schemes that it began with. @module */
import type { Scheme } from './types.ts'

/** Unix seconds at which it was signed, by scheme. */
export type SignedTimes = ReadonlyMap<string, number>

export function versionText(schemes: readonly Pick<Scheme, 'id' | 'timestampSec'>[]): string {
  return schemes
    .map(({ id, timestampSec }) => `${id}@${timestampSec}`)
    .sort()
    .join(' ')
}

/** What `versionText` wrote; parts that are damaged are left out. */
export function signedTimesOf(version: string): SignedTimes {
  const parts = version.split(' ').map(part => part.split('@'))
  return new Map(
    parts.flatMap(([id = '', seconds = '']) =>
      /^-?[0-9]+$/.test(seconds) ? [[id, Number(seconds)] as const] : [],
    ),
  )
}
