/** All figures of the actors of a server, created once for each server. @module */
import type { Meter } from '../../ports/meter.ts'
import { type ArithmeticFigures, arithmeticFigures } from './arithmetic-figures.ts'
import { type DeliveryFigures, deliveryFigures } from './delivery-figures.ts'
import { type LoginFigures, loginFigures } from './login-figures.ts'
import { type RowFigures, rowFigures } from './row-figures.ts'
import { type SessionFigures, sessionFigures } from './session-figures.ts'
import { type SignInFigures, signInFigures } from './sign-in-figures.ts'

export type Figures = {
  readonly sessions: SessionFigures
  readonly deliveries: DeliveryFigures
  /** null: the server has no accounts */
  readonly logins: LoginFigures | null
  /** null: the server is no OpenID provider */
  readonly signIns: SignInFigures | null
  readonly rows: RowFigures
  readonly arithmetic: ArithmeticFigures
}

export type CountedServer = {
  /** names in the settings */
  readonly requestors: readonly string[]
  readonly hasAccounts: boolean
  /** names of the clients of an OpenID provider; left out: the server is none */
  readonly clients?: readonly string[]
}

export function actorFigures(meter: Meter, { requestors, hasAccounts, clients }: CountedServer): Figures {
  const deliveries = deliveryFigures(meter, hasAccounts)
  return {
    sessions: sessionFigures(meter, requestors, deliveries),
    deliveries,
    logins: hasAccounts ? loginFigures(meter, deliveries) : null,
    signIns: clients ? signInFigures(meter, clients) : null,
    rows: rowFigures(meter),
    arithmetic: arithmeticFigures(meter),
  }
}
