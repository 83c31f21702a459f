/** Reads the value of an option: from text in flags and variables, and from the types of a settings file. Every form that the existing servers accept is
 *  accepted here too, with the same meaning, but numbers in text have only decimal digits. A value that cannot be read is returned unchanged, and the schema of the
 *  option refuses it. @module */
import { readSettingsJson } from './json.ts'
import type { OptionTraits } from './kinds.ts'

type Form = OptionTraits['form']

const TRUE: readonly unknown[] = ['1', 't', 'T', 'true', 'True', 'TRUE']
const FALSE: readonly unknown[] = ['0', 'f', 'F', 'false', 'False', 'FALSE']

/** Words that YAML 1.1 reads as booleans, in its three spellings each. */
const YAML_TRUE = /^(?:y|Y|yes|Yes|YES|on|On|ON)$/
const YAML_FALSE = /^(?:n|N|no|No|NO|off|Off|OFF)$/

/** Decimal digits alone. A leading zero or a prefix means another base to some programs, and a wrong port or limit to their users. */
const INTEGER = /^(?:0|[1-9]\d*)$/

/** @throws {SyntaxError} for an object that is not written as JSON */
export function fromText(form: Form, text: string): unknown {
  switch (form) {
    case 'text':
      return text
    case 'switch':
      return switchOf(text)
    case 'number':
    case 'count':
      return INTEGER.test(text) ? Number(text) : text
    case 'list':
      return text.split(/[\s,]+/).filter(each => each !== '') // no entry of a list has a blank or a comma
    case 'json':
      return readSettingsJson(text)
    case 'texts':
      return text.trimStart().startsWith('{') ? readSettingsJson(text) : pairsIn(text)
  }
}

/** `en=Hello, you,nl=Hallo`: a comma begins the next pair only before a name and an equals sign. */
function pairsIn(text: string): unknown {
  const pairs = text.split(/,(?=\s*[A-Za-z][\w-]*=)/).map(pair => /^\s*([A-Za-z][\w-]*)=(.*)$/s.exec(pair))
  if (pairs.some(pair => pair === null)) return text
  return Object.fromEntries(pairs.map(pair => [pair?.[1] ?? '', pair?.[2] ?? '']))
}

function switchOf(text: string): unknown {
  if (TRUE.includes(text)) return true
  return FALSE.includes(text) ? false : text
}

/** @param isYaml true: the words of YAML 1.1 for booleans are accepted
 *  @throws {SyntaxError} for a text that begins with "{" and is no JSON */
export function fromFile(form: Form, value: unknown, isYaml: boolean): unknown {
  if (form === 'text') return Number.isSafeInteger(value) ? String(value) : value
  if (form === 'switch') return switchInFile(value, isYaml)
  if (typeof value !== 'string' || (form === 'json' && !value.trimStart().startsWith('{'))) return value
  return fromText(form, value)
}

/** @param value integers other than 0 mean true */
export function switchInFile(value: unknown, isYaml: boolean): unknown {
  if (Number.isInteger(value)) return value !== 0
  if (typeof value !== 'string') return value
  if (isYaml && YAML_TRUE.test(value)) return true
  return isYaml && YAML_FALSE.test(value) ? false : switchOf(value)
}
