/** Kinds of options: each is a schema for the value, and beside it the facts that flags, variables and the printed reference are made of. @module */

import { isIPv6 } from 'node:net'
import { z } from 'zod'
import { parseUrl } from '../../ports/parse-url.ts'
import { DELAY, DURATION, isTimed } from './duration.ts'

/** How a value is written as text, in a flag or a variable. */
type Form = 'text' | 'number' | 'switch' | 'count' | 'list' | 'json' | 'texts'

export type OptionTraits = {
  readonly form: Form
  readonly description: string
  readonly short?: string
  /** every value of a choice */
  readonly words?: readonly string[]
  /** placeholder of the value in the usage text, such as `PORT` */
  readonly placeholder?: string
  readonly unit?: string
  /** default of a production server, if it differs */
  readonly production?: unknown
  /** default in words, if it follows from other options */
  readonly defaultWords?: string
  /** true: no message contains the value */
  readonly isSecret?: boolean
  /** its heading in the help of the command and in the printed reference */
  readonly heading?: string
}

type TraitsOfOption = Omit<OptionTraits, 'form' | 'heading'>

/** The facts about each option beside its schema. */
export const facts = z.registry<OptionTraits>()

/** @returns the same options, with this heading */
export function below<const Options extends Readonly<Record<string, z.ZodType>>>(
  heading: string,
  options: Options,
): Options {
  for (const schema of Object.values(options)) {
    const found = facts.get(schema)
    if (!found) continue
    if ((found.heading ?? heading) !== heading)
      throw new Error(`heading: expected "${found.heading}", as in another server, got "${heading}"`)
    facts.add(schema, { ...found, heading })
  }
  return options
}

export function toggle(normally: boolean, given: TraitsOfOption) {
  const schema = z.boolean({ error: 'expected true or false' }).default(normally)
  return schema.register(facts, { form: 'switch', ...given })
}

export function text(normally: string, given: TraitsOfOption) {
  const schema = z.string({ error: 'expected text' }).default(normally)
  return schema.register(facts, { form: 'text', placeholder: 'TEXT', ...given })
}

/** Address of a listener. The brackets that a URL has around an IPv6 address are removed, because the system accepts none. */
export function address(normally: string, given: TraitsOfOption) {
  const error = 'expected an IP address or a host name, without a port'
  const schema = z.string({ error }).overwrite(withoutBrackets).refine(isAddress, { error })
  return schema.default(normally).register(facts, { form: 'text', placeholder: 'ADDRESS', ...given })
}

function withoutBrackets(text: string): string {
  const [, inside = ''] = /^\[(.*)\]$/.exec(text) ?? []
  return isIPv6(inside) ? inside : text
}

const HOST_NAME = /^(?!.{254})(?![^.]{64})\w(?:[\w-]*\w)?(?:\.(?![^.]{64})\w(?:[\w-]*\w)?)*\.?$/

/** An empty text means every address. The parser of URLs refuses `256.1.1.1`, which is no IP address and no name. */
function isAddress(text: string): boolean {
  return text === '' || isIPv6(text) || (HOST_NAME.test(text) && parseUrl(`http://${text}`) !== null)
}

export function choice<const Words extends readonly [string, ...string[]]>(
  words: Words,
  given: TraitsOfOption,
) {
  const schema = z.enum(words, { error: `expected one of ${words.filter(Boolean).join(', ')}` })
  return schema.default(words[0] as z.output<typeof schema>).register(facts, {
    form: 'text',
    words,
    placeholder: words.join('|'),
    ...given,
  })
}

export function integer(normally: number, [least, most]: readonly [number, number], given: TraitsOfOption) {
  const error = `expected an integer from ${least} to ${most}`
  const schema = z.int({ error }).min(least, { error }).max(most, { error }).default(normally)
  return schema.register(facts, { form: 'number', placeholder: 'N', ...given })
}

export function count(most: number, given: TraitsOfOption) {
  const error = `expected an integer from 0 to ${most}`
  const schema = z.int({ error }).min(0, { error }).max(most, { error }).default(0)
  return schema.register(facts, { form: 'count', ...given })
}

export function duration(normally: string, given: TraitsOfOption) {
  return time(DURATION, 'expected a duration such as 50ms, 1s, 15m or 2h, of at most 596h', normally, given)
}

/** A duration that may be 0. */
export function delay(normally: string, given: TraitsOfOption) {
  return time(DELAY, 'expected 0s, or a duration such as 50ms, 1s or 2m, of at most 596h', normally, given)
}

function time(form: RegExp, error: string, normally: string, given: TraitsOfOption) {
  const schema = z.string({ error }).regex(form, { error }).refine(isTimed, { error })
  return schema.default(normally).register(facts, { form: 'text', placeholder: 'DURATION', ...given })
}

export const patterns = z.array(z.string({ error: 'expected text' }), {
  error: 'expected a list of patterns',
})

export function list(normally: readonly string[], given: TraitsOfOption) {
  return patterns
    .default([...normally])
    .register(facts, { form: 'list', placeholder: 'PATTERN,...', ...given })
}

/** Texts by name, such as by language. */
export function textsByName(given: TraitsOfOption) {
  const error = 'expected texts by name'
  const schema = z.record(z.string(), z.string({ error: 'expected text' }), { error })
  return schema.default({}).register(facts, { form: 'texts', ...given })
}

/** @param entry schema of the value of each name
 *  @param mapping the meaning of names and values, in words */
export function objectsByName<Entry extends z.ZodType>(entry: Entry, mapping: string, given: TraitsOfOption) {
  const schema = z.record(z.string(), entry, { error: `expected an object: ${mapping}` })
  return schema.default({}).register(facts, { form: 'json', placeholder: 'JSON', ...given })
}
