/** POST /api/v2/prove/getPs (spec/keyshare-server#8.5): the account's part of the public key of a credential, for each issuer key. @module */
import { InternalError, InvalidRequestError, OverloadedError } from '../../protocol/errors.ts'
import { publicParts } from '../../protocol/keyshare/answers.ts'
import { parseKeysRequest } from '../../protocol/keyshare/proof-requests.ts'
import { answerJson } from '../answer.ts'
import { textOf } from '../read-body.ts'
import type { User } from './callers.ts'
import type { KeyshareDeps, KeyshareEndpoint } from './deps.ts'
import { requireToken } from './token.ts'
import { trustedKeys } from './trusted-keys.ts'

export function getPs({ accounts, issuerKeys, powers }: KeyshareDeps): KeyshareEndpoint<User> {
  return async (ctx, user, body) => {
    const ids = parseKeysRequest(textOf(body, InvalidRequestError))
    const keys = await trustedKeys(ids, issuerKeys, InternalError)
    const secrets = accounts.secretsOf(user.account)
    requireToken(secrets, user, 'invalid jwt token')
    if (powers.isOverloaded()) throw new OverloadedError('too many proofs are waiting to be checked')
    const parts = await accounts.publicParts(user.account, keys, missing =>
      powers.keyshare.secretPowers(missing, secrets.mk),
    )
    answerJson(ctx, publicParts(parts.map(({ id, P }) => ({ key: id, P }))))
  }
}
