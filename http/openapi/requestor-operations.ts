/** The descriptions of the endpoints for requestors (spec/interface#4.1). @module */
import { EMPTY, events, json, type Operation, text } from './operation.ts'
import type { Schemas } from './schemas.ts'

const SIGNED = 'A JWT (RS256) whose claims are the session result'

export function requestorOperations(schemas: Schemas) {
  const { status } = schemas
  return {
    startSession: {
      summary: 'Starts a session',
      description:
        'Attributes of one credential type in an inner conjunction must follow each other in profile irma. In profile svc, at most one type may have more than one attribute in it. The permissions of a requestor, and the schemes, determine what it may ask for.',
      body: schemas.sessionRequest,
      answers: { 200: json(schemas.sessionPackage) },
      errors: [500, 501],
    },
    cancelSession: { summary: 'Cancels a session that has not ended', answers: { 200: EMPTY } },
    sessionStatus: { summary: 'The status of a session', answers: { 200: json(status) } },
    sessionEvents: {
      summary: 'Each later change of the status',
      description:
        'The stream ends after a final status. A call with Last-Event-ID also receives the statuses that the client has missed, and ids with the events.',
      answers: { 200: events(status), 204: EMPTY },
      errors: [403],
    },
    sessionResult: {
      summary: 'The result of a session so far',
      answers: { 200: json(schemas.sessionResult) },
    },
    sessionResultJwt: { summary: 'The result of a session so far, signed', answers: { 200: text(SIGNED) } },
    sessionProof: {
      summary: 'The result of a session so far, in the form of older API servers',
      answers: { 200: text('A JWT (RS256) with status and attributes') },
    },
    publicKey: {
      summary: 'The key that verifies signed results',
      answers: { 200: text('An RSA public key in PEM') },
      errors: [501],
    },
    revoke: {
      summary: 'Revokes the credentials that were issued under a revocation key',
      body: schemas.revocationRequest,
      answers: { 200: text('OK') },
      errors: [404, 500],
    },
  } as const satisfies Record<string, Operation>
}
