/** A turn of an existing account, for an event that its chart accepts. @module */
import type { AccountTurn, DecideAccount } from '../../actors/accounts/accounts.ts'
import { type RemoteError, UnexpectedRequestError, UserNotRegisteredError } from '../../protocol/errors.ts'
import type { AccountId, AccountRow } from '../../stores/account-store.ts'
import type { KeyshareDeps } from './deps.ts'

/** @param refused makes the error for an event that the chart refuses
 *  @throws {UserNotRegisteredError} */
export async function takenTurn(
  { accounts }: Pick<KeyshareDeps, 'accounts'>,
  id: AccountId,
  decide: DecideAccount,
  refused: () => RemoteError = () => new UnexpectedRequestError(),
): Promise<Pick<AccountTurn, 'before'> & { readonly after: AccountRow }> {
  const turn = await accounts.turn(id, decide)
  if (!turn?.after) throw new UserNotRegisteredError('could not find specified user')
  const { before, after, isRefused } = turn
  if (isRefused) throw refused()
  return { before, after }
}
