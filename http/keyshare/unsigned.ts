/** An attempt at a PIN without the signature of a registered device, as the previous protocol has it (spec/interface#9.5). An account with a device key takes none,
 *  whether the PIN is right or not: the answer would reveal to any caller which it is. @module */
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
  refused: () => new MissingChallengeError('the account takes no PIN now'),
}
