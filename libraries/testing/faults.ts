/** Phones with faults: changes their requests before they are sent. @module */

/** `old-version`: the phone supports only a version that no server supports any more. `broken-proof`: its proofs are not valid. */
export type PhoneFault = (typeof PHONE_FAULTS)[number]
export const PHONE_FAULTS = ['old-version', 'broken-proof'] as const

const OLD_VERSION = '2.3'
const VERSION_HEADER = /^x-\w+-m(in|ax)protocolversion$/i
/** The members that hold the proofs: of a disclosure, an issuance, a signature. */
const LISTS = ['proofs', 'combinedProofs', 'signature'] as const
/** The number 1 in Base64. */
const WRONG_CHALLENGE = 'AQ=='

/** @param fault undefined: none */
export function fetchWithFault(fetch: typeof globalThis.fetch, fault: PhoneFault | undefined): typeof fetch {
  if (fault === undefined) return fetch
  const change = fault === 'old-version' ? withOldVersion : withBrokenProof
  return function faultyFetch(input, init) {
    return fetch(input, init && change(init))
  }
}

function withOldVersion(init: RequestInit): RequestInit {
  const headers = [...new Headers(init.headers)]
  return {
    ...init,
    headers: headers.map(([name, value]) => [name, VERSION_HEADER.test(name) ? OLD_VERSION : value]),
  }
}

function withBrokenProof(init: RequestInit): RequestInit {
  if (typeof init.body !== 'string') return init
  const body: Record<string, unknown> = JSON.parse(init.body)
  const broken = LISTS.flatMap(name => {
    const proofs = body[name]
    return Array.isArray(proofs) ? [[name, proofs.map(each => ({ ...each, c: WRONG_CHALLENGE }))]] : []
  })
  return { ...init, body: JSON.stringify({ ...body, ...Object.fromEntries(broken) }) }
}
