/** The keys that a timestamp server trusts (spec/cryptography#8.3 rule 2). A scheme names the server. Its answer about a key is valid until the time in
 *  that answer. @module */
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Timestamp } from '../../crypto/timestamp.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Outgoing, OutgoingError } from '../../ports/outgoing.ts'

/** True if `server` trusted the key of the timestamp at the time of the timestamp. False if the server cannot be reached.
 *  @param server URL, as in the scheme */
export type IsTrustedStamp = (server: string, timestamp: Timestamp) => Promise<boolean>

export type TimestampKeysDeps = {
  readonly outgoing: Pick<Outgoing, 'get'>
  readonly clock: Pick<Clock, 'wallNow'>
}

/** The only algorithm whose signatures are checked. */
const ALG = 'ed25519'
const KEY_BYTES = 32
const MAX_KEYS = 1_000
/** The end of the trust in an untrusted key. */
const NEVER = Number.NEGATIVE_INFINITY

const answer = z.object({ Trusted: z.boolean(), Expires: z.iso.datetime({ offset: true }) })

/** Caches positive answers. Callers with the same question share one request to the server. */
export function timestampKeys({ outgoing, clock }: TimestampKeysDeps): IsTrustedStamp {
  /** by URL of the question: Unix ms until which the key is trusted */
  const known = new LRUCache<string, number>({ max: MAX_KEYS })
  const asked = new Map<string, Promise<number>>()

  function trustedUntil(address: string): number | Promise<number> {
    const untilAt = known.get(address) ?? NEVER
    if (untilAt > clock.wallNow()) return untilAt
    const asking = asked.get(address) ?? ask(address).finally(() => asked.delete(address))
    asked.set(address, asking)
    return asking
  }

  async function ask(address: string): Promise<number> {
    try {
      const untilAt = readAnswer(await outgoing.get(address))
      if (untilAt > clock.wallNow()) known.set(address, untilAt)
      return untilAt
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      return NEVER
    }
  }

  return async (server, { alg, publicKey, timeSec }) => {
    if (alg !== ALG || publicKey.length !== KEY_BYTES) return false
    const key = Buffer.from(publicKey).toString('hex')
    const address = `${server}${server.endsWith('/') ? '' : '/'}checkPublicKey?alg=${ALG}&pk=${key}`
    return (await trustedUntil(address)) >= timeSec * 1_000
  }
}

function readAnswer({ status, text }: { readonly status: number; readonly text: string }): number {
  const { success, data } = answer.safeParse(status === 200 ? parseJson(text) : undefined)
  return success && data.Trusted ? Date.parse(data.Expires) : NEVER
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not an answer to the question
  }
}
