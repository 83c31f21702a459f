/** What the C library does with large pieces of memory. @module */
import type { LibraryHandle } from 'koffi'

/** The name that the GNU C library has for the length from which on a piece of memory is asked of the system by itself. */
const M_MMAP_THRESHOLD = -3
/** The length of a large piece: less than the tables of any key take. */
const LARGE_BYTES = 2 ** 20

/** From now on each large piece of memory is asked of the system by itself: of one that nobody touches the system gives none, and one that is freed goes back at once. Left to
 *  itself, the GNU C library keeps freed pieces of up to 32 MB and fills them with zeros when they are needed again, so that tables that come and go took ten times their memory.
 *  Other C libraries have no such setting. */
export function keepLargePiecesApart(process: Pick<LibraryHandle, 'func'>): void {
  let set: (parameter: number, value: number) => number
  try {
    set = process.func('int mallopt(int parameter, int value)')
  } catch {
    return // it is another C library
  }
  set(M_MMAP_THRESHOLD, LARGE_BYTES)
}
