/** Checks of the settings against the schemes. A server refuses malformed permission patterns, patterns with unknown names, and issuing
 *  to every caller with the keys of a real issuer. @module */
import {
  type AttributeTypeId,
  issuerOf,
  parseAttributeTypeId,
  parseCredentialTypeId,
  parseIssuerId,
  parseSchemeId,
} from '../../protocol/ids.ts'
import type { CredentialType, Schemes } from '../../schemes/types.ts'
import { checkAll, Refusals, SettingsError } from './errors.ts'
import { nearestName } from './nearest.ts'
import { hasRevocationKey } from './revocation.ts'
import type { OptionValues } from './session-server.ts'

const CREDENTIAL_TYPE_PARTS = 3
const ATTRIBUTE_PARTS = 4

/** @throws {SettingsError} about every setting that does not fit the schemes */
export function checkAgainstSchemes(options: OptionValues, schemes: Schemes): void {
  const isOpen = options.no_auth && options.client_port === 0
  checkAll([
    () => checkPatterns(options, schemes),
    () => {
      if (options.production && isOpen && options.issue_perms.length > 0) refuseRealIssuers(schemes)
    },
  ])
}

function refuseRealIssuers({ schemes, latestPrivateKey }: Schemes): void {
  for (const { id, isDemo, issuers } of schemes.values())
    for (const issuer of issuers.keys())
      if (!isDemo && latestPrivateKey(issuer))
        throw new SettingsError(
          `issue_perms: expected none in production with "no_auth", because ${issuer} of scheme ${id} has a private key, got some`,
        )
}

function checkPatterns(options: OptionValues, schemes: Schemes): void {
  const holders = [['', options] as const, ...Object.entries(options.requestors)]
  const refusals = new Refusals()
  const checkEach = (patterns: readonly string[], check: (pattern: string) => void): void => {
    for (const pattern of patterns) refusals.of(() => check(pattern))
  }
  for (const [name, perms] of holders) {
    const where = name === '' ? '' : `requestors.${name}.`
    checkEach(perms.disclose_perms, pattern =>
      checkPattern(`${where}disclose_perms`, pattern, ATTRIBUTE_PARTS, schemes),
    )
    checkEach(perms.sign_perms, pattern =>
      checkPattern(`${where}sign_perms`, pattern, ATTRIBUTE_PARTS, schemes),
    )
    checkEach(perms.issue_perms, pattern => {
      checkPattern(`${where}issue_perms`, pattern, CREDENTIAL_TYPE_PARTS, schemes)
      if (!options.skip_private_keys_check) requirePrivateKey(`${where}issue_perms`, pattern, schemes)
    })
    checkEach(perms.revoke_perms, pattern => {
      checkPattern(`${where}revoke_perms`, pattern, CREDENTIAL_TYPE_PARTS, schemes)
      if (!options.skip_private_keys_check) requireRevocationKey(`${where}revoke_perms`, pattern, schemes)
    })
  }
  refusals.throwAll()
}

export function checkPattern(option: string, pattern: string, partCount: number, schemes: Schemes): void {
  if (pattern === '*') return
  const parts = pattern.split('.')
  const hasStar = parts.at(-1) === '*'
  const named = hasStar ? parts.slice(0, -1) : parts
  const fits = hasStar ? parts.length <= partCount : parts.length === partCount
  if (!fits || named.join('.').includes('*'))
    throw new SettingsError(
      `${option}: expected "*", ${partCount} dotted parts, or fewer with ".*" at the end, got ${JSON.stringify(pattern)}`,
    )
  if (!exists(named, schemes))
    throw new SettingsError(
      `${option}: expected a name that the schemes define, got ${JSON.stringify(pattern)}${nearestOf(named, schemes, hasStar ? '.*' : '')}`,
    )
}

/** @param ending of the name in the settings, such as ".*"
 *  @returns a hint at the nearest name with as many parts, if there is one */
export function nearestOf(named: readonly string[], { schemes }: Schemes, ending = ''): string {
  const issuers = [...schemes.values()].flatMap(scheme => [...scheme.issuers.values()])
  const types = issuers.flatMap(issuer => [...issuer.credentialTypes.values()])
  const known: readonly (readonly string[])[] = [
    [...schemes.keys()],
    issuers.map(({ id }) => id),
    types.map(({ id }) => id),
    types.flatMap(namedAttributes),
  ]
  const names = known[named.length - 1] ?? []
  if (names.length === 0) return ''
  return `; the nearest is ${JSON.stringify(`${nearestName(named.join('.'), names)}${ending}`)}`
}

/** Without the attribute for revocation: it has an empty name, so its identifier ends with a dot. */
export function namedAttributes({ attributes }: Pick<CredentialType, 'attributes'>): AttributeTypeId[] {
  return attributes.filter(({ isRevocation }) => !isRevocation).map(({ id }) => id)
}

/** A credential type named in full is meant to be issued, so its key is needed. */
function requirePrivateKey(option: string, pattern: string, schemes: Schemes): void {
  if (pattern.endsWith('*')) return
  const issuer = issuerOf(parseCredentialTypeId(pattern))
  if (!schemes.latestPrivateKey(issuer))
    throw new SettingsError(
      `${option}: expected a private key of ${issuer} for ${JSON.stringify(pattern)}, or "skip_private_keys_check", got none`,
    )
}

function requireRevocationKey(option: string, pattern: string, schemes: Schemes): void {
  requirePrivateKey(option, pattern, schemes)
  if (pattern.endsWith('*') || hasRevocationKey({ id: parseCredentialTypeId(pattern) }, schemes)) return
  throw new SettingsError(
    `${option}: expected a key that supports revocation for ${JSON.stringify(pattern)}, or "skip_private_keys_check", got one that does not`,
  )
}

function exists(named: readonly string[], schemes: Schemes): boolean {
  const id = named.join('.')
  try {
    if (named.length === 1) return schemes.scheme(parseSchemeId(id)) !== undefined
    if (named.length === 2) return schemes.issuer(parseIssuerId(id)) !== undefined
    if (named.length === CREDENTIAL_TYPE_PARTS)
      return schemes.credentialType(parseCredentialTypeId(id)) !== undefined
    return schemes.attributeType(parseAttributeTypeId(id)) !== undefined
  } catch {
    return false // the text is no identifier
  }
}
