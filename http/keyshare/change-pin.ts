/** POST /users/change/pin (spec/interface#4.5; spec/keyshare-server#10), with the signature of the device, or without as in the previous protocol (spec/interface#9.5).
 *  All authentication JWTs, and the pending challenge and commitment, end with the old PIN. The activity log gets no entry for a wrong PIN here. A repeat of the call
 *  that made the change gets its answer for 90 s, at every node: the record holds the hash of the call. @module */
import { hash } from 'node:crypto'
import { isRepeatedChange, TOKEN_ID_BYTES, withPin } from '../../accounts/secrets.ts'
import { type PinAttempt, tryPin } from '../../actors/accounts/try-pin.ts'
import { InvalidRequestError, MissingChallengeError } from '../../protocol/errors.ts'
import { type PathSpelling, pinChanged, pinRefused } from '../../protocol/keyshare/answers.ts'
import { type PinChange, readPinChange } from '../../protocol/keyshare/claims.ts'
import { parsePinChange } from '../../protocol/keyshare/signed-bodies.ts'
import type { AccountId } from '../../stores/account-store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { answerJson } from '../answer.ts'
import { textOf } from '../read-body.ts'
import { known } from './callers.ts'
import type { KeyshareDeps, KeyshareEndpoint } from './deps.ts'
import { requireDevice, signedByDevice } from './device.ts'
import { unsignedAttempt } from './unsigned.ts'

type PinChangeCall = PinChange & {
  /** SHA-256: the same for every repeat of the call */
  readonly callHash: Uint8Array
  readonly accountId: AccountId
  readonly attempt: Pick<PinAttempt, 'reserves' | 'refused'>
}

/** Randomness, after a right PIN and in this order: the new token id, the nonce of the record. */
export function changePin(deps: KeyshareDeps, spelling: PathSpelling): KeyshareEndpoint<null> {
  return async (ctx, _caller, body) => {
    const { accountId, oldPin, newPin, callHash, attempt } = await changeIn(
      textOf(body, InvalidRequestError),
      deps,
    )
    const outcome = await tryPin(deps, accountId, {
      ...attempt,
      pin: oldPin,
      isLogged: false,
      isRepeated: ({ secrets }) => isRepeatedChange(secrets(), callHash, deps.clock.now()),
      accepts: (attempt, secrets) => ({
        event: { type: 'server.changedPin', attempt },
        secrets: withPin(secrets, newPin, deps.random.bytes(TOKEN_ID_BYTES), {
          callHash,
          at: deps.clock.now(),
        }),
      }),
    })
    answerJson(ctx, outcome.isRight ? pinChanged(spelling) : pinRefused(outcome.refusal))
  }
}

async function changeIn(text: string, deps: KeyshareDeps): Promise<PinChangeCall> {
  const change = parsePinChange(text)
  if (change.type === 'plain') {
    const { userName, ...pins } = change.content
    const { id } = known(await deps.accounts.read(hashOfToken(userName)))
    const callHash = hashOf(JSON.stringify([userName, pins.oldPin, pins.newPin]))
    return { ...pins, accountId: id, callHash, attempt: unsignedAttempt }
  }
  const { device, claims } = await signedByDevice(change.jwt, deps)
  const attempt: PinChangeCall['attempt'] = {
    reserves({ secrets }) {
      requireDevice(secrets(), device)
      return { type: 'app.sentPin', isSignedByDevice: true }
    },
    refused: () => new MissingChallengeError('the account does not accept a PIN now'),
  }
  return { ...readPinChange(claims), accountId: device.accountId, callHash: hashOf(change.jwt), attempt }
}

function hashOf(text: string): Uint8Array {
  return new Uint8Array(hash('sha256', text, 'buffer'))
}
