/** From chart 2, in which every app could fetch the session request again, to chart 3. @module */

type Stored = { readonly value: unknown; readonly context: unknown }

/** It is unknown whether the request was fetched already, so an app that has not fetched it yet gets it. */
export function fetchedOnce({ value, context }: Stored): Stored {
  if (typeof context !== 'object' || context === null) return { value, context }
  return { value, context: { ...context, isFetched: false } }
}
