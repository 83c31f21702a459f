/** A PIN attempt without the signature of a registered device, as in the previous protocol (spec/interface#9.5). An account with a device key refuses it before
 *  the PIN is compared. Otherwise the answer would tell any caller whether the PIN is right. @module */
import type { PinAttempt } from '../../actors/accounts/try-pin.ts'
import { MissingChallengeError, UnexpectedRequestError } from '../../protocol/errors.ts'

export const unsignedAttempt: Pick<PinAttempt, 'reserves' | 'refused'> = {
  reserves({ secrets }) {
    if (secrets().deviceKey !== null)
      throw new UnexpectedRequestError(
        'challenge-response authentication required: the account has a device key',
      )
    return { type: 'app.sentPin', isSignedByDevice: false }
  },
  refused: () => new MissingChallengeError('the account does not accept a PIN now'),
}
