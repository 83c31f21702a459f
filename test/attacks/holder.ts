/** The knowledge of an attacker who is a holder: the secret key of its wallet, and its credentials with their signatures. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeAttribute } from '../../crypto/attribute.ts'
import { NotTriedError } from '../../libraries/conformance/expect.ts'
import type { Service } from '../../libraries/conformance/service.ts'
import { type Credential, indexOf, knownCredentials, shownText } from '../../libraries/wallet/credential.ts'
import { readContents } from '../../libraries/wallet/stored.ts'
import type { AttributeTypeId } from '../../protocol/ids.ts'

export type Holder = {
  readonly secretKey: bigint
  readonly credentials: readonly Credential[]
}

export function holderOf({ wallet }: Pick<Service, 'wallet'>): Holder {
  const path = join(wallet.dir, 'wallet.json')
  const { secretKey, credentials } = readContents(path, readFileSync(path, 'utf8'))
  return { secretKey, credentials: knownCredentials(credentials, wallet.schemes) }
}

/** A credential of the wallet whose attributes may be requested.
 *  @throws {NotTriedError} if the wallet has none of the type */
export function credentialOf(holder: Holder, type: string): Credential {
  const found = holder.credentials.find(credential => credential.type.id === type)
  if (found === undefined) throw new NotTriedError(`the wallet has no ${type}`)
  return found
}

/** The attribute that the trials request, in the credential of the holder. */
export type SubjectOfHolder = {
  readonly credential: Credential
  readonly id: AttributeTypeId
  /** base index */
  readonly index: number
  readonly text: string
}

export function subjectOf(service: Service, holder: Holder): SubjectOfHolder {
  const { type, attribute } = service.subject
  const credential = credentialOf(holder, type)
  const index = indexOf(credential, attribute.id) ?? 0
  return { credential, id: attribute.id, index, text: shownText(credential, index) ?? '' }
}

/** A value that no issuer signed for this wallet. */
export const FORGED = 'a value of the attacker'
export const FORGED_NUMBER = encodeAttribute(FORGED)
