/** The certificate and key of a test issuer of SD-JWTs, under the name of the issuer whose credentials the trials and attacks request. @module */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './project.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** @returns two new folders, each with a file for svc-demo.fast */
export function issuerWithSdJwts(): { readonly certificates: string; readonly privateKeys: string } {
  const folder = temporaryFolder()
  const copied = (part: 'certs' | 'keys'): string => {
    mkdirSync(join(folder, part))
    const source = join(PROJECT, 'test/vectors/sd-jwt/pki', part, 'svc-demo.gov.pem')
    copyFileSync(source, join(folder, part, 'svc-demo.fast.pem'))
    return join(folder, part)
  }
  return { certificates: copied('certs'), privateKeys: copied('keys') }
}
