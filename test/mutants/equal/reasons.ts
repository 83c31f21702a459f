/** Why no test can tell a mutant from the program, and reasons that more than one room has. @module */

export type Equal = { readonly names: RegExp; readonly reason: string }

export const NARROWING =
  'the part is there for the compiler: whatever it keeps out, the other part keeps out, too'
export const OURS_ALONE =
  'whatever else is thrown there is a mistake of this program, and nobody can cause it from outside'
export const NOT_IN_JSON = 'a member that is undefined does not stand in JSON'
/** A mutant that keeps what could be forgotten changes no answer, and no test looks at so few bytes. */
export const MEMORY_ALONE = 'it costs memory alone: a few bytes stay of each host or session'
