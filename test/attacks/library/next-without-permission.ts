/** A requestor of few permissions asks in the next session of a chain for what it may not ask in the first. @module */
import { NotTriedError } from '../../../libraries/conformance/expect.ts'
import { at } from '../../../libraries/conformance/json.ts'
import { callOf } from '../../../libraries/conformance/service.ts'
import type { Attack } from '../attack.ts'
import { serviceAt } from '../own-service.ts'
import {
  ALLOWED_REQUEST,
  ISSUANCE,
  LARGE_REQUEST,
  SMALL,
  SMALL_SECRET,
  startWithRequestors,
} from '../requestors.ts'

export const attack: Attack = {
  name: 'next-without-permission',
  gains: 'attributes and credentials that the requestor may not ask for',
  cites: 'spec/session-server#15',
  on: 'own servers',
  async run(own) {
    const { url } = await startWithRequestors(own)
    const flags = { authMethod: 'hmac', name: SMALL, key: SMALL_SECRET.toString('base64') } as const
    return serviceAt(
      url,
      async service => {
        for (const request of [LARGE_REQUEST, ISSUANCE]) {
          const next = service.others?.expect(request)
          if (next === undefined) throw new NotTriedError('the server cannot call this process')
          const asked = { request: ALLOWED_REQUEST, nextSession: { url: next.url } }
          const played = await service.answer(await service.create(asked))
          const { got } = callOf(played, 'POST', '/proofs')
          if (at(got, 'nextSession') !== undefined) return 'a next session without permission'
        }
        return null
      },
      flags,
    )
  },
}
