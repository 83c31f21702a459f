/** A credential whose validity has ended, and one that was signed after the end of its key. @module */
import { isAnsweredWith } from '../answer-with.ts'
import type { Attack } from '../attack.ts'
import { holderOf } from '../holder.ts'
import { signedInThePast } from '../signed-by-demo.ts'

const YEAR_SEC = 365 * 86_400

export const attack: Attack = {
  name: 'expired-credential',
  gains: 'the use of a credential after its end, or after the end of the key that signed it',
  cites: 'spec/cryptography#12.3',
  on: 'session server',
  async run(service) {
    const nowSec = Math.floor(service.clock.wallNow() / 1_000)
    const { secretKey } = holderOf(service)
    for (const [type, issuedAtSec, expiresAtSec] of [
      ['svc-demo.fast.note', nowSec - 2 * YEAR_SEC, nowSec - YEAR_SEC],
      ['svc-demo.old.relic', nowSec - YEAR_SEC, nowSec + YEAR_SEC],
    ] as const) {
      const credential = signedInThePast(service, secretKey, type, { issuedAtSec, expiresAtSec })
      const disclose = [[[credential.type.attributes[0]?.id]]]
      const shown = [{ credential, disclosed: [2] }]
      const answer = { secretKey, shown, indices: [[{ cred: 0, attr: 2 }]] }
      if (await isAnsweredWith(service, { disclose }, answer)) return `${type} is VALID after its end`
    }
    return null
  },
}
