/** Names in schemes (spec/schemes-and-cli 1): stricter than a file system, so that no name can lead out of its folder. @module */

/** The name of a scheme, an issuer, a credential type or an attribute. */
export const NAME = /^[A-Za-z0-9_-]+$/

/** The start of names that an interrupted update leaves behind. */
export const RESERVED = /^\.?(tempscheme|oldscheme)/

const OLD = '.oldscheme-'

/** where a scheme lies while its update takes its place */
export function oldFolderOf(name: string): string {
  return OLD + name
}

/** The place of a scheme that lies there; null: it is no such folder. */
export function placeOf(oldFolder: string): string | null {
  return oldFolder.startsWith(OLD) ? oldFolder.slice(OLD.length) : null
}

const KEPT = '.keptscheme-'

/** where a version of a scheme lies once another has taken its place */
export function keptFolderOf(name: string, timestampSec: number): string {
  return `${KEPT}${name}-${timestampSec}`
}

/** When the version of the scheme `name` that lies there was signed; null: it is no such folder. */
export function keptSecOf(folder: string, name: string): number | null {
  const seconds = folder.startsWith(`${KEPT}${name}-`) ? folder.slice(KEPT.length + name.length + 1) : ''
  return /^[0-9]+$/.test(seconds) ? Number(seconds) : null
}
