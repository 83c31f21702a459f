/** Reads and changes parsed JSON of a server, which may have any shape. @module */

export type Path = readonly (string | number)[]

/** @returns undefined if the place does not exist */
export function at(json: unknown, ...path: Path): unknown {
  let value = json
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

/** @param value undefined: removes the value in that place */
export function put(json: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value
  const inner = put(at(json, name), rest, value)
  if (Array.isArray(json)) return json.with(Number(name), inner)
  return { ...membersOf(json), [name]: inner }
}

export function membersOf(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null ? { ...json } : {}
}

export function listOf(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : []
}

/** @returns undefined if the text is not JSON */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
