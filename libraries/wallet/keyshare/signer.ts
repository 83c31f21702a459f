/** A keyshare server's part in one submission (spec/interface#4.6, spec/keyshare-server#2.2, #8, #17.3), in both versions of its protocol, with P from `getPs` for an
 *  issuance. @module */
import { toBase64 } from '../../../crypto/bytes.ts'
import type { KeyshareProof } from '../../../crypto/keyshare/merge.ts'
import { hashUserInput, type UserInput } from '../../../crypto/keyshare/user-input.ts'
import { writeBytes } from '../../../protocol/base64.ts'
import { type SchemeId, schemeOf } from '../../../protocol/ids.ts'
import type { TypeAndKey } from '../proofs.ts'
import type { Draft } from '../wallet.ts'
import { malformed, readCommitments, readHashedCommitments, readProofJwt, readPs } from './answers.ts'
import type { KeysharePath } from './calls.ts'
import { keyId } from './challenge-input.ts'
import { type AskPin, authenticate, type KeyshareServer, statusOf } from './login.ts'

export type Answer = { readonly jwt: string; readonly proof: KeyshareProof }

export type Signer = {
  readonly id: SchemeId
  /** P by public key id, of the keys of the issued credentials */
  readonly Ps: ReadonlyMap<string, bigint>
  /** Requests new commitments, in the first version.
   *  @returns Pcommit by public key id */
  commit(): Promise<ReadonlyMap<string, bigint>>
  respond(challenge: bigint): Promise<Answer>
  /** The same in the second version.
   *  @returns null: the server does not have this version */
  commitTo(input: readonly UserInput[]): Promise<ReadonlyMap<string, bigint> | null>
  /** @param request a `responseRequest` with that input */
  respondTo(request: object, challenge: bigint): Promise<Answer>
}

const FORBIDDEN = 403
const NOT_FOUND = 404

/** Asks for the PIN of this server if needed, and requests P of the issued credentials.
 *  @param keys of the proofs; those of other schemes are ignored */
export async function signerOf(server: KeyshareServer, keys: Draft['keys'], askPin: AskPin): Promise<Signer> {
  const { scheme, calls } = server
  const own = (list: readonly TypeAndKey[]) =>
    list.filter(({ type }) => schemeOf(type.id) === scheme.id).map(keyId)
  const issued = own(keys.commitments)
  const named = [...own(keys.disclosures), ...issued]
  let authentication = await authenticate(server, askPin)
  const post = (path: KeysharePath, body: unknown): Promise<string> => calls.post(path, body, authentication)
  const ask = async (path: KeysharePath, body: unknown): Promise<string> => {
    try {
      return await post(path, body)
    } catch (error) {
      if (statusOf(error) !== FORBIDDEN) throw error
      server.deps.wallet.tokens.delete(scheme.id) // the token is no longer valid: ask for the PIN again
      authentication = await authenticate(server, askPin)
      return post(path, body)
    }
  }
  const Ps = issued.length === 0 ? NONE : readIssuedPs(await post('/api/v2/prove/getPs', issued), issued)
  return {
    id: scheme.id,
    Ps,
    async commit() {
      const commitments = readCommitments(await ask('/prove/getCommitments', named))
      for (const [key, P] of Ps)
        if (commitments.get(key)?.P !== P) throw malformed(`expected the same P of ${key} twice`)
      return new Map([...commitments].map(([key, { Pcommit }]) => [key, Pcommit]))
    },
    async respond(challenge) {
      const jwt = await post('/prove/getResponse', toBase64(challenge))
      return { jwt, proof: await readProofJwt(jwt, scheme, { challenge, version: 'v1' }) }
    },
    async commitTo(input) {
      const hashedComms = writeBytes(hashUserInput(input), 'base64')
      try {
        const text = await ask('/api/v2/prove/getCommitments', { keys: named, hw: { hashedComms } })
        return readHashedCommitments(text)
      } catch (error) {
        if (statusOf(error) === NOT_FOUND) return null
        throw error
      }
    },
    async respondTo(request, challenge) {
      const jwt = await post('/api/v2/prove/getResponse', request)
      return { jwt, proof: await readProofJwt(jwt, scheme, { challenge, version: 'v2' }) }
    },
  }
}

const NONE: ReadonlyMap<string, bigint> = new Map()

/** @param keys of the credentials to issue: the server must return P for each */
function readIssuedPs(text: string, keys: readonly string[]): ReadonlyMap<string, bigint> {
  const Ps = readPs(text)
  for (const key of keys) if (!Ps.has(key)) throw malformed(`expected a P of ${key}`)
  return Ps
}
