/** Mutations of the structure of a JSON text, and new texts by the grammar of JSON with names and values of recorded ones. @module */
import { mutateText, ODD_TEXTS } from './mutate-text.ts'
import type { Random } from './random.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const ODD_VALUES: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e300,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    257,
    '',
    'x',
    'AQ==',
    [],
    {},
    [[]],
    [null],
  ],
  ...[{ '1': '' }, { '': {} }, [{}], [[[]]]],
]
const DEPTHS = [2, 60, 70, 1_000, 20_000]
/** Raw texts that `JSON.stringify` never writes. */
const RAW = [
  '1E5',
  '-0',
  '1.0',
  '0.1e-9',
  '12345678901234567890123',
  '"\\ud800"',
  '"\\u0000"',
  '{"a":1,"a":2}',
  '{"__proto__":{}}',
  '01',
  "'x'",
  '[1,]',
]

/** @param text JSON
 *  @returns a text that is JSON in most cases */
export function mutateJson(text: string, random: Random, words: readonly string[]): string {
  const json = parsed(text)
  if (json === undefined || random.chance(0.12)) return mutateText(text, random, words)
  const holder: { root: Json } = { root: json }
  for (let count = 1 + random.int(3); count > 0; count--) mutateNode(holder, random, words)
  const mutated = JSON.stringify(holder.root) ?? 'null'
  if (random.chance(0.04)) return nested(mutated, random)
  return random.chance(0.08) ? withRaw(mutated, random) : mutated
}

/** A value by the grammar. */
export function jsonByGrammar(random: Random, words: readonly string[]): string {
  return JSON.stringify(someValue(random, words, 4))
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type JsonMember = { readonly parent: Json[] | { [name: string]: Json }; readonly name: string }

function placesIn(json: Json, places: JsonMember[] = [], depth = 0): JsonMember[] {
  if (typeof json !== 'object' || json === null || depth > 40) return places
  for (const [name, child] of Object.entries(json)) {
    places.push({ parent: json, name })
    placesIn(child, places, depth + 1)
  }
  return places
}

function mutateNode(holder: { root: Json }, random: Random, words: readonly string[]): void {
  const places = placesIn(holder)
  if (places.length === 0) return
  const { parent, name } = random.pick(places)
  const other = random.pick(places)
  const old = read(parent, name)
  const kind = random.int(8)
  if (kind === 0) remove(parent, name)
  else if (kind === 1)
    write(parent, words.length > 0 && random.chance(0.5) ? random.pick(words) : random.pick(ODD_TEXTS), old)
  else if (kind === 2) write(parent, name, structuredClone(read(other.parent, other.name)))
  else write(parent, name, changed({ old, name, kind }, random, words))
}

type Old = { readonly old: Json; readonly name: string; readonly kind: number }

function changed({ old, name, kind }: Old, random: Random, words: readonly string[]): Json {
  if (kind === 3) return random.pick(ODD_VALUES)
  if (kind === 4) return random.chance(0.5) ? [old] : { [name]: old }
  if (kind === 5) return someValue(random, words, 2)
  if (kind === 6) return repeated(old, random)
  return typeof old === 'string' ? mutateText(old, random, words) : random.pick(ODD_TEXTS)
}

function read(parent: JsonMember['parent'], name: string): Json {
  return Object.getOwnPropertyDescriptor(parent, name)?.value ?? null
}

/** Writes a copy, so that no value is at two places. */
function write(parent: JsonMember['parent'], name: string, given: Json): void {
  const value = structuredClone(given)
  if (Array.isArray(parent)) {
    const at = Number(name)
    if (Number.isInteger(at) && at <= parent.length) parent[at] = value
    else parent.push(value)
  } else Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true })
}

function remove(parent: JsonMember['parent'], name: string): void {
  if (Array.isArray(parent)) parent.splice(Number(name), 1)
  else delete parent[name]
}

/** A list with its items many times, or a text many times. */
function repeated(old: Json, random: Random): Json {
  const times = random.chance(0.05) ? 300 : 2 + random.int(4)
  if (typeof old === 'string') return old.repeat(times).slice(0, 50_000)
  if (Array.isArray(old))
    return old.length < 50 ? Array.from({ length: times }, () => structuredClone(old)).flat() : old
  return Array.from({ length: Math.min(times, 40) }, () => structuredClone(old))
}

function someValue(random: Random, words: readonly string[], depth: number): Json {
  const word = (): string =>
    words.length > 0 && random.chance(0.7) ? random.pick(words) : random.pick(ODD_TEXTS)
  const kind = random.int(depth > 0 ? 7 : 4)
  if (kind === 0) return random.pick(ODD_VALUES)
  if (kind === 1) return random.int(1_000) - 10
  if (kind < 4) return word()
  const size = random.int(5)
  if (kind === 4) return Array.from({ length: size }, () => someValue(random, words, depth - 1))
  const members = Array.from({ length: size }, (): [string, Json] => [
    word(),
    someValue(random, words, depth - 1),
  ])
  return Object.fromEntries(members)
}

/** The text inside of many lists or objects. */
function nested(text: string, random: Random): string {
  const depth = random.pick(DEPTHS)
  return random.chance(0.5)
    ? '['.repeat(depth) + text + ']'.repeat(depth)
    : '{"a":'.repeat(depth) + text + '}'.repeat(depth)
}

/** A scalar replaced by a text that only a parser of JSON can tell from a value. */
function withRaw(text: string, random: Random): string {
  const scalars = [...text.matchAll(/(?<=[:[,])(?:"[^"\\]{0,200}"|-?\d+|true|false|null)(?=[,\]}])/g)]
  if (scalars.length === 0) return random.pick(RAW)
  const { 0: old, index } = random.pick(scalars)
  return text.slice(0, index) + random.pick(RAW) + text.slice(index + old.length)
}
