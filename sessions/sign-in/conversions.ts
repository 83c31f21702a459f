/** Conversions between the text of an attribute and the value of a claim. @module */
import type { JsonValue } from '../../protocol/json.ts'
import type { Conversion, DateFormat } from './rules.ts'

/** The words of a boolean attribute, unless the mapping has its own. */
export const TRUE_WORDS: readonly string[] = ['yes', 'Yes', 'true', '1']
export const FALSE_WORDS: readonly string[] = ['no', 'No', 'false', '0']

/** A decimal number, without a blank, a sign `+`, an exponent or a zero in front. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/

/** @returns undefined: the text has another form than the conversion expects */
export function convert(text: string, conversion: Conversion): JsonValue | undefined {
  switch (conversion.to) {
    case 'text':
      return text
    case 'presence':
      return true
    case 'number':
      return numberIn(text)
    case 'date':
      return firstOf(conversion.formats, format => dateIn(text, format))
    case 'boolean':
      if (conversion.true.includes(text)) return true
      return conversion.false.includes(text) ? false : undefined
  }
}

/** The texts of attributes that become this value; the opposite of `convert`.
 *  @returns empty: no text does; null: any text does */
export function textsOf(value: JsonValue, conversion: Conversion): readonly string[] | null {
  switch (conversion.to) {
    case 'text':
      return typeof value === 'string' ? [value] : []
    case 'presence':
      return value === true ? null : []
    case 'number':
      return [String(value)].filter(text => typeof value === 'number' && numberIn(text) === value)
    case 'date':
      return typeof value === 'string'
        ? conversion.formats.flatMap(format => dateAs(value, format) ?? [])
        : []
    case 'boolean':
      if (typeof value !== 'boolean') return []
      return value ? conversion.true : conversion.false
  }
}

/** An integer must be exact as a number of JSON. */
function numberIn(text: string): number | undefined {
  const value = Number(text)
  const isExact = !text.includes('.') ? Number.isSafeInteger(value) : Number.isFinite(value)
  return NUMBER.test(text) && isExact ? value + 0 : undefined
}

function dateIn(text: string, format: DateFormat): string | undefined {
  const form = format.replace(/[.]/g, '\\.').replace('yyyy', '(?<y>\\d{4})')
  const found = new RegExp(`^${form.replace('mm', '(?<m>\\d{2})').replace('dd', '(?<d>\\d{2})')}$`).exec(text)
  const { y, m, d } = found?.groups ?? {}
  const iso = `${y}-${m}-${d}`
  return found !== null && isDate(iso) ? iso : undefined
}

/** @param iso `yyyy-mm-dd` */
function dateAs(iso: string, format: DateFormat): string | undefined {
  if (dateIn(iso, 'yyyy-mm-dd') === undefined) return undefined
  const [y = '', m = '', d = ''] = iso.split('-')
  return format.replace('yyyy', y).replace('mm', m).replace('dd', d)
}

/** False for 31 February. */
function isDate(iso: string): boolean {
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)
}

function firstOf<From, To>(all: readonly From[], find: (each: From) => To | undefined): To | undefined {
  for (const each of all) {
    const found = find(each)
    if (found !== undefined) return found
  }
  return undefined
}
