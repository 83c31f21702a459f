/** @module */

/** Welch's t of two samples: the difference of their means in standard errors. */
export function welchT(a: readonly number[], b: readonly number[]): number {
  const [first, second] = [meanAndError(a), meanAndError(b)]
  return (first.mean - second.mean) / Math.sqrt(first.squaredError + second.squaredError)
}

function meanAndError(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, squaredError: squares / (values.length - 1) / values.length }
}
