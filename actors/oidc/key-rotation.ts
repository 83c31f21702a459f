/** Decides when signing keys of an OpenID provider change, without time and randomness of its own. Each algorithm has a current key, which signs, and a next
 *  one, which is published already. Former keys stay published until the tokens that they signed have expired. @module */
import type { JsonWebKey } from 'node:crypto'

export type SigningAlgorithm = 'RS256' | 'ES256'

/** A private key with the members that name it. */
export type SigningJwk = JsonWebKey & {
  readonly kid: string
  readonly alg: SigningAlgorithm
  readonly use: 'sig'
}

export type RingKey = {
  readonly jwk: SigningJwk
  readonly state: 'next' | 'current' | 'former'
  /** Unix ms at which the key got this state */
  readonly since: number
}

export type KeyTimes = {
  /** how long a key signs */
  readonly signsMs: number
  /** minimum time that a key is published before it signs: longer than a client caches the keys */
  readonly publishedMs: number
  /** the longest lifetime of a token that a key signs */
  readonly tokenMs: number
}

/** A node notices a rotation by another one within seconds, and signs with the former key until then. */
const NOTICED_MS = 60_000

/** A key of an algorithm that the settings no longer name gets no successor.
 *  @returns the same array if no key changes */
export async function rotated(
  keys: readonly RingKey[],
  now: number,
  {
    algorithms,
    times,
    makeKey,
  }: {
    readonly algorithms: readonly SigningAlgorithm[]
    readonly times: KeyTimes
    readonly makeKey: (algorithm: SigningAlgorithm) => Promise<SigningJwk>
  },
): Promise<readonly RingKey[]> {
  const moved = keys
    .filter(key => !isGone(key, now, times))
    .flatMap(key => movedKey(key, keys, now, { algorithms, times }))
  const made: RingKey[] = []
  for (const algorithm of algorithms)
    for (const state of ['current', 'next'] as const)
      if (!moved.some(key => key.state === state && key.jwk.alg === algorithm))
        made.push({ jwk: await makeKey(algorithm), state, since: now })
  const isSame = made.length === 0 && moved.length === keys.length && moved.every((key, i) => key === keys[i])
  return isSame ? keys : [...moved, ...made]
}

function isGone({ state, since }: RingKey, now: number, { tokenMs }: KeyTimes): boolean {
  return state === 'former' && since + tokenMs + NOTICED_MS <= now
}

/** @returns the key, unchanged or in its next state; empty: it is dropped */
function movedKey(
  key: RingKey,
  keys: readonly RingKey[],
  now: number,
  { algorithms, times }: { readonly algorithms: readonly SigningAlgorithm[]; readonly times: KeyTimes },
): readonly RingKey[] {
  const { alg } = key.jwk
  if (key.state === 'former' || !isDue(keys, alg, now, times)) return [key]
  if (key.state === 'current') return [{ ...key, state: 'former', since: now }]
  return algorithms.includes(alg) ? [{ ...key, state: 'current', since: now }] : []
}

/** True if the current key of the algorithm has signed long enough, and the next one was published long enough. */
function isDue(
  keys: readonly RingKey[],
  algorithm: SigningAlgorithm,
  now: number,
  { signsMs, publishedMs }: KeyTimes,
): boolean {
  const since = (state: RingKey['state']): number | undefined =>
    keys.find(key => key.state === state && key.jwk.alg === algorithm)?.since
  const [current, next] = [since('current'), since('next')]
  return current !== undefined && next !== undefined && current + signsMs <= now && next + publishedMs <= now
}
