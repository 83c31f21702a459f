/** The folders of certificates and private keys of SD-JWT VC (spec/session-server#18), and their content. @module */
import type { Clock } from '../../ports/clock.ts'
import { CurrentSdJwtIssuers } from '../../schemes/sd-jwt/current-issuers.ts'
import {
  readSdJwtIssuers,
  type SdJwtFolders,
  type SdJwtIssuers,
  warningsAboutDates,
} from '../../schemes/sd-jwt/issuers.ts'
import type { Schemes } from '../../schemes/types.ts'
import { refuse } from './checks.ts'
import type { SdJwtOptionValues } from './sd-jwt-options.ts'

/** @returns null: no SD-JWTs are issued
 *  @throws {SettingsError} if one folder is given without the other, or if the single option and the object `sdjwtvc` name different folders */
export function sdJwtFoldersOf(options: SdJwtOptionValues): SdJwtFolders | null {
  const certificates = folderOf(options, 'issuer_certificates_dir')
  const privateKeys = folderOf(options, 'issuer_private_keys_dir')
  if (certificates === '' && privateKeys === '') return null
  if (certificates === '')
    refuse(
      'sdjwtvc_issuer_certificates_dir',
      'expected the folder of the certificates, because "sdjwtvc_issuer_private_keys_dir" is given, got none',
    )
  if (privateKeys === '')
    refuse(
      'sdjwtvc_issuer_private_keys_dir',
      'expected the folder of the private keys, because "sdjwtvc_issuer_certificates_dir" is given, got none',
    )
  return { certificates, privateKeys }
}

function folderOf(options: SdJwtOptionValues, member: keyof SdJwtOptionValues['sdjwtvc']): string {
  const [single, inObject] = [options[`sdjwtvc_${member}`], options.sdjwtvc[member]]
  if (single !== '' && inObject !== '' && single !== inObject)
    refuse(`sdjwtvc_${member}`, `expected the same folder as in "sdjwtvc", got ${single}`)
  return single || inObject
}

type CheckedIssuers = { readonly issuers: CurrentSdJwtIssuers | null; readonly warnings: readonly string[] }

/** @throws {SchemeError} that names the file, about the first one that cannot be used */
export function sdJwtIssuersOf(found: SdJwtFolders | null, schemes: Pick<Schemes, 'issuer'>): CheckedIssuers {
  if (found === null) return { issuers: null, warnings: [] }
  const read = readSdJwtIssuers({ ...found, isKnown: id => schemes.issuer(id) !== undefined })
  return { issuers: new CurrentSdJwtIssuers(read), warnings: read.warnings }
}

/** Warnings about certificates that are not valid, or not for long. */
export function sdJwtCertificatesThatExpire(
  issuers: SdJwtIssuers | null,
  clock: Pick<Clock, 'wallNow'>,
): readonly string[] {
  return [...(issuers?.values() ?? [])].flatMap(issuer => warningsAboutDates(issuer, clock.wallNow() / 1_000))
}
