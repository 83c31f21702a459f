/** Reads the members of an object in the settings. A member of the wrong form is collected as a refusal and takes its default, so that all mistakes of an object are
 *  reported at once. A message names the member, and never quotes a value that may be secret. @module */

import type { Refusals } from '../errors.ts'
import { SettingsError } from '../errors.ts'
import { nearestName } from '../nearest.ts'
import { shownName } from '../unknown-names.ts'

export class MemberReader {
  readonly place: string
  readonly #members: Readonly<Record<string, unknown>>
  readonly #refusals: Refusals

  /** @param place of the object, such as `claims.email`
   *  @param known names of all members */
  constructor(place: string, value: unknown, known: readonly string[], refusals: Refusals) {
    this.place = place
    this.#refusals = refusals
    this.#members = isObject(value) ? value : {}
    if (!isObject(value)) this.refuse('', `expected an object, got ${kindOf(value)}`)
    for (const name of Object.keys(this.#members)) {
      if (known.includes(name)) continue
      const shown = JSON.stringify(shownName(name))
      const nearest = JSON.stringify(nearestName(name, known))
      this.refuse(
        '',
        `expected members by name, got ${shown}, which is unknown; the nearest known one is ${nearest}`,
      )
    }
  }

  has(name: string): boolean {
    const value = this.value(name)
    return value !== undefined && value !== null
  }

  value(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined
  }

  /** @returns empty: not given */
  text(name: string): string {
    const value = this.value(name)
    if (!this.has(name)) return ''
    if (typeof value === 'string' && value !== '') return value
    this.refuse(name, `expected text, got ${kindOf(value)}${hintOf(value)}`)
    return ''
  }

  flag(name: string): boolean {
    const value = this.value(name)
    if (!this.has(name)) return false
    if (typeof value !== 'boolean') this.refuse(name, `expected true or false, got ${kindOf(value)}`)
    return value === true
  }

  choice<const Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    const [first] = words
    const found = words.find(word => word === this.value(name))
    if (found === undefined && this.has(name))
      this.refuse(name, `expected one of ${words.join(', ')}, got another value`)
    return found ?? first
  }

  /** @returns empty: not given, or refused; a text alone is a list of one */
  texts(name: string): readonly string[] {
    if (!this.has(name)) return []
    const value = this.value(name)
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (list.length === 0) this.refuse(name, 'expected at least one text, got an empty list')
    const texts = list.filter(each => typeof each === 'string' && each !== '')
    if (texts.length < list.length) {
      const [other] = list.filter(each => typeof each !== 'string' || each === '')
      this.refuse(name, `expected a list of texts, got ${kindOf(other)} in it${hintOf(other)}`)
    }
    return texts.map(String)
  }

  /** @param name empty: the object itself */
  refuse(name: string, reason: string): void {
    this.#refusals.add(new SettingsError(`${this.placeOf(name)}: ${reason}`))
  }

  placeOf(name: string): string {
    return name === '' ? this.place : `${this.place}.${name}`
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The kind of a value, for messages that must not quote it. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (value === '') return 'an empty text'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** YAML reads `yes` and `1` without quotes as other types in some of its versions. */
function hintOf(value: unknown): string {
  const isScalar = typeof value === 'boolean' || typeof value === 'number'
  return isScalar ? '; write it in quotes' : ''
}
