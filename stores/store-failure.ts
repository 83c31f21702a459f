/** How a store fails. A caller that meets one of these answers 503 and logs nothing: the store logs each cause once, and once when all is over.
 *  Every other error of a store is permanent. The store cannot hold what the commit says (a text, a size, a row that exists): nothing is committed, the same
 *  commit fails again, and the caller answers 500 with the cause in the log. Each store has one function that decides: `failureOf` of its folder. @module */

/** The store cannot do its work now: what was asked for is not done, or it is not known whether it is. It may work again without a restart. */
export class StoreFailure extends Error {
  override readonly name: string = 'StoreFailure'
}

/** The store has answered, and has not done what it was asked for: its disk is full, or it takes no writes. */
export class Refused extends StoreFailure {}

/** The store gave no answer: it does not run yet, or the network does not lead to it. A server that starts waits for it. */
export class StoreUnreachable extends StoreFailure {
  override readonly name = 'StoreUnreachable'
}

/** Another process holds the store: this one commits nothing any more. */
export class StoreLost extends StoreFailure {
  override readonly name = 'StoreLost'
}
