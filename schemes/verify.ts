/** The checks of `svc scheme verify` (spec/schemes-and-cli#9, #16.6): all checks of loading, the keys of issuers, and warnings. @module */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildScheme } from './build-scheme.ts'
import { warningAboutLatestKey } from './latest-key.ts'
import { maintainerWarnings } from './maintainer-warnings.ts'
import { readKeyRing } from './private-keys.ts'
import { SchemeError } from './scheme-error.ts'
import { readSignedFiles } from './signed-files.ts'
import type { Issuer } from './types.ts'

/** The unsigned files that a scheme folder may hold. */
const UNSIGNED =
  /^(index|index\.sig|pk\.pem|sk\.pem|AUTHORS|LICENSE|README\.md|\.git.*|\.DS_Store|[^/]+\/(PrivateKeys|Proofs)(\/.*)?)$/

/** The description of an issuer or a credential type. */
const DESCRIPTION = /^[^/]+\/(?:Issues\/[^/]+\/)?description\.xml$/

/** @returns warnings for an operator; none of them is an error
 *  @throws {SchemeError} the first error */
export async function verifyScheme(folder: string, nowSec: number): Promise<readonly string[]> {
  const files = readSignedFiles(folder)
  const scheme = buildScheme(files)
  await readKeyRing(new Map([[folder, scheme]]), null)
  const unlisted = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(join(folder, 'x').length - 1)
        .replaceAll('\\', '/'),
    )
    .filter(path => !files.paths.has(path) && !path.startsWith('.git/') && !UNSIGNED.test(path))
  refuseUnlistedDescription(folder, unlisted)
  return [
    ...unlisted.map(path => `Ignored file: ${path}`),
    ...maintainerWarnings(files, scheme),
    ...[...scheme.issuers.values()].flatMap(issuer => keyWarnings(folder, issuer, nowSec)),
  ]
}

/** Refuses a description that is missing in the index. This server ignores such a file, because loading follows the index. Other programs refuse the
 *  whole scheme (spec/schemes-and-cli#8.5). */
function refuseUnlistedDescription(folder: string, unlisted: readonly string[]): void {
  const path = unlisted.find(each => DESCRIPTION.test(each))
  if (path === undefined) return
  throw new SchemeError(
    join(folder, path),
    'expected a file that is listed in the index, got an unlisted one; sign the scheme again or remove the folder',
  )
}

/** Checks the latest key, which is the one that signs. @throws {SchemeError} */
function keyWarnings(folder: string, issuer: Issuer, nowSec: number): readonly string[] {
  const latest = [...issuer.publicKeys.values()].at(-1)
  if (!latest) return [`Issuer ${issuer.id} has no public key`]
  const revocable = [...issuer.credentialTypes.values()].find(type => type.supportsRevocation)
  if (revocable && !latest.revocation) {
    const name = issuer.id.slice(issuer.id.indexOf('.') + 1)
    const file = join(folder, name, 'PublicKeys', `${latest.counter}.xml`)
    throw new SchemeError(file, `${revocable.id} can be revoked, the key does not support revocation`)
  }
  const warning = warningAboutLatestKey(issuer, nowSec)
  return warning === null ? [] : [warning]
}
