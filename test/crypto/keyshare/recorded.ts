/** The recorded calls to keyshare servers, from both folders of vectors, and the secrets of the accounts that made them. @module */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fromBase64 } from '../../../crypto/bytes.ts'
import { PROJECT, readVector } from '../../project.ts'

export type RecordedCall = {
  readonly file: string
  readonly n: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** as sent */
  readonly text: string
  readonly status: number
  /** the text of the answer */
  readonly answer: string
  /** Unix seconds */
  readonly atSec: number
}

type RawCall = {
  readonly n: number
  readonly atMs: number
  readonly to: string
  readonly request: {
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly raw?: string
  }
  readonly response: { readonly status: number; readonly body?: unknown; readonly raw?: string }
}
type RawFile = { readonly recordedAt: number; readonly exchanges: readonly RawCall[] }

const FILES = ['keyshare', 'keyshare-server'].flatMap(folder =>
  readdirSync(join(PROJECT, 'test/vectors', folder))
    .filter(name => name.startsWith('keyshare-'))
    .sort()
    .map(name => `${folder}/${name}`),
)

function textOf({ body, raw }: { readonly body?: unknown; readonly raw?: string }): string {
  return raw ?? (body === undefined ? '' : JSON.stringify(body))
}

/** All calls to a keyshare server, by file, in their order. */
export const RECORDED_CALLS: readonly RecordedCall[] = FILES.flatMap(file => {
  const { recordedAt, exchanges } = readVector(file) as RawFile
  return exchanges
    .filter(({ to }) => to === 'keyshare')
    .map(({ n, atMs, request, response }) => ({
      file,
      n,
      path: request.path,
      headers: request.headers ?? {},
      text: textOf(request),
      status: response.status,
      answer: textOf(response),
      atSec: recordedAt + Math.floor(atMs / 1000),
    }))
})

/** The calls of a file with this end of their path, and with the answer 200. */
export function answeredCalls(pathEnd: string): readonly RecordedCall[] {
  return RECORDED_CALLS.filter(({ path, status }) => status === 200 && path.endsWith(pathEnd))
}

/** The claims of a JWT, unverified. */
export function claimsIn(jwt: string): unknown {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
}

export type StoredRecord = {
  readonly username: string
  readonly record: string
  readonly plaintextCborHex: string
  readonly keyId: number
  readonly pin: string
  readonly keyshareSecret: string
  readonly tokenId: string
  readonly devicePublicKey: string
  /** names of files */
  readonly occursIn: readonly string[]
}

/** The accounts of the recorded calls in their final state. */
export const STORED_RECORDS: readonly StoredRecord[] = (
  readVector('keyshare-server/stored-records.json') as { records: readonly StoredRecord[] }
).records

/** m_k of an account. */
export function recordedSecret(userName: string): bigint {
  const record = STORED_RECORDS.find(({ username }) => username === userName)
  if (record === undefined) throw new Error(`vectors: expected an account ${userName}`)
  return fromBase64(record.keyshareSecret)
}
