/** The space that the texts of a drawing need. Blocks use a monospaced font, so their size does not depend on the reader's font. @module */
import type { Block } from './blocks.ts'

export type Size = { readonly width: number; readonly height: number }

/** Font sizes in pixels. The style of the drawing (charts/drawing/style.ts) uses the same. */
export const BLOCK_FONT = 11
export const TITLE_FONT = 14
export const LINE_HEIGHT = 15
/** The space between two blocks. */
export const BLOCK_GAP = 7
/** The space between the border of a state and its content. */
export const PADDING = 12
/** The space for the name of a state, above its content. */
export const TITLE_HEIGHT = 34
/** The diameter of the dot that marks an initial state. */
export const DOT = 10

/** The width of the widest letter among the usual monospaced fonts. */
const BLOCK_LETTER = 0.605 * BLOCK_FONT

export function sizeOfBlocks(blocks: readonly Block[]): Size {
  const lines = blocks.flatMap(block => [block.title, ...block.lines])
  if (lines.length === 0) return { width: 0, height: 0 }
  return {
    width: Math.ceil(Math.max(...lines.map(line => line.length)) * BLOCK_LETTER),
    height: lines.length * LINE_HEIGHT + (blocks.length - 1) * BLOCK_GAP,
  }
}
