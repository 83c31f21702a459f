/** POST {prefix}/revocation/{type}/issuancerecord/{keyCounter} (`spec/cryptography.md` 14.7): an issuer that is not the authority says what it is
 *  about to issue. The signature of the issuer's key is all that counts. @module */
import { InvalidRequest } from '../../protocol/errors.ts'
import { answerEmpty } from '../answer.ts'
import type { Endpoint, ServerDeps } from '../deps.ts'
import { readBody } from '../read-body.ts'
import { answerInTime, NOT_SERVED, numberIn, servedIn } from './served.ts'

export function issuanceRecord(
  deps: Pick<ServerDeps, 'revocation' | 'clock' | 'settings' | 'sessions'>,
): Endpoint {
  return async ctx => {
    const { addRecord } = servedIn(ctx, deps)
    const keyCounter = numberIn(ctx, 'keyCounter')
    if (addRecord === null) throw new InvalidRequest(NOT_SERVED)
    const record = await readBody(ctx, deps, InvalidRequest)
    await answerInTime(deps, addRecord(keyCounter, record))
    answerEmpty(ctx)
  }
}
