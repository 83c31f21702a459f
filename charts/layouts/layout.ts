/** The positions of the parts of a drawing. `npm run docs` writes the layouts beside this file, so showing a chart needs no layout program. @module */

/** In pixels from the upper left corner of the drawing. */
export type Layout = {
  readonly width: number
  readonly height: number
  /** by id of the state: left, top, width, height */
  readonly states: Readonly<Record<string, readonly number[]>>
  /** by id of the arrow, initial arrows included: the points of its line, x and y alternating */
  readonly lines: Readonly<Record<string, readonly number[]>>
  /** by id of the arrow: left and top of its blocks */
  readonly blocks: Readonly<Record<string, readonly number[]>>
}

/** The id of the arrow from a dot to the initial state of the chart or of a compound state.
 *  @param state null: the chart itself */
export function beginningId(state: string | null): string {
  return `begin ${state ?? 'chart'}`
}
