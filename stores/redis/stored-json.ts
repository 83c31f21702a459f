/** Reads JSON that this program wrote into a Redis server. Its form is known, but other programs with access may have damaged it. @module */

/** @returns null: the text is damaged */
export function objectIn(text: string) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** @throws {Error} if the text is damaged, without quoting it (spec/laws#6) */
export function readJson(text: string) {
  const value = objectIn(text)
  if (value === null)
    throw new Error('store: expected a text that this program wrote, got one that was damaged')
  return value
}
