/** POST /prove/getCommitments and POST /api/v2/prove/getCommitments (spec/interface#4.5, #4.6; spec/keyshare-server#8.3, #8.5): P and Pcommit of each issuer key. One w_k
 *  serves all keys of a request. It is sealed and stored before they are answered. It is valid for one response, and replaces a pending one. @module */
import { sealRandomizer } from '../../accounts/records.ts'
import { NONCE_BYTES } from '../../accounts/storage-keys.ts'
import { drawRandomizer, type KeyshareSecrets } from '../../crypto/keyshare/secrets.ts'
import { InternalError, InvalidRequestError, OverloadedError } from '../../protocol/errors.ts'
import { commitments, hashedCommitments } from '../../protocol/keyshare/answers.ts'
import { parseHashedCommitmentsRequest, parseKeysRequest } from '../../protocol/keyshare/proof-requests.ts'
import { type PublicKeyId, publicKeyIdText } from '../../protocol/keyshare/public-key-ids.ts'
import type { NamedKey } from '../../schemes/key-set.ts'
import { answerJson } from '../answer.ts'
import { textOf } from '../read-body.ts'
import type { User } from './callers.ts'
import type { KeyshareDeps, KeyshareEndpoint } from './deps.ts'
import { noteFirstVersion, requireFirstVersion } from './first-version.ts'
import { requireToken } from './token.ts'
import { trustedKeys } from './trusted-keys.ts'
import { takenTurn } from './turn.ts'

/** Draws randomness in this order, as the second version does: w_k, and the nonce with which w_k is sealed. */
export function getCommitments(deps: KeyshareDeps): KeyshareEndpoint<User> {
  return async (ctx, user, body) => {
    requireFirstVersion(deps)
    const ids = parseKeysRequest(textOf(body, InvalidRequestError))
    const keys = await trustedKeys(ids, deps.issuerKeys, InvalidRequestError)
    const { mk, wk } = drawn(keys, user, deps)
    const { secretPowers } = deps.powers.keyshare
    const parts = await deps.accounts.publicParts(user.account, keys, missing => secretPowers(missing, mk))
    const list = await secretPowers(parts, wk)
    await storeCommitment(wk, { ids, hashedComms: null }, user, deps)
    noteFirstVersion(deps, ids)
    answerJson(ctx, commitments(list.map(({ id, P, power }) => ({ key: id, P, Pcommit: power }))))
  }
}

/** The second version: the app commits to its input first, and the answer does not contain P. */
export function getHashedCommitments(deps: KeyshareDeps): KeyshareEndpoint<User> {
  return async (ctx, user, body) => {
    const { keys: ids, hashedComms } = parseHashedCommitmentsRequest(textOf(body, InvalidRequestError))
    const keys = await trustedKeys(ids, deps.issuerKeys, InternalError)
    const { wk } = drawn(keys, user, deps)
    const list = await deps.powers.keyshare.secretPowers(keys, wk)
    await storeCommitment(wk, { ids, hashedComms }, user, deps)
    answerJson(ctx, hashedCommitments(list.map(({ id, power }) => ({ key: id, Pcommit: power }))))
  }
}

/** m_k of the user, and a new w_k.
 *  @throws {InvalidRequestError} for a JWT that is not valid
 *  @throws {UnavailableError} */
function drawn(keys: readonly NamedKey[], user: User, deps: KeyshareDeps): KeyshareSecrets {
  const secrets = deps.accounts.secretsOf(user.account)
  requireToken(secrets, user, 'invalid jwt token')
  if (deps.powers.isOverloaded()) throw new OverloadedError('too many proofs are waiting to be checked')
  const publicKeys = keys.map(({ key }) => key)
  return { mk: secrets.mk, wk: drawRandomizer(publicKeys, deps.random.bytes) }
}

type CommitmentsCall = {
  /** at least one, as they were named */
  readonly ids: readonly PublicKeyId[]
  /** null: first version of the protocol */
  readonly hashedComms: Uint8Array | null
}

async function storeCommitment(
  wk: bigint,
  asked: CommitmentsCall,
  user: User,
  deps: KeyshareDeps,
): Promise<void> {
  const { ids, hashedComms } = asked
  const { id, userName } = user.account
  const nonce = deps.random.bytes(NONCE_BYTES)
  const sealedRandomizer = sealRandomizer(wk, userName, deps.settings.storageKeys, nonce)
  const lastKey = ids.slice(-1).map(publicKeyIdText).join()
  await takenTurn(deps, id, ({ secrets }) => {
    requireToken(secrets(), user, 'invalid jwt token')
    const version = hashedComms === null ? 'v1' : 'v2'
    return {
      event: { type: 'app.requestedCommitments', version },
      commitment: { lastKey, hashedComms, sealedRandomizer },
    }
  })
}
