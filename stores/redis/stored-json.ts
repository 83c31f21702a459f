/** JSON that this program wrote into a Redis server. Nobody else writes the keys, so that its form is known; whoever may write there can damage it all the same. @module */

/** @returns null: the text was damaged */
export function objectIn(text: string) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** @throws {Error} for a text that was damaged, without quoting it (law 6) */
export function readJson(text: string) {
  const value = objectIn(text)
  if (value === null)
    throw new Error('store: expected a text that this program wrote, got one that was damaged')
  return value
}
