/** POST /prove/getResponse, POST /api/v2/prove/getResponse and …/getResponseLinkable (spec/interface#4.5, #4.6; spec/keyshare-server#8.4, #8.5): the answer to a
 *  challenge, signed. The commit that takes the commitment deletes w_k; only then is w_k opened, from the row that was replaced. A second call gets 409. @module */
import type { Context } from 'koa'
import { openRandomizer } from '../../accounts/records.ts'
import { signProof } from '../../accounts/server-jwts.ts'
import type { KeyshareProof } from '../../crypto/keyshare/merge.ts'
import { respondAlone, respondTogether } from '../../crypto/keyshare/respond.ts'
import type { ProofVersion } from '../../machines/login-events.ts'
import { InternalError, InvalidRequestError, MissingCommitmentError } from '../../protocol/errors.ts'
import {
  parseChallenge,
  parseResponseRequest,
  type ResponseRequest,
} from '../../protocol/keyshare/proof-requests.ts'
import { parsePublicKeyId, publicKeyIdText } from '../../protocol/keyshare/public-key-ids.ts'
import type { NamedKey } from '../../schemes/key-set.ts'
import type { AccountRow, StoredCommitment } from '../../stores/account-store.ts'
import { answerStored } from '../answer.ts'
import { textOf } from '../read-body.ts'
import type { User } from './callers.ts'
import type { KeyshareDeps, KeyshareEndpoint } from './deps.ts'
import { nowSec } from './device.ts'
import { noteFirstVersion, requireFirstVersion } from './first-version.ts'
import { requireToken } from './token.ts'
import { trustedKey, trustedKeys, type UnknownKey } from './trusted-keys.ts'
import { takenTurn } from './turn.ts'

export function getResponse(deps: KeyshareDeps): KeyshareEndpoint<User> {
  return async (ctx, user, body) => {
    requireFirstVersion(deps)
    const c = parseChallenge(textOf(body, InvalidRequestError))
    const taken = await takeCommitment('v1', user, deps)
    const P = await partUnder(taken, deps)
    await answerProof(ctx, respondAlone(c, P, taken), deps)
  }
}

/** The second version: the server calculates the challenge itself, over the input that the app committed to.
 *  @param isLinkable the response is that of the server alone, as in the first version */
export function getResponseToInput(deps: KeyshareDeps, isLinkable: boolean): KeyshareEndpoint<User> {
  return async (ctx, user, body) => {
    if (isLinkable) requireFirstVersion(deps)
    const request = parseResponseRequest(textOf(body, InvalidRequestError))
    const taken = await takeCommitment('v2', user, deps)
    const c = await challengeFor(request, taken, deps)
    if (isLinkable) noteFirstVersion(deps, [taken.lastKey.id])
    const proof = isLinkable
      ? respondAlone(c, await partUnder(taken, deps), taken)
      : respondTogether(c, request.userResponse, taken)
    await answerProof(ctx, proof, deps)
  }
}

type Taken = {
  /** the row from which the commitment was taken */
  readonly account: AccountRow
  readonly mk: bigint
  /** valid for one response */
  readonly wk: bigint
  readonly lastKey: NamedKey
  /** the input that the app committed to; empty in the first version of the protocol */
  readonly hashedComms: Uint8Array
}

/** @throws {MissingCommitmentError} if none of that version is pending
 *  @throws {InvalidRequestError} for a JWT that is not valid */
async function takeCommitment(version: ProofVersion, user: User, deps: KeyshareDeps): Promise<Taken> {
  const { accounts, settings } = deps
  const lastKeyOf = ({ lastKey }: StoredCommitment): NamedKey =>
    trustedKey(parsePublicKeyId(lastKey), deps.issuerKeys, unknownKey(version))
  const waiting = user.account.commitment
  if (waiting !== null) await deps.issuerKeys.lookFor([parsePublicKeyId(waiting.lastKey)]) // another node may have learned of this key before this node
  const { before } = await takenTurn(deps, user.account.id, ({ row, can, secrets }) => {
    requireToken(secrets(), user, 'Invalid authorization')
    const event = { type: 'app.requestedResponse', version } as const
    if (!can(event)) throw missing()
    lastKeyOf(pendingIn(row)) // throws for an unknown key, before the commitment is spent
    return { event }
  })
  const pending = pendingIn(before)
  return {
    account: before,
    mk: accounts.secretsOf(before).mk,
    wk: openRandomizer(pending.sealedRandomizer, before.userName, settings.storageKeys),
    lastKey: lastKeyOf(pending),
    hashedComms: pending.hashedComms ?? new Uint8Array(),
  }
}

function pendingIn({ commitment }: AccountRow): StoredCommitment {
  if (commitment === null) throw missing()
  return commitment
}

function missing(): MissingCommitmentError {
  return new MissingCommitmentError('missing previous call to getCommitments')
}

/** Existing servers answer the two versions with different errors. */
function unknownKey(version: ProofVersion): UnknownKey {
  return version === 'v1' ? InvalidRequestError : InternalError
}

async function partUnder({ account, lastKey, mk }: Taken, deps: KeyshareDeps): Promise<bigint> {
  const { accounts, powers } = deps
  const [part] = await accounts.publicParts(account, [lastKey], missing =>
    powers.keyshare.secretPowers(missing, mk),
  )
  if (part === undefined) throw new TypeError('P of the last key: expected one, got none')
  return part.P
}

/** @throws {InternalError} for a key that no scheme has, and for other input than the app committed to. The commitment is spent in either case */
async function challengeFor(
  { input, context, nonce, isSignature }: ResponseRequest,
  { wk, hashedComms }: Taken,
  { issuerKeys, powers }: KeyshareDeps,
): Promise<bigint> {
  const named = (input ?? []).flatMap(({ key }) => (key === null ? [] : [key]))
  const keys = await trustedKeys(named, issuerKeys, unknownKey('v2'))
  const c = await powers.keyshare.challenge({
    hashedComms,
    wk,
    facts: { input, context, nonce, isSignature },
    keys: new Map(keys.map(({ id, key: { n, R } }) => [publicKeyIdText(id), { n, R: R.slice(0, 1) }])),
  })
  if (c === null) throw new InternalError('incorrect commitment hash sent in commitment request')
  return c
}

async function answerProof(ctx: Context, proof: KeyshareProof, deps: KeyshareDeps): Promise<void> {
  const body = signProof(proof, nowSec(deps), deps.settings.signer)
  answerStored(ctx, { status: 200, contentType: 'text/plain', body })
}
