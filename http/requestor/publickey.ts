/** GET /publickey (spec/interface#4.1, #5.2): the key that verifies the results of this server, in PEM. @module */
import { answerStored } from '../answer.ts'
import type { Endpoint, ServerDeps } from '../deps.ts'
import { signerOf } from '../result-signer.ts'

/** 501 where nothing is signed. */
export function publicKey({ settings }: Pick<ServerDeps, 'settings'>): Endpoint {
  return ctx => {
    const body = signerOf(settings).publicKeyPem
    answerStored(ctx, { status: 200, contentType: 'text/plain; charset=utf-8', body })
  }
}
