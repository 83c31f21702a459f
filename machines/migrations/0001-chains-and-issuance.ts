/** From chart 1, which knew disclosure sessions only, to chart 2. @module */

type Stored = { readonly value: unknown; readonly context: unknown }

/** No session of chart 1 issues, and none is followed by another. */
export function chainsAndIssuance({ value, context }: Stored): Stored {
  if (typeof context !== 'object' || context === null) return { value, context }
  return { value, context: { ...context, hasNextSession: false, issues: false } }
}
