/** The room that texts of a drawing need. Texts of blocks have letters of equal width, so that their room is known whatever font a reader has. @module */
import type { Block } from './blocks.ts'

export type Size = { readonly width: number; readonly height: number }

/** The sizes of letters, in pixels. The style of the drawing (charts/drawing/style.ts) has the same. */
export const BLOCK_FONT = 11
export const TITLE_FONT = 14
export const LINE_HEIGHT = 15
/** The room between two blocks. */
export const BLOCK_GAP = 7
/** The room between the border of a state and what stands in it. */
export const PADDING = 12
/** The room for the name of a state, above what stands in it. */
export const TITLE_HEIGHT = 34
/** The diameter of the dot where a chart or a compound state begins. */
export const DOT = 10

/** The widest letter of the usual fonts of equal width is as wide. */
const BLOCK_LETTER = 0.605 * BLOCK_FONT

export function sizeOfBlocks(blocks: readonly Block[]): Size {
  const lines = blocks.flatMap(block => [block.title, ...block.lines])
  if (lines.length === 0) return { width: 0, height: 0 }
  return {
    width: Math.ceil(Math.max(...lines.map(line => line.length)) * BLOCK_LETTER),
    height: lines.length * LINE_HEIGHT + (blocks.length - 1) * BLOCK_GAP,
  }
}
