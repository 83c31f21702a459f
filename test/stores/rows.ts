/** Rows as a gate might write them. @module */

import { restoreRequest } from '../../protocol/request.ts'
import { restoreSentUpdates } from '../../protocol/sent-updates.ts'
import { restoreOutcome } from '../../sessions/result.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'

export function sessionRow(name: string, changes: Partial<SessionRow> = {}): SessionRow {
  return {
    id: `id-${name}`,
    version: 1,
    chart: 1,
    status: 'INITIALIZED',
    deadlineAt: 5_000,
    snapshot: { value: 'INITIALIZED', context: { deadlineAt: 5_000, pairing: 'none' } },
    claim: null,
    claimedBody: null,
    progress: null,
    answered: null,
    requestorTokenHash: hashOfToken(`requestor-${name}`),
    frontendTokenHash: hashOfToken(`frontend-${name}`),
    sentToken: `requestor-${name}`,
    requestor: 'shop',
    profile: 'svc',
    request: restoreRequest('{"request":{}}'),
    nonce: 'AQ==',
    pairingCode: null,
    clientAuthorization: null,
    sentUpdates: null,
    result: null,
    ...changes,
  }
}

export const CLAIM = { number: 2, callHash: 'h', bootId: 'boot A', leaseUntil: 30_000 }

/** A row with every column filled, with text that is easily corrupted in transit. */
export function fullRow(name: string): SessionRow {
  const text = 'naïve ☃ 𝄞 "quoted" \\ \u2028 it\'s'
  const answer = { status: 200, contentType: 'application/json', body: `${text}\u0000\n` }
  return sessionRow(name, {
    version: 2,
    status: 'CONNECTED',
    snapshot: { value: { CONNECTED: 'checking' }, context: { claim: 2, protocolVersion: '2.8' } },
    claim: CLAIM,
    sentToken: 'requestor-full',
    claimedBody: `\ufeff${text}\u0000 after a NUL`,
    progress: JSON.stringify({ text }),
    answered: { callHash: 'g', version: 2, answeredAt: 4_000, answer },
    requestor: text,
    request: restoreRequest(JSON.stringify({ text })),
    pairingCode: '0042',
    clientAuthorization: text,
    sentUpdates: restoreSentUpdates(JSON.stringify({ text })),
    result: restoreOutcome(JSON.stringify({ text: '\u0000' })),
  })
}

export function owedRow(id: string, changes: Partial<DeliveryRow> = {}): DeliveryRow {
  return {
    id,
    owner: 'id-s',
    cause: 'DONE',
    version: 1,
    chart: 1,
    state: 'waiting',
    host: 'shop.example',
    owedAt: 1_000,
    giveUpAt: 9_000,
    dueAt: 1_000,
    attempts: 0,
    bootId: null,
    requestor: 'shop',
    lastOutcome: null,
    message: JSON.stringify({ text: 'naïve ☃ \u0000' }),
    ...changes,
  }
}
