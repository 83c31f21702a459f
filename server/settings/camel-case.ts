/** Names as settings files write them, and as TypeScript does: `max_streams`, `maxStreams`. @module */

export type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

export type CamelCased<Values> = { readonly [Name in keyof Values & string as CamelCase<Name>]: Values[Name] }

export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** @param without names that are left out
 *  @returns the values by their names in TypeScript. Names of members inside a value stay as they are */
export function camelCased<Values extends object, Without extends keyof Values>(
  values: Values,
  without: readonly Without[],
): CamelCased<Omit<Values, Without>> {
  const leftOut: readonly PropertyKey[] = without
  const entries = Object.entries(values).filter(([name]) => !leftOut.includes(name))
  const named = entries.map(([name, value]) => [camelCase(name), value] as const)
  return Object.fromEntries(named) as CamelCased<Omit<Values, Without>> // the type of fromEntries loses the names
}
