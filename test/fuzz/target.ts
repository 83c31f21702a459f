/** A part of the program that gets inputs of a fuzzer. @module */
import type { Random } from './random.ts'

/** A text, or a call in JSON. A text with bytes has one character below U+0100 for each byte. */
export type Input = string | { readonly [member: string]: Input }

export type Target = {
  /** also the beginning of the names of its kept inputs */
  readonly name: string
  /** An input that the grammar of the target allows, or a mutation of a recorded one. */
  readonly generate: (random: Random) => Input
  /** @returns the fault that the input shows, without secrets; null: none */
  readonly tryInput: (input: Input) => Promise<string | null> | string | null
  /** Reaches the state in which the input is tried. */
  readonly prepare?: (input: Input) => Promise<void>
  /** Forgets reached states before an input that is tried alone. */
  readonly refresh?: () => void
  /** The part of the target that this input reaches, for usual times; by default the name. */
  readonly partOf?: (input: Input) => string
}
