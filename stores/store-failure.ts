/** How a store fails. Whoever meets one of these answers 503 and logs nothing: the store says itself, each cause once, and when all is over. @module */

/** The store cannot do its work now: what was asked for is not done, or it is not known whether it is. It may work again without a restart. */
export class StoreFailure extends Error {
  override readonly name: string = 'StoreFailure'
}

/** The store has answered, and has not done what it was asked for: its disk is full, or it takes no writes. */
export class Refused extends StoreFailure {}

/** Another process holds the store: this one commits nothing any more. */
export class StoreLost extends StoreFailure {
  override readonly name = 'StoreLost'
}
