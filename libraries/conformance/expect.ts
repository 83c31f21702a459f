/** Assertions of trials: each failure has an expected and a received value. Neither contains attribute values, proofs or bodies.
 *  @module */
import { isDeepStrictEqual } from 'node:util'
import type { Answer } from './answer.ts'
import { at } from './json.ts'

/** The server differs from the specification. */
export class MismatchError extends Error {
  override readonly name = 'MismatchError'
  readonly expected: string
  readonly got: string
  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`)
    this.expected = expected
    this.got = got
  }
}

/** The row cannot be tried here, with the reason. */
export class NotTriedError extends Error {
  override readonly name = 'NotTriedError'
}

export function expectThat(isSo: boolean, expected: string, got: string): asserts isSo {
  if (!isSo) throw new MismatchError(expected, got)
}

/** Compares values that may be shown: statuses, names, identifiers and numbers. */
export function expectEqual(what: string, got: unknown, expected: unknown): void {
  expectThat(isDeepStrictEqual(got, expected), `${what}: ${shown(expected)}`, shown(got))
}

/** Compares values that must not be shown: the failure says only that they differ. */
export function expectSame(what: string, got: unknown, expected: unknown): void {
  expectThat(isDeepStrictEqual(got, expected), what, got === undefined ? 'nothing' : 'something else')
}

/** @param pattern of the whole text; the text is not shown */
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

/** Expects any remote error, where the specification does not say which. */
export function expectRefusal(doing: string, answer: Answer): void {
  const isRefused = answer.status >= 400 && typeof at(answer.json, 'error') === 'string'
  expectThat(isRefused, `${doing}: a remote error`, outcomeOf(answer))
}

/** Maximum length of a text that is shown. */
const MAX_SHOWN = 120

/** The status and error type of a response, without its body. */
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
