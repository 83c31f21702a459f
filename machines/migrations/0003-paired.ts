/** From chart 3, which did not remember that the wallet app was paired, to chart 4. @module */

type Stored = { readonly value: unknown; readonly context: unknown }

/** A session that was asked to pair and goes on is past it, unless it waits for the code. Of one that ended without a result nobody knows it any more. */
export function paired({ value, context }: Stored): Stored {
  if (typeof context !== 'object' || context === null) return { value, context }
  const isPast = value === 'DONE' || typeof value === 'object'
  return {
    value,
    context: { ...context, isPaired: isPast && 'pairing' in context && context.pairing === 'pin' },
  }
}
