/** A holder whose credential was revoked, and the proofs of non-revocation that the holder makes nevertheless. @module */
import { draftDisclosure, type NonRevocationChoice } from '../../crypto/disclosure.ts'
import type { SignedAccumulator } from '../../crypto/revocation/accumulator.ts'
import type { Answer } from '../../libraries/conformance/answer.ts'
import type { Service } from '../../libraries/conformance/service.ts'
import type { Credential } from '../../libraries/wallet/credential.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import { arithmetic, ask, bytes, hidden, isAccepted, prove } from './forge.ts'
import { holderOf } from './holder.ts'
import { obtain } from './obtain.ts'
import type { OwnServers } from './own-servers.ts'
import { withService } from './own-service.ts'

export const PERMIT = 'svc-demo.gov.permit'
const KEY = 'a permit to revoke'
/** Base indices of a permit. */
export const KIND = 2
export const REVOCATION = 3
export const NUMBER = 4

/** @param permit revoked; its witness is older
 *  @param latest the accumulator that the server sent */
export type Cheat = (
  permit: Credential,
  latest: SignedAccumulator,
) => { readonly credential?: Credential; readonly nonRevocation?: NonRevocationChoice }

/** Issues a permit with an empty number, revokes it, and shows it with the proof of the attacker.
 *  @returns the gain */
export function showRevoked(own: OwnServers, cheat: Cheat): Promise<string | null> {
  const settings = { revocation_settings: { [PERMIT]: { authority: true } }, revoke_perms: ['*'] }
  return withService(own, settings, async service => {
    const { secretKey } = holderOf(service)
    const attributes = { kind: 'x', number: '' }
    const permit = await obtain(service, secretKey, [{ credential: PERMIT, attributes, revocationKey: KEY }])
    const { status, text } = await revoke(service, KEY)
    if (status !== 200) throw new Error(`expected the permit to be revoked, got ${status}: ${text}`)
    const members = { disclose: [[[`${PERMIT}.kind`]]], revocation: [PERMIT] }
    const asked = await ask(service, service.disclosure(members))
    const latest = asked.updates.get(parseCredentialTypeId(PERMIT))?.get(permit.key.counter)?.signed
    if (latest === undefined) throw new Error('expected an accumulator with the request')
    const { credential = permit, ...rest } = cheat(permit, latest)
    const choice = { credential, disclosed: [KIND], ...rest }
    const proofs = prove(asked, [draftDisclosure(arithmetic, choice, hidden(secretKey), bytes)])
    const isGained = await isAccepted(service, asked, proofs, [[{ cred: 0, attr: KIND }]])
    return isGained ? 'a revoked credential is VALID' : null
  })
}

/** Asks the server to revoke the permits with this key. */
export function revoke(service: Service, revocationKey: string): Promise<Answer> {
  const context = `${service.profile.contextBase}/ld/request/revocation/v1`
  const body = { '@context': context, type: PERMIT, revocationKey }
  return service.call('POST', `${service.server}/revocation`, { body })
}
