/** One exchange of a recording. @module */
import type { JsonText } from './json-text.ts'

export type RawExchange = {
  readonly n: number
  readonly atMs: number
  readonly note?: string
  readonly party: string
  readonly to: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly raw?: string
  }
  readonly response: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly raw?: string
    /** a body of bytes */
    readonly hex?: string
  } | null
  readonly events?: readonly { readonly frame: string }[]
}
/** Its bodies, with each member as text. */
export type Bodies = { readonly request: JsonText | undefined; readonly response: JsonText | undefined }
