/** GET /publickey (spec 4.1, 5.2): what verifies the results that this server signs, in PEM. @module */
import { Unsupported } from '../../protocol/errors.ts'
import { answerStored } from '../answer.ts'
import type { Endpoint, ServerDeps } from '../deps.ts'

/** 501 where nothing is signed. */
export function publicKey({ settings: { resultSigner } }: Pick<ServerDeps, 'settings'>): Endpoint {
  return ctx => {
    if (resultSigner === null) throw new Unsupported('expected a JWT private key, got none')
    const body = resultSigner.publicKeyPem
    answerStored(ctx, { status: 200, contentType: 'text/plain; charset=utf-8', body })
  }
}
