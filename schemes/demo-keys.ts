/** The private keys of a demo scheme, which are public (spec/schemes-and-cli#11.5). They are not signed: a key that does not fit its public key is
 *  not stored. @module */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { IssuerPublicKey } from '../crypto/public-key.ts'
import { readPrivateKey } from './keys.ts'
import type { FetchFile } from './remote.ts'
import { limitOf } from './signed-files.ts'
import type { Scheme } from './types.ts'
import { parseXml } from './xml.ts'

/** Downloads the keys that are missing in the folder.
 *  @returns one warning with the reason for each key that is still missing */
export async function addDemoKeys(
  folder: string,
  { scheme, url }: { readonly scheme: Scheme; readonly url: string },
  fetchFile: FetchFile,
): Promise<readonly string[]> {
  const warnings: string[] = []
  for (const issuer of scheme.issuers.values())
    for (const key of issuer.publicKeys.values()) {
      const path = `${issuer.id.slice(issuer.id.indexOf('.') + 1)}/PrivateKeys/${key.counter}.xml`
      const file = join(folder, path)
      if (existsSync(file)) continue
      try {
        const content = checked(await fetchFile(`${url}/${path}`, limitOf(path)), key)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, content, { mode: 0o600, flush: true })
      } catch (error) {
        warnings.push(
          `no private key ${issuer.id}-${key.counter}: ${error instanceof Error ? error.message : error}`,
        )
      }
    }
  return warnings
}

function checked(content: Buffer, key: IssuerPublicKey): Buffer {
  const { p, q, counter } = readPrivateKey(parseXml(content))
  if (p * q === key.n && counter === key.counter) return content
  throw new Error('does not belong to the public key')
}
