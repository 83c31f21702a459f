/** From chart 3, which did not remember that the wallet app was paired, to chart 4. @module */

type Stored = { readonly value: unknown; readonly context: unknown }

/** A session with pairing is paired once it is in `CONNECTED` or `DONE`. If it ended without a result, this is unknown, and it counts as not paired. */
export function paired({ value, context }: Stored): Stored {
  if (typeof context !== 'object' || context === null) return { value, context }
  const isPast = value === 'DONE' || typeof value === 'object'
  return {
    value,
    context: { ...context, isPaired: isPast && 'pairing' in context && context.pairing === 'pin' },
  }
}
