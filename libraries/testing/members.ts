/** Checks the options that a test passes. Without these checks, a misspelt name or a value of another kind would be ignored, and the test would pass. @module */

type Kind = { readonly words: string; readonly fits: (value: unknown) => boolean }
export type Kinds<Name extends string> = Readonly<Record<Name, Kind>>

export const FLAG: Kind = { words: 'true or false', fits: value => typeof value === 'boolean' }
export const TEXT: Kind = { words: 'a text', fits: value => typeof value === 'string' }
export const RECORD: Kind = { words: 'an object', fits: value => typeof value === 'object' && value !== null }
export const FUNCTION: Kind = { words: 'a function', fits: value => typeof value === 'function' }
export const NUMBERS: Kind = { words: 'a list of numbers or a function', fits: isChoice }
export const DURATION: Kind = {
  words: 'milliseconds, 0 or more',
  fits: value => typeof value === 'number' && value >= 0,
}
export const DATE: Kind = {
  words: 'a Date',
  fits: value => value instanceof Date && !Number.isNaN(value.getTime()),
}

export function oneOf(values: readonly string[]): Kind {
  return { words: values.join(' or '), fits: value => values.some(each => each === value) }
}

function isChoice(value: unknown): boolean {
  return Array.isArray(value) ? value.every(Number.isInteger) : typeof value === 'function'
}

/** Checks the members of an object. A member that is undefined counts as left out.
 *  @param what name of the object, for the message
 *  @throws {Error} for an unknown name and for a value of another kind, with expected and got */
export function checkMembers<Name extends string>(what: string, given: object, kinds: Kinds<Name>): void {
  const known = new Map<string, Kind>(Object.entries(kinds))
  for (const [name, value] of Object.entries(given)) {
    const kind = known.get(name)
    if (kind === undefined)
      throw new Error(`${what}: expected ${[...known.keys()].join(', ')}, got ${JSON.stringify(name)}`)
    if (value !== undefined && !kind.fits(value))
      throw new Error(`${what}: ${name}: expected ${kind.words}, got ${shown(value)}`)
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value) : typeof value
}
