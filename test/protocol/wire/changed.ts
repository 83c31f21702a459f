/** Changes one place of a message, for every place and many changes. A reader and a schema must agree about each result. @module */
import type { JsonValue } from '../../../protocol/json.ts'

const VALUES: readonly JsonValue[] = [
  null,
  true,
  0,
  -1,
  1.5,
  70_000,
  604_801,
  '',
  'x',
  [],
  [null],
  [''],
  {},
  { x: 1 },
]

/** The changes of a place: nothing, another value, or an additional one. */
export function* changed(json: JsonValue, known: readonly string[] = []): Generator<JsonValue> {
  for (const value of VALUES) yield value
  if (Array.isArray(json)) {
    for (const [i, item] of json.entries()) {
      yield json.toSpliced(i, 1)
      for (const other of changed(item)) yield json.with(i, other)
    }
  } else if (typeof json === 'object' && json !== null) {
    for (const name of known.filter(each => !Object.hasOwn(json, each)))
      for (const value of VALUES) yield { ...json, [name]: value }
    for (const [name, item] of Object.entries(json)) {
      const { [name]: _, ...others } = json as { readonly [name: string]: JsonValue }
      yield others
      for (const other of changed(item)) yield { ...others, [name]: other }
    }
  } else if (typeof json === 'string') {
    yield `${json} `
    yield `${json}.x`
    yield json.slice(0, json.lastIndexOf('.') + 1)
  }
}
