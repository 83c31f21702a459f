/** P of accounts: R_0 of an issuer key to the power of m_k (spec/keyshare-server#8.2, #8.5). P is public: the app and every issuer receive it, and m_k
 *  cannot be calculated from it. It depends only on m_k and the key, so it is calculated once in constant time, and cached. The time of a lookup reveals
 *  whether the account has asked for that key before, and nothing about m_k. @module */
import { LRUCache } from 'lru-cache'
import { type PublicKeyId, publicKeyIdText } from '../../protocol/keyshare/public-key-ids.ts'
import type { AccountId, AccountRow } from '../../stores/account-store.ts'

/** The most cached P of all accounts together: about 4 MB under keys of 2048 bits. */
const MAX_KEPT = 10_000

/** An object that names an issuer key. A name always refers to the same key (schemes/key-set.ts). */
type OfKey = { readonly id: PublicKeyId }

type PartsOfAccount = {
  /** changes with the secrets of the account */
  readonly tokenIdHash: string | null
  /** P by the name of its key */
  readonly byKey: ReadonlyMap<string, bigint>
}

export class PublicParts {
  readonly #kept: LRUCache<AccountId, PartsOfAccount>

  constructor(maxKept = MAX_KEPT) {
    this.#kept = new LRUCache({ maxSize: maxKept, sizeCalculation: ({ byKey }) => byKey.size })
  }

  /** @param calculate called for the keys that are not cached
   *  @throws the errors of `calculate` */
  async of<Named extends OfKey>(
    { id: account, tokenIdHash }: Pick<AccountRow, 'id' | 'tokenIdHash'>,
    named: readonly Named[],
    calculate: (missing: readonly Named[]) => Promise<readonly (OfKey & { readonly power: bigint })[]>,
  ): Promise<readonly (Named & { readonly P: bigint })[]> {
    const kept = this.#kept.get(account)
    const known = kept?.tokenIdHash === tokenIdHash ? kept.byKey : new Map<string, bigint>()
    const missing = named.filter(({ id }) => !known.has(publicKeyIdText(id)))
    if (missing.length === 0) return withParts(named, known)
    const fresh = (await calculate(missing)).map(({ id, power }) => [publicKeyIdText(id), power] as const)
    const byKey = new Map([...known, ...fresh])
    const parts = withParts(named, byKey)
    this.#kept.set(account, { tokenIdHash, byKey })
    return parts
  }

  /** Must be called when an account is no longer usable. */
  forget(account: AccountId): void {
    this.#kept.delete(account)
  }
}

function withParts<Named extends OfKey>(
  named: readonly Named[],
  byKey: ReadonlyMap<string, bigint>,
): readonly (Named & { readonly P: bigint })[] {
  return named.map(each => {
    const name = publicKeyIdText(each.id)
    const P = byKey.get(name)
    if (P === undefined) throw new TypeError(`P of an account: expected one for ${name}, got none`)
    return { ...each, P }
  })
}
