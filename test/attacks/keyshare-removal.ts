/** A holder with an app of his own gets a credential that is bound to his half of the secret key alone (spec/decisions#keyshare_v1). The keyshare server then
 *  takes no part in later disclosures. The ways differ in the calls that he makes at the keyshare server while the credential is issued. @module */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { fromBase64, toBase64 } from '../../crypto/bytes.ts'
import type { CommitmentProof } from '../../crypto/commitment.ts'
import { hashUserInput, type UserInput } from '../../crypto/keyshare/user-input.ts'
import { SessionError } from '../../libraries/wallet/failure.ts'
import { challengeInput, keyId, responseRequest } from '../../libraries/wallet/keyshare/challenge-input.ts'
import type { Drafted } from '../../libraries/wallet/keyshare/co-sign.ts'
import { register } from '../../libraries/wallet/keyshare/register.ts'
import type { SessionKeyshares } from '../../libraries/wallet/keyshare/session-keyshares.ts'
import { parseSessionPointer } from '../../libraries/wallet/pointer.ts'
import {
  answerKeyshareSession,
  type SessionDeps,
  type SessionHandlers,
  type SessionOutcome,
} from '../../libraries/wallet/session.ts'
import { createWallet, type FinishedProofs, type Wallet } from '../../libraries/wallet/wallet.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { parseSchemeId } from '../../protocol/ids.ts'
import { readProofP } from '../../protocol/keyshare/answers.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const SCHEME = parseSchemeId('svc-keyshare')
/** Its key has 1024 bits. There the randomizers of the holder and of the keyshare server are equally long. */
export const LOYALTY = { credential: 'svc-keyshare.shop.loyalty', attributes: { number: '3' } }
export const NUMBER = [[['svc-keyshare.shop.loyalty.number']]]
const PIN = '12345'
const NO_PARTS = { disclosures: [], commitments: [] }
/** Draws of this length get a high value, so that the holder's response exceeds that of the keyshare server. */
const RANDOMIZER_BYTES = 592 / 8
const arithmetic = chooseArithmetic('auto')

export type Session = { readonly pointer: string; status(): Promise<string | undefined> }
export type Target = {
  /** address of the keyshare server */
  readonly keyshare: string
  create(type: 'issuing' | 'disclosing', body: object): Promise<Session>
}

type Post = (path: string, body: unknown) => Promise<string>
type Removed = { readonly finished: FinishedProofs; readonly jwt: string }
export type Way = (drafted: Drafted, post: Post) => Promise<Removed>

/** The challenge covers U without P, and U~ without Pcommit. The holder divides P out of U, and subtracts the server's response from his. */
function subtracted({ draft }: Drafted, finished: FinishedProofs, jwt: string): Removed {
  const { P, sResponse } = proofIn(jwt)
  const n = draft.keys.commitments[0]?.key.n ?? 1n
  const inverse = arithmetic.inverse(P ?? 1n, n) ?? 0n
  const change = (proof: CommitmentProof): CommitmentProof => ({
    ...proof,
    U: (proof.U * inverse) % n,
    sResponse: proof.sResponse - sResponse,
  })
  return { finished: { ...finished, commitments: finished.commitments.map(change) }, jwt }
}

function proofIn(jwt: string) {
  return readProofP(JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).ProofP)
}

function namedKeys({ draft }: Drafted): string[] {
  return draft.keys.commitments.map(keyId)
}

async function committed(input: readonly UserInput[], drafted: Drafted, post: Post): Promise<bigint> {
  const hashedComms = Buffer.from(hashUserInput(input)).toString('base64')
  const keys = namedKeys(drafted)
  const { c } = JSON.parse(await post('/api/v2/prove/getCommitments', { keys, hw: { hashedComms } }))
  return fromBase64(c[keys[0] ?? ''])
}

/** The input of the holder, without P. */
function inputOf({ draft }: Drafted, isNamed: boolean): UserInput[] {
  return challengeInput(draft, SCHEME, new Map()).map(each => (isNamed ? each : { ...each, key: null }))
}

function responseOf({ commitments }: FinishedProofs): bigint {
  return commitments[0]?.sResponse ?? 0n
}

export const WAYS: Readonly<Record<string, Way>> = {
  async 'the first version'(drafted, post) {
    const { challenge, respond } = drafted.draft.bind(drafted.nonce, NO_PARTS)
    await post('/prove/getCommitments', namedKeys(drafted))
    return subtracted(drafted, respond(), await post('/prove/getResponse', toBase64(challenge)))
  },
  async 'the first version, with the answer of an earlier session'(drafted, post) {
    await post('/prove/getCommitments', namedKeys(drafted))
    const earlier = await post('/prove/getResponse', toBase64(5n))
    return subtracted(drafted, drafted.draft.bind(drafted.nonce, NO_PARTS).respond(), earlier)
  },
  async 'the linkable answer'(drafted, post) {
    const input = inputOf(drafted, false)
    await committed(input, drafted, post)
    const finished = drafted.draft.bind(drafted.nonce, NO_PARTS).respond()
    const request = responseRequest(input, responseOf(finished), drafted)
    return subtracted(drafted, finished, await post('/api/v2/prove/getResponseLinkable', request))
  },
  async 'the second version, in which the server takes no part in the proof'(drafted, post) {
    const input = inputOf(drafted, false)
    await committed(input, drafted, post)
    const finished = drafted.draft.bind(drafted.nonce, NO_PARTS).respond()
    const request = responseRequest(input, responseOf(finished), drafted)
    return { finished, jwt: await post('/api/v2/prove/getResponse', request) }
  },
  async 'the second version, without P in U'(drafted, post) {
    const input = inputOf(drafted, true)
    const part = { P: 1n, Pcommit: await committed(input, drafted, post) }
    const finished = drafted.draft.bind(drafted.nonce, { disclosures: [], commitments: [part] }).respond()
    const request = responseRequest(input, responseOf(finished), drafted)
    return { finished, jwt: await post('/api/v2/prove/getResponse', request) }
  },
}

/** @returns the reason for which it failed; null: the verifier accepted a disclosure in which the keyshare server took no part */
export async function removeKeyshare(way: Way, { keyshare, create }: Target): Promise<string | null> {
  const { deps, post } = await openApp(keyshare)
  try {
    const issuance = await create('issuing', { credentials: [LOYALTY] })
    const issued = await answered(deps, issuance, drafted => way(drafted, post))
    if (issued.status !== 'success') return 'message' in issued ? issued.message : issued.status
    const disclosure = await create('disclosing', { disclose: NUMBER })
    await answered(deps, disclosure, async ({ draft, nonce }) => ({
      finished: draft.bind(nonce, NO_PARTS).respond(),
      jwt: '',
    }))
    const status = await disclosure.status()
    return status === 'VALID' ? null : `disclosure: ${status}`
  } finally {
    await deps.wallet.close()
  }
}

/** A wallet with an account, and the calls of its user. */
async function openApp(keyshare: string): Promise<{ deps: SessionDeps; post: Post }> {
  const schemes = await loadSchemes(DEMO_SCHEMES)
  const address = schemes.scheme(SCHEME)?.keyshareServer ?? ''
  const walletDeps = { schemes, arithmetic, clock: createSystemClock(), randomBytes: highDraws }
  const wallet = await createWallet(join(temporaryFolder(), 'wallet'), { developerMode: true }, walletDeps)
  const sent: typeof fetch = (input, init) => fetch(String(input).replace(address, keyshare), init)
  const deps = { ...walletDeps, wallet, fetch: sent }
  const registered = await register(deps, SCHEME, { pin: PIN, email: '', language: 'en' })
  if (registered.status !== 'success') throw new Error('registration: expected success, got another outcome')
  const post: Post = async (path, body) => {
    const answer = await fetch(keyshare + path, {
      method: 'POST',
      headers: headersOf(wallet),
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new SessionError('keyshare-error', `${answer.status} of ${path}`)
    return text
  }
  return { deps, post }
}

function highDraws(count: number): Uint8Array {
  const bytes = randomBytes(count)
  return count === RANDOMIZER_BYTES ? bytes.fill(0xff, 0, 10) : bytes
}

function headersOf({ accounts, tokens }: Wallet): Record<string, string> {
  const [account] = accounts()
  const token = tokens.get(SCHEME)
  if (!account || !token) throw new Error('expected an account with a token')
  return {
    'Content-Type': 'application/json',
    [PROFILES[account.profile].keyshareUsernameHeader]: account.userName,
    Authorization: token.jwt,
  }
}

/** Answers a session with proofs that no wallet library makes. */
async function answered(
  deps: SessionDeps,
  { pointer }: Session,
  prove: (drafted: Drafted) => Promise<Removed>,
): Promise<SessionOutcome> {
  const keyshares: SessionKeyshares = {
    check: () => undefined,
    registered: () => null,
    async finish(prepare) {
      const drafted = await prepare()
      const { finished, jwt } = await prove(drafted)
      const proofPJwts = new Map(jwt === '' ? [] : [[SCHEME, jwt]])
      return { drafted, finished, disclosures: finished.disclosures, proofPJwts }
    },
  }
  const handlers: SessionHandlers = {
    consent: async ({ candidates: { items } }) => ({ answer: 'disclose', choices: items.map(() => 0) }),
  }
  const parsed = parseSessionPointer(pointer)
  if (parsed.type === 'redirect') throw new Error('expected the pointer of a session, got a static one')
  return answerKeyshareSession(deps, parsed, handlers, keyshares)
}
