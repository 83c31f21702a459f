/** SD-JWT VCs beside credentials (spec/session-server#18), where the server issues them. The wallet verifies each against its key and the offer. @module */
import { expectEqual, expectText, expectThat, NotTriedError } from '../expect.ts'
import { at, listOf, put } from '../json.ts'
import { callOf, type Service, wordsOf } from '../service.ts'
import type { Trials } from './trial.ts'

const COUNT = 2
/** As the issuer gives it: `<JWT>~<disclosure>~...~`. */
const SD_JWT = /^([\w-]+\.){2}[\w-]+~([\w-]+~)*$/
const KEYS = 'keybinding_pub_keys'

/** Issues a credential with a batch.
 *  @param tamper changes the message of the wallet */
async function issued(service: Service, tamper?: (body: unknown) => unknown) {
  const credentials = [service.credential({ sdJwtBatchSize: COUNT })]
  const request = service.request('issuing', { credentials })
  const { status } = await service.post(request)
  if (status === 400) throw new NotTriedError('the server issues no SD-JWTs of this issuer')
  const played = await service.answer(await service.create(request), { tamper })
  return { played, ...callOf(played, 'POST', '/commitments') }
}

export const TRIALS_OF_SD_JWTS: Trials = {
  async '2.5 sdJwtBatchSize'(service) {
    const { played, sent, got } = await issued(service)
    if (at(sent, KEYS) === undefined)
      throw new NotTriedError('the wallet asks for no SD-JWTs: it is not in developer mode')
    if (at(got, 'sigs') !== undefined && at(got, 'sdjwts') === undefined)
      throw new NotTriedError('the server issues no SD-JWTs')
    const sdJwts = listOf(at(got, 'sdjwts'))
    expectEqual('number of sdjwts', sdJwts.length, COUNT)
    for (const each of sdJwts) expectText('an SD-JWT of the form', each, SD_JWT)
    expectThat(
      played.outcome.status === 'success',
      'SD-JWTs that the wallet accepts: signed, for its keys, with the offered type and values',
      wordsOf(played),
    )
    const fewer = await issued(service, body => put(body, [KEYS], listOf(at(body, KEYS)).slice(1)))
    expectEqual('error for one key too few', at(fewer.got, 'error'), 'ISSUANCE_FAILED')
  },
}
