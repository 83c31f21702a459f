/** The SD-JWTs of one issuance on the side of the wallet: the keys for its offers, and how they are stored. @module */
import type { X509Certificate } from 'node:crypto'
import type { RandomBytes } from '../../../crypto/random.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { WalletFolder } from '../folder.ts'
import type { Offer } from '../offers.ts'
import type { StoredSdJwt } from '../stored.ts'
import { batchesOf, type SdJwtBatchView } from './batches.ts'
import { newBindingKeys } from './keys.ts'
import { readSdJwt } from './read.ts'
import { type BoundSdJwt, type ExpectedSdJwt, verifySdJwts } from './verify.ts'

export type WalletSdJwts = {
  /** by type and values, oldest first */
  list(): readonly SdJwtBatchView[]
  /** Fresh keys for the offers: all of the first, then all of the second. None if this wallet trusts no issuer of SD-JWTs: it then gets the credentials alone. */
  keysFor(offers: readonly Offer[]): readonly ExpectedSdJwt[]
  /** @throws {SessionError} `wrong-credential` */
  verify(texts: readonly string[], expected: readonly ExpectedSdJwt[]): readonly BoundSdJwt[]
}

type Deps = {
  readonly sdJwtRoots?: readonly X509Certificate[]
  readonly clock: Pick<Clock, 'wallNow'>
  readonly randomBytes: RandomBytes
}

/** Without roots, every issuer is trusted in developer mode, and none otherwise. */
export function walletSdJwts(
  folder: Pick<WalletFolder, 'contents'>,
  { sdJwtRoots, clock, randomBytes }: Deps,
): WalletSdJwts {
  const nowSec = (): number => Math.floor(clock.wallNow() / 1_000)
  return {
    list: () => batchesOf(folder.contents().sdJwts ?? [], nowSec()),
    keysFor: offers =>
      sdJwtRoots === undefined && !folder.contents().developerMode
        ? []
        : offers.flatMap(offer =>
            newBindingKeys(offer.view.sdJwts ?? 0, randomBytes).map(key => ({ offer, key })),
          ),
    verify: (texts, expected) =>
      verifySdJwts(texts, expected, { roots: sdJwtRoots ?? null, nowSec: nowSec() }),
  }
}

/** A new batch of a singleton type replaces the old one. */
export function withSdJwts(
  stored: readonly StoredSdJwt[],
  added: readonly BoundSdJwt[],
  offers: readonly Offer[],
): readonly StoredSdJwt[] {
  const singletons = new Set<string>(
    offers
      .filter(({ type, view }) => type.isSingleton && view.sdJwts !== undefined)
      .map(({ type }) => type.id),
  )
  const isReplaced = ({ text }: StoredSdJwt): boolean =>
    added.length > 0 && singletons.size > 0 && singletons.has(readSdJwt(text).vct)
  return [...stored.filter(each => !isReplaced(each)), ...added]
}
