/** The descriptions of the endpoints for wallet apps (spec/interface#4.3). @module */
import { z } from 'zod'
import type { Profile } from '../../protocol/profiles.ts'
import { json, type Operation } from './operation.ts'
import type { Schemas } from './schemas.ts'

export function appOperations(schemas: Schemas, profile: Profile) {
  const { minVersionHeader, maxVersionHeader } = profile
  const versions = [
    { name: minVersionHeader, words: 'The lowest protocol version that the app speaks', isRequired: true },
    { name: maxVersionHeader, words: 'The highest protocol version that the app speaks', isRequired: true },
  ]
  return {
    startStaticSession: {
      summary:
        'Starts the session that is configured under this name, for a wallet app that scanned its printed QR code',
      description: 'Here the last part of the path is the name of a static session. The body is not read.',
      answers: { 200: json(schemas.sessionPointer) },
    },
    connect: {
      summary: 'The first call of a wallet app. It gets the request of the session',
      description:
        'If the call is allowed but fails, the session ends. A repeated call gets the same answer.',
      headers: versions,
      answers: { 200: json(schemas.firstAnswer) },
      errors: [500],
    },
    requestAfterPairing: {
      summary: 'The request of the session, after pairing is completed',
      answers: { 200: json(schemas.sessionRequestForApp) },
    },
    submitProofs: {
      summary: 'The answer to a disclosure or signature request',
      body: z.union([schemas.signedMessage, schemas.disclosureMessage]),
      answers: { 200: json(schemas.outcome) },
      errors: [500],
    },
    submitCommitments: {
      summary: 'The answer to an issuance request',
      body: schemas.commitmentMessage,
      answers: { 200: json(schemas.outcome) },
      errors: [500],
    },
  } as const satisfies Record<string, Operation>
}
