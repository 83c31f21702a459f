/** Failures of a store. A caller that gets a `StoreError` answers 503 and logs nothing: the store logs each cause once, and once when it works
 *  again. Every other error of a store is permanent: the store cannot hold the commit (a text, a size, a row that exists). Nothing is committed, the
 *  same commit fails again, and the caller answers 500 and logs the cause. In each store one function decides: `failureOf` of its folder. @module */

/** The store does not work now; the call failed, or its outcome is unknown. It may work again without a restart. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError'
}

/** The store has answered and refused the call, for instance because its disk is full, it accepts no writes, or the password is wrong. */
export class StoreRefusalError extends StoreError {}

/** The store cannot be used yet: it is unreachable, starting or busy, or accepts no more connections. A server that starts waits for it. */
export class StoreUnreachableError extends StoreError {
  override readonly name = 'StoreUnreachableError'
}

/** The reason why a node must not commit now. The readiness check answers with it, too. */
export const LEASE_EXPIRED = 'expected a lease that this node renewed in time, got one that has expired'

/** A commit was refused, because this node did not renew its lease.
 *  @param name of the store */
export function leaseExpired(name: string): StoreError {
  return new StoreError(`store ${name}: ${LEASE_EXPIRED}: the node renews it and then commits again`)
}

/** Another process holds the store; this process must not commit any more. */
export class StoreLostError extends StoreError {
  override readonly name = 'StoreLostError'
}
