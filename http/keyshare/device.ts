/** The account that a JWT of a wallet app names, and the key of its device, with which the JWT is signed (spec/interface#5.4). Signatures are checked before a turn, with
 *  the key that the account holds then; in the turn the key is compared again. @module */
import { appClaims, userNameIn } from '../../accounts/app-jwts.ts'
import type { AccountSecrets } from '../../accounts/secrets.ts'
import { isSameBytes } from '../../crypto/bytes.ts'
import { InvalidRequestError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/shape.ts'
import type { AccountId } from '../../stores/account-store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { known } from './callers.ts'
import type { KeyshareDeps } from './deps.ts'

export type Device = {
  readonly accountId: AccountId
  /** DER of the registered key */
  readonly key: Uint8Array
}

type DeviceDeps = Pick<KeyshareDeps, 'accounts' | 'clock'>

/** @throws {InvalidRequestError} for a text that is no JWT, and for an account without a device key
 *  @throws {UserNotRegisteredError} */
export async function deviceNamedIn(jwt: string, { accounts }: DeviceDeps): Promise<Device> {
  const account = known(await accounts.read(hashOfToken(userNameIn(jwt))))
  const { deviceKey } = accounts.secretsOf(account)
  if (deviceKey === null)
    throw new InvalidRequestError(
      "can't do challenge-response: no public key associated to account: expected an account with a device key",
    )
  return { accountId: account.id, key: deviceKey }
}

export type SignedByDevice = { readonly device: Device; readonly claims: JsonObject }

/** @throws {InvalidRequestError} also if another device has signed the JWT, or if it is not valid at this time
 *  @throws {UserNotRegisteredError} */
export async function signedByDevice(jwt: string, deps: DeviceDeps): Promise<SignedByDevice> {
  const device = await deviceNamedIn(jwt, deps)
  return { device, claims: appClaims(jwt, device.key, nowSec(deps)) }
}

/** Called in the turn of the account.
 *  @throws {InvalidRequestError} if the account has another device key by now */
export function requireDevice({ deviceKey }: AccountSecrets, { key }: Device): void {
  if (deviceKey === null || !isSameBytes(deviceKey, key))
    throw new InvalidRequestError('JWT: expected a signature with the device key of the account, got another')
}

/** As JWTs count it: Unix seconds by the clock of the system. */
export function nowSec({ clock }: Pick<KeyshareDeps, 'clock'>): number {
  return Math.floor(clock.wallNow() / 1_000)
}
