/** How the C library allocates large pieces of memory. @module */
import type { LibraryHandle } from 'koffi'

/** The GNU C library's parameter for the length from which a piece of memory is mapped separately. */
const M_MMAP_THRESHOLD = -3
/** The length of a large piece, smaller than the tables of any key. */
const LARGE_BYTES = 2 ** 20

/** From now on each large piece of memory is mapped separately. The system then backs untouched pages with no memory, and a freed piece is returned at once. By
 *  default the GNU C library keeps freed pieces of up to 32 MB and fills them with zeros when it reuses them. Tables that came and went then took ten times
 *  their memory. Other C libraries have no such setting. */
export function keepLargePiecesApart(process: Pick<LibraryHandle, 'func'>): void {
  let set: (parameter: number, value: number) => number
  try {
    set = process.func('int mallopt(int parameter, int value)')
  } catch {
    return // another C library
  }
  set(M_MMAP_THRESHOLD, LARGE_BYTES)
}
