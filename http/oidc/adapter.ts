/** The records of the provider, with the errors of the protocol. A code that is used twice may be stolen: its grant ends, and with it the tokens that the first
 *  use gave (RFC 6749, 4.1.2). @module */
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider'
import { AlreadyConsumedError, type OidcRecords } from '../../actors/oidc/records.ts'

export function createAdapters(records: Pick<OidcRecords, 'adapterFor'>): AdapterFactory {
  const grants = records.adapterFor<AdapterPayload>('Grant')
  return kind => {
    const adapter = records.adapterFor<AdapterPayload>(kind)
    const consume: Adapter['consume'] = id =>
      adapter.consume(id).catch(async error => {
        if (!(error instanceof AlreadyConsumedError)) throw error
        if (kind === 'PushedAuthorizationRequest') throw new errors.InvalidRequestUri('used before')
        const grantId = (await adapter.find(id))?.grantId
        // the grant is deleted too, so that a token that the first use stores later is not valid
        if (grantId !== undefined) await grants.destroy(grantId)
        throw new errors.InvalidGrant('authorization code already consumed')
      })
    const upsert: Adapter['upsert'] = (id, payload, expiresIn) =>
      adapter.upsert(id, payload, expiresIn).catch(error => {
        if (!(error instanceof AlreadyConsumedError)) throw error
        throw new errors.InvalidClientAuth('client assertion tokens must only be used once')
      })
    return {
      find: id => adapter.find(id),
      findByUid: uid => adapter.findByUid(uid),
      findByUserCode: userCode => adapter.findByUserCode(userCode),
      upsert,
      consume,
      destroy: id => adapter.destroy(id),
      revokeByGrantId: grantId => adapter.revokeByGrantId(grantId),
    }
  }
}
