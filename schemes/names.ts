/** Names in schemes (spec/schemes-and-cli#1). The rule is stricter than that of a file system, so that no name can lead out of its folder. @module */

/** The name of a scheme, an issuer, a credential type or an attribute. */
export const NAME = /^[A-Za-z0-9_-]+$/

/** The prefix of folders that an interrupted update leaves behind. */
export const RESERVED = /^\.?(tempscheme|oldscheme)/

const OLD = '.oldscheme-'

/** The folder of the old version while an update replaces the scheme. */
export function oldFolderOf(name: string): string {
  return OLD + name
}

/** Name of the scheme that was moved to this folder; null: it is not such a folder. */
export function placeOf(oldFolder: string): string | null {
  return oldFolder.startsWith(OLD) ? oldFolder.slice(OLD.length) : null
}

const KEPT = '.keptscheme-'

/** The folder of a version after a newer one has replaced it. */
export function keptFolderOf(name: string, timestampSec: number): string {
  return `${KEPT}${name}-${timestampSec}`
}

/** Unix seconds at which the version of the scheme `name` in this folder was signed; null: it is not such a folder. */
export function keptSecOf(folder: string, name: string): number | null {
  const seconds = folder.startsWith(`${KEPT}${name}-`) ? folder.slice(KEPT.length + name.length + 1) : ''
  return /^[0-9]+$/.test(seconds) ? Number(seconds) : null
}
