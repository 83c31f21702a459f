/** The reason why no test can find a mutant, and reasons that several folders share. @module */

export type Equal = { readonly names: RegExp; readonly reason: string }

export const NARROWING =
  'the part is there for the compiler: whatever it keeps out, the other part keeps out, too'
export const OURS_ALONE =
  'whatever else is thrown there is a mistake of this program, and nobody can cause it from outside'
export const NOT_IN_JSON = 'a member that is undefined does not stand in JSON'
/** A mutant that keeps data which the program would drop changes no answer, and no test measures so few bytes. */
export const MEMORY_ALONE = 'it costs memory alone: a few bytes stay of each host or session'
