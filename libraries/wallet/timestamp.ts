/** Timestamps of signatures (spec/cryptography#8.3). The scheme of the disclosed attributes names the server, which receives only a hash. Invalid timestamps are found
 *  before anything is sent to the session server. @module */
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { type Timestamp, timestampNonce, verifyTimestamp } from '../../crypto/timestamp.ts'
import { fetchWithin, readBounded } from '../../ports/fetch.ts'
import { timeLimit } from '../../ports/limit.ts'
import { utf8Of } from '../../ports/utf8.ts'
import { schemeOf } from '../../protocol/ids.ts'
import { writeJson } from '../../protocol/json.ts'
import { readObject, readText, ShapeError } from '../../protocol/shape.ts'
import { withoutSlashesAtEnd } from '../../protocol/text-scanning.ts'
import { readTimestamp } from '../../protocol/timestamp-json.ts'
import type { Schemes } from '../../schemes/types.ts'
import { CancelledError, SessionError } from './failure.ts'
import type { NamedServerDeps } from './named-servers.ts'
import type { StampedProof } from './proofs.ts'

const LIMIT_MS = 10_000
const MAX_ANSWER_BYTES = 1 << 16

/** The address of the timestamp server of these attributes; null: their schemes name none.
 *  @throws {SessionError} `no-timestamp`, if the schemes name different servers */
export function timestampServerOf(proofs: readonly StampedProof[], schemes: Schemes): string | null {
  const servers = new Set(proofs.map(({ type }) => schemes.scheme(schemeOf(type.id))?.timestampServer ?? ''))
  if (servers.size > 1) throw failure('expected attributes of schemes with one timestamp server, got several')
  const [server = ''] = servers
  return server === '' ? null : `${withoutSlashesAtEnd(server)}/`
}

/** The hash to timestamp: over A' and the disclosed values of every proof, and the message. */
export function stampedNonce(
  arithmetic: Arithmetic,
  stamped: readonly StampedProof[],
  message: string,
): Uint8Array {
  const proofs = stamped.map(({ A, disclosed, key, type }) => ({
    A,
    disclosed,
    key,
    attributeCount: type.attributes.length,
  }))
  return timestampNonce({ message, version: 2, proofs }, arithmetic)
}

/** @param server from `timestampServerOf`
 *  @throws {SessionError} `no-timestamp`; `insecure` for plain HTTP without developer mode
 *  @throws {CancelledError} */
export async function obtainTimestamp(
  server: string,
  nonce: Uint8Array,
  deps: NamedServerDeps,
): Promise<Timestamp> {
  if (!/^https:/i.test(server) && !deps.developerMode)
    throw new SessionError('insecure', 'timestamp server: plain HTTP needs developer mode')
  const timestamp = readStamp(await post(server, nonce, deps))
  if (!verifyTimestamp(timestamp, nonce))
    throw failure('expected an Ed25519 signature of the nonce that was sent, got another')
  return timestamp
}

function failure(message: string): SessionError {
  return new SessionError('no-timestamp', `timestamp: ${message}`)
}

async function post(server: string, nonce: Uint8Array, deps: NamedServerDeps): Promise<string> {
  using limit = timeLimit(deps.clock, LIMIT_MS, deps.signal)
  const Nonce = Buffer.from(nonce).toString('base64')
  const body = writeJson({ Nonce, ProofOfWork: null, Time: null, PreferredSigAlg: 'ed25519' })
  const headers = { 'Content-Type': 'application/json' }
  try {
    const response = await fetchWithin(limit, deps.fetch, server, { method: 'POST', headers, body })
    const bytes = await readBounded(response, MAX_ANSWER_BYTES)
    if (response.status !== 200) throw failure(`expected the answer 200 of ${server}, got ${response.status}`)
    const text = utf8Of(bytes)
    if (text === null) throw failure(`expected an answer of ${server} in UTF-8, got other bytes`)
    return text
  } catch (error) {
    if (deps.signal?.aborted) throw new CancelledError()
    if (error instanceof SessionError && error.reason === 'no-timestamp') throw error
    throw failure(`expected an answer of ${server}, got none, or one that is too large`)
  }
}

function readStamp(text: string): Timestamp {
  try {
    const { Error: refusal, Stamp } = readObject(readText(text), 'answer')
    if (refusal !== null && refusal !== undefined) throw new ShapeError('the server refused')
    return readTimestamp(readObject(Stamp, 'Stamp'), 'Stamp')
  } catch (error) {
    if (error instanceof ShapeError) throw failure(error.message)
    throw error
  }
}
