/** How a trial says that a server does something else than the specification: what was expected, and what came. Values of attributes, proofs and bodies stand in neither.
 *  @module */
import { isDeepStrictEqual } from 'node:util'
import type { Answer } from './answer.ts'
import { at } from './json.ts'

/** The server does something else. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch'
  readonly expected: string
  readonly got: string
  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`)
    this.expected = expected
    this.got = got
  }
}

/** What the row is about cannot be seen here, and why. */
export class NotTried extends Error {
  override readonly name = 'NotTried'
}

export function expectThat(isSo: boolean, expected: string, got: string): asserts isSo {
  if (!isSo) throw new Mismatch(expected, got)
}

/** For what may be shown: statuses, names, identifiers and numbers. */
export function expectEqual(what: string, got: unknown, expected: unknown): void {
  expectThat(isDeepStrictEqual(got, expected), `${what}: ${shown(expected)}`, shown(got))
}

/** For what may not: only whether it is the same is said. */
export function expectSame(what: string, got: unknown, expected: unknown): void {
  expectThat(isDeepStrictEqual(got, expected), what, got === undefined ? 'nothing' : 'something else')
}

/** @param pattern of the whole text, which is not shown */
export function expectText(what: string, got: unknown, pattern: RegExp): asserts got is string {
  expectThat(typeof got === 'string' && pattern.test(got), `${what} ${pattern}`, kindOf(got))
}

export function expectStatus(doing: string, answer: Answer, status: number): void {
  expectThat(answer.status === status, `${doing}: ${status}`, outcomeOf(answer))
}

export function expectError(doing: string, answer: Answer, status: number, type: string): void {
  const isSo = answer.status === status && at(answer.json, 'error') === type
  expectThat(isSo, `${doing}: ${status} ${type}`, outcomeOf(answer))
}

/** Any remote error, where the specification leaves open which. */
export function expectRefusal(doing: string, answer: Answer): void {
  const isRefused = answer.status >= 400 && typeof at(answer.json, 'error') === 'string'
  expectThat(isRefused, `${doing}: a remote error`, outcomeOf(answer))
}

/** The longest text of an answer that is shown. */
const MAX_SHOWN = 120

/** What an answer came to, without its body. */
export function outcomeOf({ status, json }: Answer): string {
  const type = at(json, 'error')
  if (typeof type === 'string') return `${status} ${type.slice(0, MAX_SHOWN)}`
  return status >= 400 ? `${status} without a remote error` : String(status)
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, MAX_SHOWN)
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'another text'
  return value === undefined ? 'nothing' : 'no text'
}
