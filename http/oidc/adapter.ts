/** The records of the provider, with the errors of the protocol. A code that is used twice may be stolen: its grant ends, and with it the tokens that the first
 *  use gave (RFC 6749, 4.1.2). @module */
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider'
import { AlreadyConsumedError, type OidcRecords } from '../../actors/oidc/records.ts'

export function createAdapters(records: Pick<OidcRecords, 'adapterFor'>): AdapterFactory {
  return kind => {
    const adapter = records.adapterFor<AdapterPayload>(kind)
    const consume: Adapter['consume'] = async id => {
      try {
        await adapter.consume(id)
      } catch (error) {
        if (!(error instanceof AlreadyConsumedError)) throw error
        const grantId = (await adapter.find(id))?.grantId
        if (grantId !== undefined) await adapter.revokeByGrantId(grantId)
        throw new errors.InvalidGrant('authorization code already consumed')
      }
    }
    return {
      find: id => adapter.find(id),
      findByUid: uid => adapter.findByUid(uid),
      findByUserCode: userCode => adapter.findByUserCode(userCode),
      upsert: (id, payload, expiresIn) => adapter.upsert(id, payload, expiresIn),
      consume,
      destroy: id => adapter.destroy(id),
      revokeByGrantId: grantId => adapter.revokeByGrantId(grantId),
    }
  }
}
