/** The forms of inputs: how a recorded one is mutated, and how a new one is written. @module */
import { decode, encode } from 'cborg'
import { jsonByGrammar, mutateJson } from './mutate-json.ts'
import { mutateBytes, mutateText, ODD_TEXTS } from './mutate-text.ts'
import type { Random } from './random.ts'

export type Form = {
  readonly mutate: (text: string, random: Random, words: readonly string[]) => string
  readonly write: (random: Random, words: readonly string[]) => string
}

/** Words one after another, as in a line of a file or in an identifier. */
const SIGNS = ['', ' ', '.', '-', '/', ':', ',', '\n', '@', '=', '?', '#', '*']

function lineByGrammar(random: Random, words: readonly string[]): string {
  const word = (): string =>
    words.length > 0 && random.chance(0.7) ? random.pick(words) : random.pick(ODD_TEXTS)
  return Array.from({ length: random.int(8) }, () => word() + random.pick(SIGNS)).join('')
}

const text: Form = { mutate: mutateText, write: lineByGrammar }
const json: Form = { mutate: mutateJson, write: jsonByGrammar }

const bytes: Form = {
  mutate: (input, random) => mutateBytes(input, random),
  write: random => String.fromCharCode(...Array.from({ length: random.int(300) }, () => random.int(256))),
}

/** Three parts with dots between. Each part is JSON in Base64, or a signature. */
const jwt: Form = {
  mutate(input, random, words) {
    const parts = input.split('.')
    const at = random.int(3)
    if (random.chance(0.3) || at === 2) return mutateText(input, random, words)
    const inside = Buffer.from(parts[at] ?? '', 'base64url').toString()
    parts[at] = Buffer.from(mutateJson(inside, random, words)).toString('base64url')
    return parts.join('.')
  },
  write(random, words) {
    const part = (): string => Buffer.from(jsonByGrammar(random, words)).toString('base64url')
    return Array.from({ length: 2 + random.int(3) }, part).join('.')
  },
}

/** Elements with attributes and texts, and the other parts of XML. */
const XML_PARTS = [
  '<!--a-->',
  '<![CDATA[a]]>',
  '&amp;',
  '&#0;',
  '&#x110000;',
  '&e;',
  '<?a b?>',
  '<!DOCTYPE a [<!ENTITY e "&e;&e;">]>',
  '<a/>',
  '<',
  '>',
  '</',
  '<a b="',
]
const xml: Form = {
  mutate(input, random, words) {
    if (random.chance(0.02)) return nestedXml(input, random)
    const elements = [...input.matchAll(/<(\w+)[^<>]*>[^<>]*(?:<\/\1>)?/g)]
    if (elements.length === 0 || random.chance(0.5)) return mutateText(input, random, words)
    const [one, other] = [random.pick(elements), random.pick(elements)]
    const by = random.chance(0.4)
      ? other[0]
      : random.chance(0.5)
        ? random.pick(XML_PARTS)
        : one[0].repeat(2 + random.int(30))
    return input.slice(0, one.index) + by + input.slice(one.index + one[0].length)
  },
  write: (random, words) => elementByGrammar(random, words, 3),
}

function nestedXml(input: string, random: Random): string {
  const depth = random.pick([2, 90, 110, 1_000, 20_000])
  return `${'<a>'.repeat(depth)}${input}${'</a>'.repeat(depth)}`
}

function elementByGrammar(random: Random, words: readonly string[], depth: number): string {
  const name = words.length > 0 ? random.pick(words) : 'a'
  const inside = Array.from({ length: random.int(4) }, () => {
    if (depth > 0 && random.chance(0.5)) return elementByGrammar(random, words, depth - 1)
    return random.chance(0.3) ? random.pick(XML_PARTS) : random.pick(ODD_TEXTS)
  })
  const attribute = random.chance(0.3)
    ? ` ${random.pick(['num', 'version', 'id', 'a'])}="${random.pick(ODD_TEXTS)}"`
    : ''
  return `<${name}${attribute}>${inside.join('')}</${random.chance(0.05) ? 'b' : name}>`
}

/** CBOR, as a text with a character for each byte. */
const cbor: Form = {
  mutate(input, random, words) {
    if (random.chance(0.5)) return mutateBytes(input, random)
    try {
      return written(mutatedCbor(decode(Buffer.from(input, 'latin1'), { useMaps: true }), random, words))
    } catch {
      return mutateBytes(input, random)
    }
  },
  write: random => written(cborByGrammar(random, 3)),
}

function written(value: unknown): string {
  return Buffer.from(encode(value, { mapSorter: () => 0 })).toString('latin1')
}

function mutatedCbor(value: unknown, random: Random, words: readonly string[]): unknown {
  if (random.chance(0.15)) return cborByGrammar(random, 2)
  if (value instanceof Map) {
    const at = random.int(value.size)
    const entries = [...value].map(
      ([key, child], i) => [key, i === at ? mutatedCbor(child, random, words) : child] as const,
    )
    return new Map(random.chance(0.1) ? entries.slice(1) : entries)
  }
  if (Array.isArray(value))
    return value.map((child, i) => (i === 0 ? mutatedCbor(child, random, words) : child))
  if (value instanceof Uint8Array)
    return Buffer.from(cbor.mutate(Buffer.from(value).toString('latin1'), random, words), 'latin1')
  return cborByGrammar(random, 1)
}

function cborByGrammar(random: Random, depth: number): unknown {
  const scalars = [
    0,
    1,
    -1,
    2 ** 32,
    2n ** 63n,
    -(2n ** 63n),
    1.5,
    '',
    'Msg',
    'e',
    null,
    true,
    new Uint8Array(random.int(40)),
  ]
  if (depth === 0 || random.chance(0.5)) return random.pick(scalars)
  const items = Array.from({ length: random.int(4) }, () => cborByGrammar(random, depth - 1))
  const keys = [
    'Msg',
    'Sig',
    'sacc',
    'e',
    'i',
    'hash',
    'data',
    'pk',
    'Nu',
    'Index',
    'Time',
    'Pin',
    'ID',
    0,
    1,
  ]
  return random.chance(0.5) ? items : new Map(items.map(item => [random.pick(keys), item]))
}

export const FORMS = { text, json, jwt, xml, cbor, bytes } as const
export type FormName = keyof typeof FORMS
