/** The words of all charts. @module */
import type { ChartName } from '../chart.ts'
import { DELIVERY_WORDS } from './delivery.ts'
import { LOGIN_WORDS } from './login.ts'
import { SESSION_WORDS } from './session.ts'
import type { ChartWords } from './words.ts'

export const WORDS: Readonly<Record<ChartName, ChartWords>> = {
  session: SESSION_WORDS,
  delivery: DELIVERY_WORDS,
  login: LOGIN_WORDS,
}
