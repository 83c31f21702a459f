/** What a session server refuses to start with: settings that contradict each other or are unsafe in production. @module */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { SettingsError } from './errors.ts'
import type { OptionValues } from './schema.ts'

/** Options that need nothing but each other.
 *  @throws {SettingsError} with expected and got */
export function checkOptions(options: OptionValues): void {
  const names = Object.keys(options.requestors)
  if (options.no_auth && names.length > 0)
    refuse('no_auth', 'expected false, because "requestors" are given, got true')
  const served = Object.entries(options.revocation_settings).find(
    ([, { authority, server }]) => authority || server,
  )
  if (!options.no_auth && names.length === 0 && !served)
    refuse('requestors', 'expected at least one requestor, because "no_auth" is false, got none')
  if (served && options.store === 'memory')
    refuse(
      'store',
      `expected "sqlite:FILE", because revocation of ${served[0]} must not be forgotten, got "memory"`,
    )
  if (names.includes('')) refuse('requestors', 'expected a name for each requestor, got an empty one')
  if (options.signed_requests_only && options.no_auth)
    refuse('signed_requests_only', 'expected false, because "no_auth" is true, got true')
  if (options.context_base.endsWith('/'))
    refuse('context_base', `expected no slash at the end, got ${JSON.stringify(options.context_base)}`)
  if (options.production) checkProduction(options)
}

function checkProduction({ url, no_tls }: OptionValues): void {
  if (url === '') refuse('url', 'expected the address at which wallet apps reach this server, got none')
  if (!url.startsWith('https:') && !no_tls)
    refuse('url', `expected an https address in production, or "no_tls", got ${JSON.stringify(url)}`)
}

/** @throws {SettingsError} always */
export function refuse(option: string, reason: string): never {
  throw new SettingsError(`${option}: ${reason}`)
}

/** A value that is given itself or by the name of a file that holds it.
 *  @returns undefined: neither
 *  @throws {SettingsError} that never quotes the value */
export function textOrFile(option: string, text: string, file: string): string | undefined {
  if (text !== '' && file !== '') refuse(option, `expected either ${option} or ${option}_file, got both`)
  if (file === '') return text === '' ? undefined : text
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    refuse(`${option}_file`, `expected an existing file, got ${file}`)
  const content = readFileSync(file, 'utf8')
  if (content.trim() === '') refuse(`${option}_file`, `expected a value in ${file}, got an empty file`)
  return content
}

/** @returns certificate and key, or undefined without TLS */
export function tlsOf(options: OptionValues): { readonly cert: string; readonly key: string } | undefined {
  const cert = textOrFile('tls_cert', options.tls_cert, options.tls_cert_file)
  const key = textOrFile('tls_privkey', options.tls_privkey, options.tls_privkey_file)
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined) return refuse('tls_cert', 'expected a certificate beside "tls_privkey", got none')
  if (key === undefined) return refuse('tls_privkey', 'expected a private key beside "tls_cert", got none')
  refuseUnusable(cert, key)
  return { cert, key }
}

/** What OpenSSL says of them names no option. */
function refuseUnusable(cert: string, key: string): void {
  const certificate = parsed('tls_cert', 'a certificate chain in PEM', () => new X509Certificate(cert))
  const privateKey = parsed('tls_privkey', 'an unencrypted private key in PEM', () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey))
    refuse('tls_privkey', 'expected the key of the certificate, got another')
}

function parsed<Parsed>(option: string, what: string, parse: () => Parsed): Parsed {
  try {
    return parse()
  } catch {
    return refuse(option, `expected ${what}, got something else`)
  }
}
