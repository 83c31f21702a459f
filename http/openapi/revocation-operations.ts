/** The descriptions of the endpoints of revocation (spec/cryptography#14.7): CBOR, errors too. @module */
import { bytes, EMPTY, events, type Operation } from './operation.ts'
import type { Schemas } from './schemas.ts'

export function revocationOperations({ update }: Schemas) {
  return {
    updates: {
      summary: 'The latest accumulator of every key, with its last events',
      answers: { 200: bytes('CBOR: updates by key counter') },
      errors: [500],
    },
    updateOfKey: {
      summary: 'The latest accumulator of one key, with its last events',
      answers: { 200: bytes('CBOR: an update, or null') },
      errors: [500],
    },
    updateEvents: { summary: 'Each later accumulator', answers: { 200: events(update) } },
    revocationEvents: {
      summary: 'Events from the first number up to the second',
      description: 'Both numbers are multiples of 16.',
      answers: { 200: bytes('CBOR: events') },
      errors: [500],
    },
    issuanceRecord: {
      summary: 'The record of a credential that an issuer is about to issue: CBOR, signed by its key',
      answers: { 200: EMPTY },
      errors: [403, 500],
    },
  } as const satisfies Record<string, Operation>
}
