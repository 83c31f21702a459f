/** Why no test can tell a mutant from the program, and reasons that more than one room has. @module */

export type Equal = { readonly names: RegExp; readonly reason: string }

export const NARROWING =
  'the part is there for the compiler: whatever it keeps out, the other part keeps out, too'
export const OURS_ALONE =
  'whatever else is thrown there is a mistake of this program, and nobody can cause it from outside'
export const NOT_IN_JSON = 'a member that is undefined does not stand in JSON'
/** What no test looks at, and no user either, but who looks for long. */
export const MEMORY_ALONE = 'it costs memory alone: a few bytes stay of each host or session'
