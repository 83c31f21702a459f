/** A fault that a server must not have, with the attack that gains something from it: one check is taken out, or made weaker. @module */

/** `right` occurs once in the built file. */
export type Edit = readonly [file: string, right: string, wrong: string]

export type AttackedFault = {
  /** the name of the attack */
  readonly attack: string
  readonly title: string
  readonly edits: readonly Edit[]
}
