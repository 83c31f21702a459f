/** A response of the tested server. @module */

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** the body as JSON; undefined if it is not JSON */
  readonly json: unknown
}
