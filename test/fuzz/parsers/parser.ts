/** A parser as a target: any input gives a value, or an error of the project that says what was expected. @module */
import { AssertionError } from 'node:assert'
import { FORMS, type FormName } from '../forms.ts'
import { wordsIn } from '../mutate-text.ts'
import type { Target } from '../target.ts'

export type Parser = {
  readonly name: string
  readonly form: FormName
  /** recorded inputs */
  readonly seeds: readonly string[]
  /** @param input text, or bytes with a character for each */
  readonly read: (input: string) => unknown
}

/** Errors of the language. A parser that throws one has read something that it did not check. */
const BUILT_IN: readonly unknown[] = [Error, TypeError, ReferenceError, EvalError, URIError, AssertionError]
/** Errors of the language that readers of JSON, numbers and files use by intent, with the project's messages. */
const BY_INTENT: readonly unknown[] = [RangeError, SyntaxError]
const SAYS_EXPECTED = /\bexpected\b/
/** The messages of `protocol/json.ts`, and of the readers on it. */
const OF_JSON = /\bJSON: /
/** The words of existing servers, which web sites compare. */
const AS_EXISTING = /(?:Signature request had empty message|not a revocation request)$/
const FROM_NEW = 0.15

export function parserTarget({ name, form, seeds, read }: Parser): Target {
  const words = wordsIn(seeds)
  const { mutate, write } = FORMS[form]
  return {
    name: name.replaceAll(' ', '-'),
    generate: random =>
      seeds.length === 0 || random.chance(FROM_NEW)
        ? write(random, words)
        : mutate(random.pick(seeds), random, words),
    async tryInput(input) {
      if (typeof input !== 'string') throw new TypeError(`${name}: expected a text as input, got a call`)
      try {
        await read(input)
        return null
      } catch (error) {
        return faultOf(error)
      }
    },
  }
}

/** @returns the fault of an error that a parser threw; null: none. It quotes the name and place of the error, and no input */
export function faultOf(error: unknown): string | null {
  if (!(error instanceof Error)) return 'threw something that is no error'
  const at = error.stack?.split('\n').find(line => line.includes('/dist/') && !line.includes('/dist/test/'))
  const place = at?.replace(/^.*\/dist\/|\)$/g, '').replace(/:\d+$/, '') ?? 'an unknown place'
  const isOfProject = !BUILT_IN.includes(error.constructor)
  if (!isOfProject) return `${error.name} at ${place}`
  const { message } = error
  const says = [SAYS_EXPECTED, OF_JSON, AS_EXISTING, /^$/].some(form => form.test(message))
  if (BY_INTENT.includes(error.constructor) && !says) return `${error.name} at ${place}`
  return says ? null : `an error without "expected" at ${place}: ${error.name}`
}
