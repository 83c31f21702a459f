/** POST {prefix}/revocation/{type}/issuancerecord/{keyCounter} (spec/cryptography#14.7): an issuer that is not the authority sends the record
 *  of a credential that it is about to issue. Its only authentication is the signature with the issuer's key. @module */
import type { Context } from 'koa'
import { InvalidRequestError } from '../../protocol/errors.ts'
import { answerEmpty } from '../answer.ts'
import type { ServerDeps } from '../deps.ts'
import { NOT_SERVED, numberIn, servedIn } from './served.ts'

/** Stores a record of the issuer whose key the path names. */
export type AddRecord = (record: Uint8Array) => Promise<void>

/** Refuses a call, before its body is read, if this server stores no records of that credential type.
 *  @throws {InvalidRequestError} */
export function recordsIn(ctx: Context, deps: Pick<ServerDeps, 'revocation'>): AddRecord {
  const { addRecord } = servedIn(ctx, deps)
  const keyCounter = numberIn(ctx, 'keyCounter')
  if (addRecord === null) throw new InvalidRequestError(NOT_SERVED)
  return record => addRecord(keyCounter, record)
}

export async function issuanceRecord(ctx: Context, add: AddRecord, record: Uint8Array): Promise<void> {
  await add(record)
  answerEmpty(ctx)
}
