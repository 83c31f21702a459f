/** The requests of requestors in a simulation. @module */
import { OVER18 } from '../http/harness.ts'
import type { Journey } from './plan.ts'

/** The address for posted results, and the address that gives the next session of a chain. */
export const CALLBACK = 'http://shop.example/callback'
export const NEXT = 'http://shop.example/next'

const REQUESTS: Readonly<Record<Journey['type'], object>> = {
  disclosure: { '@context': 'https://svc.example/ld/request/disclosure/v2', disclose: [[[OVER18]]] },
  signature: {
    '@context': 'https://svc.example/ld/request/signature/v2',
    disclose: [[[OVER18]]],
    message: 'a message',
  },
  issuance: {
    '@context': 'https://svc.example/ld/request/issuance/v2',
    credentials: [{ credential: 'svc-demo.fast.note', attributes: { text: 'a' } }],
  },
}

/** The extended session request that begins a journey. */
export function creationOf({ type, timeoutSec, hasCallback, isFollowed }: Journey): object {
  return {
    ...(timeoutSec !== null && { timeout: timeoutSec }),
    ...(hasCallback && { callbackUrl: CALLBACK }),
    ...(isFollowed && { nextSession: { url: NEXT } }),
    request: REQUESTS[type],
  }
}

/** The answer to a post that asks for the next session of a chain. */
export const FOLLOWING = JSON.stringify({ request: REQUESTS.disclosure })
