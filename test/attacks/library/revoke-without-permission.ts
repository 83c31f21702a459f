/** A requestor revokes a credential that it may not revoke. @module */
import type { Attack } from '../attack.ts'
import { holderOf } from '../holder.ts'
import { obtain } from '../obtain.ts'
import { withService } from '../own-service.ts'
import { PERMIT, revoke } from '../revoked.ts'

const KEY = 'the permit of another person'

export const attack: Attack = {
  name: 'revoke-without-permission',
  gains: 'the end of the credentials of others',
  cites: 'spec/session-server#17',
  on: 'own servers',
  async run(own) {
    for (const revoke_perms of [[], ['svc-demo.fast.*']]) {
      const settings = { revocation_settings: { [PERMIT]: { authority: true } }, revoke_perms }
      const gained = await withService(own, settings, async service => {
        const attributes = { kind: 'x', number: '1' }
        const issued = [{ credential: PERMIT, attributes, revocationKey: KEY }]
        await obtain(service, holderOf(service).secretKey, issued)
        const { status } = await revoke(service, KEY)
        return status === 200
          ? `a credential was revoked with revoke_perms ${JSON.stringify(revoke_perms)}`
          : null
      })
      if (gained !== null) return gained
    }
    return null
  },
}
