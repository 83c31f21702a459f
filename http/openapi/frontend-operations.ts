/** The descriptions of the endpoints for frontends, and of those that wallet apps share with them (spec/interface#4.2, #4.4). @module */
import { EMPTY, events, json, type Operation } from './operation.ts'
import type { Schemas } from './schemas.ts'

export function frontendOperations(schemas: Schemas) {
  return {
    cancelByClient: { summary: 'Cancels a session that has not ended', answers: { 200: EMPTY } },
    statusForClient: { summary: 'The status of a session', answers: { 200: json(schemas.status) } },
    eventsForClient: {
      summary: 'Each later change of the status',
      answers: { 200: events(schemas.status), 204: EMPTY },
    },
    frontendStatus: {
      summary: 'The status of a session, with the pointer of the session that follows it',
      answers: { 200: json(schemas.frontendStatus) },
    },
    frontendEvents: {
      summary: 'Each later change of the frontend status',
      answers: { 200: events(schemas.frontendStatus), 204: EMPTY },
    },
    frontendOptions: {
      summary: 'Turns pairing on or off, until the wallet app connects',
      body: schemas.frontendOptions,
      answers: { 200: json(schemas.sessionOptions) },
    },
    pairingCompleted: {
      summary: 'The user has typed the pairing code: the wallet app may go on',
      answers: { 204: EMPTY },
    },
  } as const satisfies Record<string, Operation>
}
