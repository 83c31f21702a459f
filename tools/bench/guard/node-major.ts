/** @module */

/** The major version of this Node. */
export function nodeMajor(): number {
  return Number.parseInt(process.versions.node, 10)
}
