/** The keyshare server's half of proofs: R_0 of issuer keys to the power of m_k and w_k, in constant time. The challenge of the second version of its protocol
 *  is calculated here as well. Short work is done in this thread. All other work is done in the worker threads, where each key of a request is a piece of its
 *  own. @module */
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { bitLength } from '../../crypto/bytes.ts'
import { powerOfSecret } from '../../crypto/keyshare/secrets.ts'
import { workKind } from './mean-times.ts'
import { measured } from './measured-work.ts'
import type { PowerKey, Run, Tasks } from './proofs.ts'
import type { Piece } from './queue.ts'
import type { TurnBudget } from './turn-budget.ts'

/** An object with an issuer key. */
type OfKey = { readonly key: PowerKey }

export interface KeysharePowers {
  /** R_0 of each key to the power of m_k or w_k.
   *  @throws if a thread dies */
  secretPowers<Named extends OfKey>(
    named: readonly Named[],
    secret: bigint,
  ): Promise<readonly (Named & { readonly power: bigint })[]>
  /** The challenge over the input that the app committed to; null: it committed to other input.
   *  @throws if the thread dies */
  challenge(toCalculate: Tasks['keyshareChallenge']['input']): Promise<bigint | null>
}

type Means = {
  readonly run: Run
  /** runs pieces in the threads, in their turns
   *  @throws if the pool is closed */
  readonly work: <Output>(pieces: readonly Piece<Output>[]) => Promise<readonly Output[]>
  /** runs work in a turn of this thread that has room for it */
  readonly inTurn: TurnBudget['run']
  /** of this thread */
  readonly arithmetic: Pick<Arithmetic, 'name' | 'secretPower'>
}

/** The most keys, and the longest, for which this thread calculates: about a millisecond. This takes less CPU than the work of another thread with the messages
 *  to it and back. A login of one scheme needs no more. */
const [KEYS_AT_ONCE, BITS_AT_ONCE] = [2, 2_048]
/** The approximate time of the power of one such key. */
const POWER_MS = 0.5

export function keysharePowers({ run, work, inTurn, arithmetic }: Means): KeysharePowers {
  const isShort = (named: readonly OfKey[]): boolean =>
    arithmetic.name === 'openssl' &&
    named.length <= KEYS_AT_ONCE &&
    named.every(({ key }) => bitLength(key.n) <= BITS_AT_ONCE)

  return {
    async secretPowers(named, secret) {
      if (isShort(named)) {
        await work([]) // throws if the pool is closed
        const powers = () =>
          named.map(each => ({ ...each, power: powerOfSecret(each.key, secret, arithmetic) }))
        return (await inTurn(named.length * POWER_MS, () => measured(powers))).result
      }
      return work(
        named.map(each => ({
          kind: workKind('secretPower', each.key.n),
          work: async () => ({ ...each, power: await run('secretPower', { key: onlyR0(each), secret }) }),
        })),
      )
    },
    async challenge(toCalculate) {
      const longest = [...toCalculate.keys.values()].reduce((most, { n }) => (n > most ? n : most), 0n)
      const kind = workKind('keyshareChallenge', longest)
      const [c = null] = await work([{ kind, work: () => run('keyshareChallenge', toCalculate) }])
      return c
    },
  }
}

/** The part of an issuer key that a thread needs for a power of R_0. */
function onlyR0({ key: { n, R } }: OfKey): PowerKey {
  return { n, R: R.slice(0, 1) }
}
