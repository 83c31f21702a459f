/** The type of a trial: it returns if the server conforms to the row, and otherwise throws the difference. @module */
import type { AnswerOptions } from '../app.ts'
import type { RowId } from '../rows.ts'
import type { Service } from '../service.ts'

export type Trial = (service: Service) => Promise<void>
export type Trials = { readonly [id in RowId]?: Trial }

/** A token that belongs to no session. */
export const NO_TOKEN = 'abcdefghijABCDEFGHIJ'
export const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
export const WEEK_SEC = 604_800

/** The user of the wallet refuses. */
export const REFUSE: AnswerOptions = { consent: async () => ({ answer: 'refuse' }) }
