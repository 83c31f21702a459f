/** The charts of the product as data, read from their definitions in `machines/`. @module */
import { deliveryChart } from '../machines/delivery.ts'
import { loginChart } from '../machines/keyshare-login.ts'
import { sessionChart } from '../machines/session.ts'
import type { Chart, ChartName } from './chart.ts'
import { describeChart } from './describe.ts'

export const CHARTS: Readonly<Record<ChartName, Chart>> = {
  session: describeChart('session', sessionChart),
  delivery: describeChart('delivery', deliveryChart),
  login: describeChart('login', loginChart),
}
