/** What an answer or a post says, as lines of a history tell it. @module */
import { createHash } from 'node:crypto'
import type { Answer, Said } from './lines.ts'

/** Short, and as good as different for different bytes. */
export function digestOf(bytes: string): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
}

/** @param text the bytes of an answer over HTTP */
export function answerOf(status: number, text: string): Answer {
  const json = jsonIn(text)
  const error = status >= 400 ? String(Object(json).error) : null
  return { status, error, body: digestOf(text), says: error === null ? saidBy(json) : {} }
}

/** @param json of an answer, of an event of a stream, or of a result that was posted */
export function saidBy(json: unknown): Said {
  if (typeof json === 'string') return { status: json }
  const { status, proofStatus, nextSession, pairingMethod, options, protocolVersion } = Object(json)
  const isConnection = protocolVersion !== undefined
  return {
    ...(typeof status === 'string' && { status }),
    ...(typeof proofStatus === 'string' && { proofStatus }),
    ...(typeof Object(nextSession).u === 'string' && { next: digestOf(nextSession.u) }), // a result names it by a token
    ...(typeof pairingMethod === 'string' && { method: pairingMethod }),
    ...(isConnection && { isPairing: Object(options).pairingMethod === 'pin' }),
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no JSON, as of an answer without a body
  }
}
