/** A requestor asks for what it may not. @module */
import type { Attack } from '../attack.ts'
import {
  ALLOWED_REQUEST,
  claimsOf,
  hs256,
  ISSUANCE,
  isStarted,
  jwtOf,
  LARGE_REQUEST,
  SMALL,
  startWithRequestors,
} from '../requestors.ts'

export const attack: Attack = {
  name: 'no-permission',
  gains: 'attributes and credentials that the requestor may not ask for',
  cites: 'spec/session-server#6.6',
  on: 'own servers',
  async run(own) {
    const server = await startWithRequestors(own)
    const signed = (request: object): string => jwtOf({ alg: 'HS256' }, claimsOf(SMALL, request), hs256())
    if (!(await isStarted(server, signed(ALLOWED_REQUEST)))) throw new Error('expected a session')
    for (const request of [LARGE_REQUEST, ISSUANCE, { ...ALLOWED_REQUEST, host: 'elsewhere.example' }])
      if (await isStarted(server, signed(request))) return 'a session without permission'
    return null
  },
}
