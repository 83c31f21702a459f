/** The keyshare servers in one session (spec/interface#4.6 rule 5, spec/keyshare-server#17.4): selects those that take part, and refuses unsupported combinations.
 *  @module */
import type { AttributeRequestId, SchemeId } from '../../../protocol/ids.ts'
import { schemeOf } from '../../../protocol/ids.ts'
import type { SessionRequest } from '../../../protocol/request.ts'
import type { Scheme } from '../../../schemes/types.ts'
import { SessionError } from '../failure.ts'
import type { Offer } from '../offers.ts'
import type { Draft } from '../wallet.ts'
import type { KeyshareAccount } from './account.ts'
import { type CoSignedProofs, coSign, type Drafted } from './co-sign.ts'
import { type AskPin, type KeyshareDeps, type KeyshareServer, serverOf } from './login.ts'

export type SessionKeyshares = {
  /** Checks a request before the user is asked.
   *  @throws {SessionError} `unsupported`, `not-registered` */
  check(request: SessionRequest, offers: readonly Offer[]): void
  /** Completes the proofs with the halves of all keyshare servers of their schemes.
   *  @param prepare makes a new draft, in each round
   *  @throws {SessionError} {CancelledError} */
  finish<From extends Drafted>(prepare: () => Promise<From>): Promise<CoSignedProofs<From>>
  /** The account whose registration this session completes, or null. */
  registered(): KeyshareAccount | null
}

/** Uses the accounts of the wallet.
 *  @param askPin undefined: the user cannot be asked, and only stored tokens are used */
export function walletKeyshares(deps: KeyshareDeps, askPin: AskPin | undefined): SessionKeyshares {
  const { wallet } = deps
  const accountOf = (id: SchemeId) => wallet.accounts().find(({ scheme }) => scheme === id) ?? null
  return {
    check(request, offers) {
      checkIssuance(wallet.schemes, request, offers)
      for (const scheme of schemesOf(
        wallet.schemes,
        offers.map(({ type }) => type.id),
      ))
        if (accountOf(scheme.id) === null) throw notRegistered(scheme)
    },
    finish: prepare => coSign(prepare, draft => serversOf(draft, deps, accountOf), askPin ?? refusePin),
    registered: () => null,
  }
}

async function refusePin(): Promise<never> {
  throw new SessionError('unsupported', 'a PIN is needed: expected a handler that asks for it')
}

/** @throws {SessionError} `not-registered`, `pin-out-of-sync`, `insecure` */
export function serversOf(
  { keys }: Draft,
  deps: KeyshareDeps,
  accountOf: (scheme: SchemeId) => KeyshareAccount | null,
): KeyshareServer[] {
  const ids = [...keys.disclosures, ...keys.commitments].map(({ type }) => type.id)
  return schemesOf(deps.wallet.schemes, ids).map(scheme => {
    const account = accountOf(scheme.id)
    if (account === null) throw notRegistered(scheme)
    return serverOf(scheme, account, deps)
  })
}

function notRegistered({ id }: Scheme): SessionError {
  return new SessionError(
    'not-registered',
    `this wallet has no account at the keyshare server of ${id}: expected one, register first`,
  )
}

type KnownSchemes = { scheme(id: SchemeId): Scheme | undefined }

/** The schemes of these ids that have a keyshare server. */
function schemesOf(schemes: KnownSchemes, ids: readonly AttributeRequestId[]): Scheme[] {
  return [...new Set(ids.map(schemeOf))].flatMap(id => {
    const scheme = schemes.scheme(id)
    return scheme?.keyshareServer ? [scheme] : []
  })
}

/** An issuance message contains the answer of one keyshare server, with P for one key. */
function checkIssuance(schemes: KnownSchemes, request: SessionRequest, offers: readonly Offer[]): void {
  if (request.type !== 'issuing') return
  const asked = request.disclose.flat(2).map(({ type }) => type)
  const all = schemesOf(schemes, [...asked, ...offers.map(({ type }) => type.id)])
  if (all.length > 1)
    throw new SessionError(
      'unsupported',
      `issuance: expected at most one scheme with a keyshare server, got ${all.map(({ id }) => id).join(', ')}`,
    )
  const keys = offers
    .filter(({ type }) => all.some(({ id }) => id === schemeOf(type.id)))
    .map(({ key }) => key)
  if (new Set(keys).size > 1)
    throw new SessionError(
      'unsupported',
      'issuance: expected credentials of one issuer key with a keyshare server, got several',
    )
}
