/** What the C library does with large pieces of memory. @module */
import type { LibraryHandle } from 'koffi'

/** Of the GNU C library: pieces of so many bytes and more are the system's own. */
const M_MMAP_THRESHOLD = -3
/** Less than the tables of any key take. */
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
