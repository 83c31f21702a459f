/** Reads and writes JSON. The reader keeps every digit of an integer, and limits depth, values and the length of a number. It refuses member names that would reach
 *  JavaScript's own objects, and optionally duplicate names. The writer is compact, keeps the order of members, and its output is safe inside HTML. Errors contain
 *  no text of the input, because it may be secret. @module */

export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

export type JsonOptions = {
  /** maximum depth of nested objects and lists */
  readonly maxDepth?: number
  /** A duplicate name is an error inside the values of members with these names. Elsewhere the last one wins. */
  readonly uniqueNamesBelow?: readonly string[]
  /** duplicate names are errors everywhere */
  readonly hasUniqueNames?: boolean
  /** Maximum number of items of a list, by its member name in the outermost object. The reader stops there. */
  readonly maxItems?: Readonly<Record<string, number>>
  /** maximum number of values, if lower than the general limit; the reader stops there */
  readonly maxValues?: number
  /** At this depth and deeper, numbers must be integers in digits. A number with a fraction or an exponent is read as NaN, even if its value is an
   *  integer: no caller can mistake it for one. Left out: at no depth. */
  readonly integersFrom?: number
}

/** A duplicate name in an object, where that is an error. */
export class RepeatedNameError extends SyntaxError {
  /** for messages about texts whose names are not secret */
  readonly memberName: string

  constructor(message: string, memberName: string) {
    super(message)
    this.memberName = memberName
  }
}

/** Maximum number of digits. The numbers of a proof under a 4096-bit key have at most 2,000. */
const MAX_DIGITS = 4096
const MAX_DEPTH = 64
/** Maximum number of values in one text, far more than a message of 256 proofs has. Reading them takes 0.2 s at worst, which blocks all other requests. */
export const MAX_VALUES = 65_536
/** A long integer is slower to read than another value. Each group of this many digits counts as one more value towards the general limit. */
const DIGITS_PER_VALUE = 32
/** An integer with at most this many digits is exact as a number. */
const EXACT_DIGITS = 15

const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype'])
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y
const LITERAL = /true|false|null/y
const [QUOTE, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 44, 58, 91, 93, 123, 125]
const [SPACE, DOT, ZERO, NINE, BACKSLASH, LETTER_E] = [32, 46, 48, 57, 92, 101]

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** Reads one JSON text. Integers beyond 2^53 come as bigint, lone surrogates as U+FFFD.
 *  @throws {SyntaxError} if the text is not JSON, or holds a forbidden or duplicate name
 *  @throws {RangeError} if it is nested too deep, or holds too many values or items, or a number too long or too large */
export function readJson(text: string, options: JsonOptions = {}): JsonValue {
  return new Reader(text, options).readWhole()
}

/** Parses JSON that this program stored. Its content is not checked again.
 *  @throws {SyntaxError} for a damaged text; unlike that of JSON.parse, it does not quote the text */
export function restoreJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SyntaxError('JSON: expected a text that this program stored, got a damaged one')
  }
}

class Reader {
  readonly #text: string
  readonly #maxDepth: number
  readonly #uniqueNamesBelow: readonly string[]
  readonly #hasUniqueNames: boolean
  readonly #maxItems: ReadonlyMap<string, number>
  readonly #maxValues: number
  readonly #integersFrom: number
  #at = 0
  #values = 0
  #weight = 0

  constructor(text: string, options: JsonOptions) {
    this.#text = text
    this.#maxDepth = options.maxDepth ?? MAX_DEPTH
    this.#uniqueNamesBelow = options.uniqueNamesBelow ?? []
    this.#hasUniqueNames = options.hasUniqueNames ?? false
    this.#maxItems = new Map(Object.entries(options.maxItems ?? {}))
    this.#maxValues = options.maxValues ?? MAX_VALUES
    this.#integersFrom = options.integersFrom ?? Number.POSITIVE_INFINITY
  }

  readWhole(): JsonValue {
    const value = this.#value(0, this.#hasUniqueNames)
    if (this.#skipSpace() < this.#text.length) throw this.#expected('the end of the text')
    return value
  }

  /** @param name of the member of the outermost object that holds this value, if there is one */
  #value(depth: number, isUnique: boolean, name = ''): JsonValue {
    if (++this.#values > this.#maxValues) throw tooMany('values', this.#maxValues)
    this.#weigh(1)
    switch (this.#text.charCodeAt(this.#skipSpace())) {
      case QUOTE:
        return this.#string()
      case OPEN_OBJECT:
        return this.#object(this.#deeper(depth), isUnique)
      case OPEN_LIST:
        return this.#list(this.#deeper(depth), isUnique, name)
      default:
        return this.#number(depth) ?? this.#literal()
    }
  }

  #object(depth: number, isUnique: boolean): JsonValue {
    const members: Record<string, JsonValue> = {}
    this.#at++
    if (this.#isNext(CLOSE_OBJECT)) return members
    do {
      if (this.#text.charCodeAt(this.#skipSpace()) !== QUOTE) throw this.#expected('a member name')
      const name = this.#string()
      if (FORBIDDEN_NAMES.has(name))
        throw this.#wrong('another member name than __proto__, constructor or prototype', 'one of these')
      if (isUnique && Object.hasOwn(members, name))
        throw new RepeatedNameError(this.#before('each member name once', 'one for the second time'), name)
      if (!this.#isNext(COLON)) throw this.#expected('":"')
      const isUniqueBelow = isUnique || this.#uniqueNamesBelow.includes(name)
      members[name] = this.#value(depth, isUniqueBelow, depth === 1 ? name : '')
    } while (this.#isNext(COMMA))
    if (!this.#isNext(CLOSE_OBJECT)) throw this.#expected('"," or "}"')
    return members
  }

  #list(depth: number, isUnique: boolean, name: string): JsonValue {
    const items: JsonValue[] = []
    this.#at++
    if (this.#isNext(CLOSE_LIST)) return items
    const most = this.#maxItems.get(name) ?? MAX_VALUES
    do {
      if (items.length === most)
        throw new RangeError(`${name}: expected at most ${most}, got ${most + 1} or more`)
      items.push(this.#value(depth, isUnique))
    } while (this.#isNext(COMMA))
    if (!this.#isNext(CLOSE_LIST)) throw this.#expected('"," or "]"')
    return items
  }

  #string(): string {
    const text = this.#text
    const start = ++this.#at
    let hasEscape = false
    for (let code = text.charCodeAt(this.#at); code !== QUOTE; code = text.charCodeAt(++this.#at)) {
      if (code === BACKSLASH) {
        hasEscape = true
        this.#at++
      }
      if (!(code >= SPACE)) throw this.#expected('"\\"" at the end of a string')
    }
    this.#at++
    return hasEscape ? this.#unescaped(start - 1) : text.slice(start, this.#at - 1)
  }

  #unescaped(start: number): string {
    try {
      const value: string = JSON.parse(this.#text.slice(start, this.#at))
      return value.toWellFormed()
    } catch {
      throw this.#wrong('a string with valid escapes', 'another escape') // the caught message quotes the text
    }
  }

  #number(depth: number): number | bigint | null {
    const start = this.#at
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++
    const next = this.#text.charCodeAt(this.#at) | 32
    const isShort = this.#at > start && this.#at - start <= EXACT_DIGITS && next !== LETTER_E && next !== DOT
    if (isShort && this.#text.charCodeAt(start) !== ZERO) return Number(this.#text.slice(start, this.#at))
    this.#at = start
    return this.#anyNumber(depth)
  }

  #anyNumber(depth: number): number | bigint | null {
    const match = this.#match(NUMBER)
    if (match === null) return null
    const [digits, fraction, exponent] = match
    if (digits.length > MAX_DIGITS) throw tooMany('digits in a number', MAX_DIGITS)
    this.#weigh(Math.floor(digits.length / DIGITS_PER_VALUE))
    const value = Number(digits)
    if (fraction === undefined && exponent === undefined)
      return Number.isSafeInteger(value) ? value : BigInt(digits)
    if (!Number.isFinite(value))
      throw new RangeError(`JSON: expected a number up to ${Number.MAX_VALUE}, got a larger one`)
    return depth < this.#integersFrom ? value : Number.NaN
  }

  #literal(): boolean | null {
    const word = this.#match(LITERAL)?.[0]
    if (word === undefined) throw this.#expected('a value')
    return word === 'null' ? null : word === 'true'
  }

  /** Skips white space. @returns where the next token starts */
  #skipSpace(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return this.#at
      this.#at++
    }
  }

  #isNext(code: number): boolean {
    if (this.#text.charCodeAt(this.#skipSpace()) !== code) return false
    this.#at++
    return true
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match !== null) this.#at = pattern.lastIndex
    return match
  }

  #weigh(values: number): void {
    this.#weight += values
    if (this.#weight > MAX_VALUES) throw tooMany('values', MAX_VALUES)
  }

  #deeper(depth: number): number {
    if (depth >= this.#maxDepth) throw tooMany('levels of nesting', this.#maxDepth)
    return depth + 1
  }

  #expected(what: string): SyntaxError {
    const found = this.#at < this.#text.length ? 'something else' : 'the end of the text'
    return new SyntaxError(`JSON: expected ${what} at position ${this.#at}, got ${found}`)
  }

  #wrong(expected: string, got: string): SyntaxError {
    return new SyntaxError(this.#before(expected, got))
  }

  #before(expected: string, got: string): string {
    return `JSON: expected ${expected} before position ${this.#at}, got ${got}`
  }
}

function tooMany(what: string, most: number): RangeError {
  return new RangeError(`JSON: expected at most ${most} ${what}, got more`)
}

const HTML_UNSAFE = ['<', '>', '&', '\u2028', '\u2029']

/** Writes one JSON text: compact, with members in the order of creation, without undefined members. It escapes `<`, `>`, `&`, U+2028 and U+2029 like existing
 *  servers (spec/session-server#0). A `Map` is written as an object whose names are sorted as strings, so `"10"` precedes `"2"`.
 *  @throws {TypeError} for values that JSON cannot express, bigint included: numbers of a proof are written as Base64 */
export function writeJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (value instanceof Map) return writeMembers([...value].sort(byName))
  if (typeof value === 'object' && value !== null) return writeMembers(Object.entries(value))
  if (typeof value === 'string') return writeText(value)
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return JSON.stringify(value)
  throw new TypeError(`JSON: expected a value that JSON can hold, got ${typeof value}`)
}

function writeMembers(members: readonly (readonly [string, unknown])[]): string {
  const given = members.filter(([, value]) => value !== undefined)
  return `{${given.map(([name, value]) => `${writeJson(name)}:${writeJson(value)}`).join(',')}}`
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Escapes with split and join, which are several times as fast as replace if the text has many such characters. */
function writeText(text: string): string {
  const written = JSON.stringify(text)
  if (!/[<>&\u2028\u2029]/.test(written)) return written
  return HTML_UNSAFE.reduce((safe, character) => safe.split(character).join(escaped(character)), written)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
