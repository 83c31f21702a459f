/** Classifies errors of Redis: which are failures of the server, and the remedy for each. @module */
import { ErrorReply } from '@redis/client'
import { StoreError, StoreRefusalError, StoreUnreachableError } from '../store-error.ts'

const RUNNING =
  'see that the server runs, and that this machine reaches it without TLS, because the address begins with redis://'
const RUNNING_TLS =
  'see that the server runs, and that this machine reaches it by TLS; if it has no TLS, set "redis_no_tls: true", or begin "store" with redis://'
const LET_IN = 'see that user and password are right ("store", "redis_username", "redis_pw")'
const PERMITTED =
  'let this user run the commands that docs/operating.md names, on the keys and the channel of this server; with "redis_acl_use_key_prefixes" their names begin with the name of the user'

/** By the first word of the answer. */
const REMEDIES: Readonly<Record<string, string>> = {
  OOM: 'give the server more memory ("maxmemory"); until then nothing new is stored',
  LOADING: 'wait until the server has read its data',
  READONLY: 'name the primary server: this one takes no commits',
  MASTERDOWN: 'name the primary server: this one takes no commits',
  NOREPLICAS: 'see that the replicas run ("min-replicas-to-write" of the server)',
  MISCONF: 'see that the server can write its disk',
  NOAUTH: LET_IN,
  WRONGPASS: LET_IN,
  NOPERM: PERMITTED,
  BUSY: 'look for the script that keeps the server busy',
  MOVED: 'name a server that is no node of a cluster',
  CROSSSLOT: 'name a server that is no node of a cluster',
}

/** Error codes of a server that runs but is not ready. */
const STARTING = ['LOADING', 'MASTERDOWN', 'BUSY']
const OF_TLS = /certificate|SSL|TLS|self.signed|altnames/i

/** A key of another type, or a value that is too large. Only this commit fails, for good; the server works. */
const OF_ONE_COMMIT =
  /^WRONGTYPE|exceeds maximum allowed size|Protocol error: (?:invalid (?:bulk|multibulk) length|too big)/

/** @param name of the store as a log may show it
 *  @param error of the driver, which quotes no value that was sent
 *  @returns the error for all code outside of this folder */
export function failureOf(name: string, error: unknown): Error {
  if (error instanceof StoreError) return error
  const message = error instanceof Error ? error.message || error.name : 'no error'
  const got = JSON.stringify(wordsOf(error, message))
  if (error instanceof ErrorReply && OF_ONE_COMMIT.test(message))
    return new Error(`store ${name}: expected a row that can be stored, got ${got}`)
  const Failure = failureClassOf(error, message)
  return new Failure(
    `store ${name}: expected to read and write the server, got ${got}: ${remedyFor(error, message, /^"?rediss/.test(name))}`,
  )
}

function failureClassOf(error: unknown, message: string): typeof StoreError {
  if (isUnreachable(error, message)) return StoreUnreachableError
  return error instanceof ErrorReply ? StoreRefusalError : StoreError
}

function isUnreachable(error: unknown, message: string): boolean {
  if (error instanceof ErrorReply)
    return STARTING.includes(codeOf(error)) || message.includes('max number of clients reached')
  return !OF_TLS.test(message)
}

export function codeOf(error: unknown): string {
  return error instanceof ErrorReply ? (/^[A-Z]+/.exec(error.message)?.[0] ?? '') : ''
}

/** Cuts off quotations: an error of a script quotes its source, and an error about arguments may quote them. */
function wordsOf(error: unknown, message: string): string {
  return error instanceof ErrorReply
    ? (message.split(/ script: |, with args beginning with/)[0] ?? '')
    : message
}

function remedyFor(error: unknown, message: string, hasTls: boolean): string {
  if (!(error instanceof ErrorReply)) return remedyForConnection(message, hasTls)
  return REMEDIES[codeOf(error)] ?? 'look at the log of the server'
}

function remedyForConnection(message: string, hasTls: boolean): string {
  if (OF_TLS.test(message))
    return 'see that the server speaks TLS with a certificate that is trusted here ("redis_tls_cert_file")'
  return hasTls ? RUNNING_TLS : RUNNING
}
