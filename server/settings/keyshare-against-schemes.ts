/** Checks of the settings of a keyshare server against its schemes (spec/keyshare-server#3.6, #5). Wallet apps use the data of the scheme, so the settings must
 *  agree with it. @module */
import type { KeyshareSigner } from '../../accounts/server-jwts.ts'
import { type AttributeTypeId, credentialTypeOf, issuerOf, schemeOf } from '../../protocol/ids.ts'
import { withoutSlashesAtEnd } from '../../protocol/text-scanning.ts'
import type { Scheme, Schemes } from '../../schemes/types.ts'
import { namedAttributes } from './against-schemes.ts'
import { refuse } from './checks.ts'
import { nearestName } from './nearest.ts'

const OPTION = 'keyshare_attribute'

/** @returns the attribute of the login credential
 *  @throws {SettingsError} if no scheme has this attribute, if its credential could not be issued, or if the scheme names another attribute */
export function loginAttributeOf(name: string, schemes: Schemes): AttributeTypeId {
  const attribute = attributeCalled(name, schemes)
  const credential = credentialTypeOf(attribute)
  const issuer = issuerOf(attribute)
  const { keyshareAttribute } = schemeOfAttribute(attribute, schemes)
  if (keyshareAttribute !== attribute)
    refuse(
      OPTION,
      `expected ${keyshareAttribute || 'a scheme with a KeyshareAttribute'}, because wallet apps read KeyshareAttribute of scheme ${schemeOf(attribute)}, got ${attribute}`,
    )
  const others = schemes.credentialType(credential)?.attributes.filter(({ id }) => id !== attribute) ?? []
  const needed = others.find(({ isOptional }) => !isOptional)
  if (needed)
    refuse(
      OPTION,
      `expected a credential type whose other attributes are optional, got one with ${needed.id}`,
    )
  if (!schemes.latestPrivateKey(issuer))
    refuse(
      OPTION,
      `expected a private key of ${issuer}, which issues ${credential}, in its scheme or in "privkeys", got none`,
    )
  return attribute
}

function attributeCalled(name: string, schemes: Schemes): AttributeTypeId {
  if (name === '')
    return refuse(
      OPTION,
      'expected the attribute that holds the user name, as KeyshareAttribute of the scheme, got none',
    )
  const known = [...schemes.schemes.values()]
    .flatMap(({ issuers }) => [...issuers.values()])
    .flatMap(({ credentialTypes }) => [...credentialTypes.values()])
    .flatMap(namedAttributes)
  const found = known.find(id => id === name)
  if (found !== undefined) return found
  const nearest = known.length === 0 ? '' : `; the nearest is ${JSON.stringify(nearestName(name, known))}`
  return refuse(
    OPTION,
    `expected an attribute that the schemes hold, got ${JSON.stringify(name.slice(0, 200))}${nearest}`,
  )
}

function schemeOfAttribute(attribute: AttributeTypeId, schemes: Schemes): Scheme {
  const scheme = schemes.scheme(schemeOf(attribute))
  if (scheme === undefined) throw new TypeError(`scheme of ${attribute}: expected one, got none`)
  return scheme
}

/** Wallet apps and issuers verify with the key of the scheme.
 *  @param place of the private key: the option, and the file that it names
 *  @throws {SettingsError} if the scheme has no key of that number, or another key */
export function checkKeyOfScheme(
  { kid, publicKey }: Pick<KeyshareSigner, 'kid' | 'publicKey'>,
  attribute: AttributeTypeId,
  schemes: Schemes,
  place: string,
): void {
  const { id, keyshareKeys } = schemeOfAttribute(attribute, schemes)
  const published = keyshareKeys.get(kid)
  const file = `kss-${kid}.pem`
  if (published === undefined)
    refuse('jwt_privkey_id', `expected a number N for which scheme ${id} has kss-N.pem, got ${kid}`)
  else if (!published.equals(publicKey))
    refuse(
      place,
      `expected the private key of ${file} in scheme ${id}, got another; "jwt_privkey_id" says which number N is meant`,
    )
}

/** The address of the keyshare server in the scheme, which wallet apps call. */
export function keyshareServerOf(attribute: AttributeTypeId, schemes: Schemes): string {
  return schemeOfAttribute(attribute, schemes).keyshareServer
}

export function warningsAboutScheme(
  attribute: AttributeTypeId,
  url: string,
  schemes: Schemes,
): readonly string[] {
  const { id, keyshareServer } = schemeOfAttribute(attribute, schemes)
  if (withoutSlashesAtEnd(keyshareServer) === withoutSlashesAtEnd(url)) return []
  return [`url: wallet apps call ${keyshareServer}, which is KeyshareServer of scheme ${id}, and not ${url}`]
}
