/** The layouts of all drawings, written by `npm run docs`. @module */
import type { ChartName } from '../chart.ts'
import { DELIVERY_LAYOUT } from './delivery.ts'
import type { Layout } from './layout.ts'
import { LOGIN_LAYOUT } from './login.ts'
import { SESSION_LAYOUT } from './session.ts'

export const LAYOUTS: Readonly<Record<ChartName, Layout>> = {
  session: SESSION_LAYOUT,
  delivery: DELIVERY_LAYOUT,
  login: LOGIN_LAYOUT,
}
