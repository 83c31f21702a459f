/** The options of SD-JWT VC (spec/session-server#20.1), under the names of existing servers. @module */
import { z } from 'zod'
import { facts, text } from './kinds.ts'

const folder = z.string({ error: 'expected the name of a folder' }).default('')

const FOLDERS = { issuer_certificates_dir: folder, issuer_private_keys_dir: folder }

/** The members of the object `sdjwtvc`. */
export const SD_JWT_MEMBERS: readonly string[] = Object.keys(FOLDERS)

const folders = z
  .strictObject(FOLDERS, {
    error: 'expected an object with the members issuer_certificates_dir and issuer_private_keys_dir',
  })
  .prefault({})

export const sdJwt = {
  sdjwtvc_issuer_certificates_dir: text('', {
    placeholder: 'DIR',
    defaultWords: 'none: no SD-JWT VC',
    description: 'folder of files ISSUER.pem: the certificate of an issuer of SD-JWT VC, then its CAs',
  }),
  sdjwtvc_issuer_private_keys_dir: text('', {
    placeholder: 'DIR',
    defaultWords: 'none: no SD-JWT VC',
    description: 'folder of files ISSUER.pem: the private key of that certificate (P-256, unencrypted)',
  }),
  sdjwtvc: folders.register(facts, {
    form: 'json',
    placeholder: 'JSON',
    description: 'the same two folders in one object: {issuer_certificates_dir, issuer_private_keys_dir}',
  }),
}

export type SdJwtOptionValues = { readonly [Name in keyof typeof sdJwt]: z.output<(typeof sdJwt)[Name]> }
