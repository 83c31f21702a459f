/** The keyshare server's half of proofs, in the worker threads: R_0 of issuer keys to the power of m_k and w_k, in constant time, and the challenge of the second
 *  version of its protocol. Each key of a request is a piece of work. @module */
import type { KeyshareSecrets } from '../../crypto/keyshare/secrets.ts'
import { workKind } from './means.ts'
import type { PowerKey, Run, Tasks } from './proofs.ts'
import type { Piece } from './queue.ts'

/** Something that stands for an issuer key. */
type OfKey = { readonly key: PowerKey }

export interface KeysharePowers {
  /** R_0 of each key to the power of m_k or w_k.
   *  @throws if a thread dies */
  secretPowers<Named extends OfKey>(
    named: readonly Named[],
    secret: bigint,
  ): Promise<readonly (Named & { readonly power: bigint })[]>
  /** P and Pcommit of each key.
   *  @throws if a thread dies */
  commitments<Named extends OfKey>(
    named: readonly Named[],
    secrets: KeyshareSecrets,
  ): Promise<readonly (Named & Tasks['keyshareCommitment']['output'])[]>
  /** The challenge over the input that the app committed to; null: it committed to other input.
   *  @throws if the thread dies */
  challenge(toCalculate: Tasks['keyshareChallenge']['input']): Promise<bigint | null>
}

type Threads = {
  readonly run: Run
  /** in their turns */
  readonly work: <Output>(pieces: readonly Piece<Output>[]) => Promise<readonly Output[]>
}

export function keysharePowers({ run, work }: Threads): KeysharePowers {
  return {
    secretPowers: (named, secret) =>
      work(
        named.map(each => ({
          kind: workKind('secretPower', each.key.n),
          work: async () => ({ ...each, power: await run('secretPower', { key: onlyR0(each), secret }) }),
        })),
      ),
    commitments: (named, secrets) =>
      work(
        named.map(each => ({
          kind: workKind('keyshareCommitment', each.key.n),
          work: async () => ({
            ...each,
            ...(await run('keyshareCommitment', { key: onlyR0(each), secrets })),
          }),
        })),
      ),
    async challenge(toCalculate) {
      const longest = [...toCalculate.keys.values()].reduce((most, { n }) => (n > most ? n : most), 0n)
      const kind = workKind('keyshareChallenge', longest)
      const [c = null] = await work([{ kind, work: () => run('keyshareChallenge', toCalculate) }])
      return c
    },
  }
}

/** What of an issuer key goes to a thread for a power of R_0. */
function onlyR0({ key: { n, R } }: OfKey): PowerKey {
  return { n, R: R.slice(0, 1) }
}
