/** What `svc scheme verify` looks at (spec/schemes-and-cli 9, 16.6): all that loading checks, the keys of issuers, and what is merely odd.
 *  @module */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildScheme } from './build-scheme.ts'
import { warningAboutLatestKey } from './latest-key.ts'
import { maintainerWarnings } from './maintainer-warnings.ts'
import { readKeyRing } from './private-keys.ts'
import { SchemeError } from './scheme-error.ts'
import { readSignedFiles } from './signed-files.ts'
import type { Issuer } from './types.ts'

/** The files that a scheme's folder holds beside its signed ones. */
const UNSIGNED =
  /^(index|index\.sig|pk\.pem|sk\.pem|AUTHORS|LICENSE|README\.md|\.git.*|\.DS_Store|[^/]+\/(PrivateKeys|Proofs)(\/.*)?)$/

/** The description of an issuer or a credential type. */
const DESCRIPTION = /^[^/]+\/(?:Issues\/[^/]+\/)?description\.xml$/

/** @returns what an operator should know, none of it wrong
 *  @throws {SchemeError} what is wrong */
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

/** Loading follows the index, so this server ignores such a file. Others refuse the whole scheme for it (spec/schemes-and-cli 8.5). */
function refuseUnlistedDescription(folder: string, unlisted: readonly string[]): void {
  const path = unlisted.find(each => DESCRIPTION.test(each))
  if (path === undefined) return
  throw new SchemeError(
    join(folder, path),
    'expected a file that is listed in the index, got an unlisted one; sign the scheme again or remove the folder',
  )
}

/** The latest key is the one that signs. @throws {SchemeError} */
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
