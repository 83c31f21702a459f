/** The content of an answer or a post, in the form of a line of a history. @module */
import type { Answer, Said } from './lines.ts'

/** A short digest: 64 bits of two mixed sums. Different bytes have different digests, unless a caller searches for a collision. A cryptographic hash would cost more
 *  time than the comparison itself. */
export function digestOf(bytes: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes.charCodeAt(i)
    one = Math.imul(one ^ code, 0x9e3779b1)
    other = Math.imul(other ^ code, 0x5f356495)
  }
  const [high, low] = [mixed(one, other), mixed(other, one)]
  return `${high.toString(36)}${low.toString(36)}`
}

function mixed(one: number, other: number): number {
  return (Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35)) >>> 0
}

/** @param text the bytes of an answer over HTTP
 *  @param json its parsed content, if known already */
export function answerOf(status: number, text: string, json = jsonIn(text)): Answer {
  const error = status >= 400 ? String(Object(json).error) : null
  return { status, error, body: digestOf(text), says: error === null ? saidBy(json) : {} }
}

/** @param json the content of an answer, of an event of a stream, or of a posted result */
export function saidBy(json: unknown): Said {
  if (typeof json === 'string') return { status: json }
  const { status, proofStatus, nextSession, pairingMethod, options, protocolVersion } = Object(json)
  const isConnection = protocolVersion !== undefined
  return {
    ...(typeof status === 'string' && { status }),
    ...(typeof proofStatus === 'string' && { proofStatus }),
    ...(typeof Object(nextSession).u === 'string' && { next: digestOf(nextSession.u) }), // a result names the next session by a token
    ...(typeof pairingMethod === 'string' && { method: pairingMethod }),
    ...(isConnection && { isPairing: Object(options).pairingMethod === 'pin' }),
  }
}

/** @returns undefined if it is not JSON, such as an answer without a body */
export function jsonIn(text: string): unknown {
  if (text === '') return undefined // an exception with its stack costs more than most answers
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
