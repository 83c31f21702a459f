/** Where the parts of a drawing stand. The layouts beside this file are written by `npm run docs`; who shows a chart needs no program that lays out. @module */

/** In pixels from the upper left corner of the drawing. */
export type Layout = {
  readonly width: number
  readonly height: number
  /** by the ids of states: left, top, width, height */
  readonly states: Readonly<Record<string, readonly number[]>>
  /** by the ids of arrows, those of a beginning included: the points of its line, x and y in turns */
  readonly lines: Readonly<Record<string, readonly number[]>>
  /** by the ids of arrows: left and top of its blocks */
  readonly blocks: Readonly<Record<string, readonly number[]>>
}

/** The id of the arrow that leads from a dot to the state in which the chart, or a compound state, begins.
 *  @param state null: the chart itself */
export function beginningId(state: string | null): string {
  return `begin ${state ?? 'chart'}`
}
