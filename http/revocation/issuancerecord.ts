/** POST {prefix}/revocation/{type}/issuancerecord/{keyCounter} (spec/cryptography#14.7): an issuer that is not the authority says what it is
 *  about to issue. The signature of the issuer's key is all that counts. @module */
import type { Context } from 'koa'
import { InvalidRequestError } from '../../protocol/errors.ts'
import { answerEmpty } from '../answer.ts'
import type { ServerDeps } from '../deps.ts'
import { NOT_SERVED, numberIn, servedIn } from './served.ts'

/** Stores a record of the issuer whose key the path names. */
export type AddRecord = (record: Uint8Array) => Promise<void>

/** Whether there are records of that issuer here shows before one is read.
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
