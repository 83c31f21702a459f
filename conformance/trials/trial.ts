/** What a trial is: it ends quietly where the server does what the row says, and throws what it does instead. @module */
import type { RowId } from '../rows.ts'
import type { Service } from '../service.ts'

export type Trial = (service: Service) => Promise<void>
export type Trials = { readonly [id in RowId]?: Trial }

/** A token of no session. */
export const NO_TOKEN = 'abcdefghijABCDEFGHIJ'
export const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
