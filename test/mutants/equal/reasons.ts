/** The reason why no test can find a mutant, and reasons that several folders share. @module */

export type Equal = { readonly names: RegExp; readonly reason: string }

export const NARROWING = 'the part is only for the compiler: the other part already excludes the same values'
export const OURS_ALONE =
  'any other error there is a bug of this program, which no caller can cause from outside'
export const NOT_IN_JSON = 'JSON leaves out a member that is undefined'
/** A mutant that keeps data which the program would drop changes no answer, and no test measures so few bytes. */
export const MEMORY_ALONE = 'it only costs memory: a few bytes stay for each host or session'
