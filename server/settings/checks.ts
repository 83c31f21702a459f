/** Checks that make a session server refuse to start: settings that contradict each other or are unsafe in production. @module */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isLoopback } from '../../http/inspector/admission.ts'
import type { Tls } from '../../http/settings.ts'
import { mistakeInHosts } from '../../ports/host-rule.ts'
import { addressOf } from '../../ports/outgoing-address.ts'
import { utf8OrPemOf } from '../../ports/utf8.ts'
import { mistakeInBaseAddress } from '../../protocol/base-address.ts'
import { shownAddress } from '../../protocol/shown-address.ts'
import { isFile, isFolder, pathFailure } from '../files/paths.ts'
import { checkAll, SettingsError } from './errors.ts'
import type { OptionValues } from './session-server.ts'

/** Checks the options against each other, without schemes and without the content of key files.
 *  @throws {SettingsError} with expected and got, about every one that is refused */
export function checkOptions(options: OptionValues): void {
  checkAll([
    () => checkRequestors(options),
    () => checkSignedRequests(options),
    () => checkContextBase(options),
    () => checkOutgoingHosts(options),
    () => checkClientListener(options),
    () => checkPath('api_prefix', options.api_prefix),
    () => checkPath('static_prefix', options.static_prefix),
    () => checkFolder('static_path', options.static_path),
    () => checkSdJwtFolders(options),
    () => checkEveryServer(options),
  ])
}

function checkRequestors(options: OptionValues): void {
  const names = Object.keys(options.requestors)
  if (options.no_auth && names.length > 0)
    refuse(
      'no_auth',
      'expected false, because "requestors" are given, got true, which is the default outside of "production"; write "no_auth: false"',
    )
  const served = Object.entries(options.revocation_settings).find(
    ([, { authority, server }]) => authority || server,
  )
  if (!options.no_auth && names.length === 0 && !served)
    refuse('requestors', 'expected at least one requestor, because "no_auth" is false, got none')
  if (served && storeAddressOf(options) === 'memory')
    refuse(
      'store',
      `expected "sqlite:FILE", because revocation of ${served[0]} must not be forgotten, got "memory"`,
    )
  if (names.includes('')) refuse('requestors', 'expected a name for each requestor, got an empty one')
}

function checkSignedRequests(options: OptionValues): void {
  if (options.signed_requests_only && options.no_auth)
    refuse('signed_requests_only', 'expected false, because "no_auth" is true, got true')
}

function checkOutgoingHosts({ outgoing_hosts }: OptionValues): void {
  const mistake = mistakeInHosts(outgoing_hosts)
  if (mistake !== null) refuse('outgoing_hosts', mistake)
}

function checkContextBase(options: OptionValues): void {
  const { context_base: base } = options
  const mistake = mistakeInBaseAddress(base)
  if (mistake !== null) refuse('context_base', mistake)
  if (base.endsWith('/')) refuse('context_base', `expected no slash at the end, got ${shownAddress(base)}`)
  if (base !== '' && !(/^https?:/.test(base) && addressOf(base) !== null))
    refuse(
      'context_base',
      `expected an http or https address without user name and password, got ${shownAddress(base)}`,
    )
}

/** The checks of every kind of server.
 *  @throws {SettingsError} with expected and got */
export function checkEveryServer(
  options: Pick<
    OptionValues,
    'privkeys' | 'production' | 'url' | 'no_tls' | 'inspect_listen_addr' | 'port' | 'metrics_port'
  >,
): void {
  checkAll([
    () => checkFolder('privkeys', options.privkeys),
    () => checkMetricsPort(options),
    () => checkInspector(options),
    () => {
      if (options.production) checkProduction(options)
    },
  ])
}

function checkMetricsPort({ port, metrics_port }: Pick<OptionValues, 'port' | 'metrics_port'>): void {
  if (metrics_port === port)
    refuse('metrics_port', `expected another port than "port", which others reach, got ${metrics_port}`)
}

function checkInspector({ inspect_listen_addr: address }: Pick<OptionValues, 'inspect_listen_addr'>): void {
  if (isLoopback(address)) return
  refuse(
    'inspect_listen_addr',
    `expected a loopback address (127.0.0.1 or ::1), because only this machine may watch, got ${JSON.stringify(address)}`,
  )
}

/** @param path empty: none was named
 *  @throws {SettingsError} */
export function checkFolder(option: string, path: string): void {
  if (path !== '' && !isFolder(path)) refuse(option, `expected an existing directory, got ${path}`)
}

function checkSdJwtFolders(options: OptionValues): void {
  const { issuer_certificates_dir: certificates, issuer_private_keys_dir: keys } = options.sdjwtvc
  checkFolder('sdjwtvc_issuer_certificates_dir', options.sdjwtvc_issuer_certificates_dir)
  checkFolder('sdjwtvc_issuer_private_keys_dir', options.sdjwtvc_issuer_private_keys_dir)
  checkFolder('sdjwtvc.issuer_certificates_dir', certificates)
  checkFolder('sdjwtvc.issuer_private_keys_dir', keys)
}

/** The options of a separate listener for clients. They have no effect without `client_port`. */
const CLIENT_OPTIONS = [
  'client_listen_addr',
  'client_tls_cert',
  'client_tls_cert_file',
  'client_tls_privkey',
  'client_tls_privkey_file',
] as const

function checkClientListener(options: OptionValues): void {
  const { client_port, port, metrics_port } = options
  if (client_port === port) refuse('client_port', `expected another port than "port", got ${client_port}`)
  if (client_port > 0 && client_port === metrics_port)
    refuse('metrics_port', `expected another port than "client_port", got ${metrics_port}`)
  if (client_port > 0) return
  const given = CLIENT_OPTIONS.find(name => options[name] !== '')
  if (given !== undefined) refuse(given, 'expected none, because there is no "client_port", got one')
}

/** Refuses characters that have a special meaning to a router or in an address. */
function checkPath(option: string, path: string): void {
  if (isPlainPath(path)) return
  refuse(
    option,
    `expected a path that begins with "/", of letters, digits and "-._~", got ${JSON.stringify(path)}`,
  )
}

export function isPlainPath(path: string): boolean {
  return /^\/(?:[\w.~-]+(?:\/|$))*$/.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path)
}

function checkProduction({ url, no_tls }: Pick<OptionValues, 'url' | 'no_tls'>): void {
  if (url === '') refuse('url', 'expected the address at which wallet apps reach this server, got none')
  if (!url.startsWith('https:') && !no_tls)
    refuse('url', `expected an https address in production, or "no_tls", got ${shownAddress(url)}`)
}

/** @param place the option, and its file if the value is in a file
 *  @throws {SettingsError} always */
export function refuse(place: string, reason: string): never {
  throw new SettingsError(`${place}: ${reason}`)
}

/** A value that is given itself or by the name of a file that holds it. */
export type GivenText = {
  readonly text: string
  /** the option that was given */
  readonly option: string
  /** the option, and its file if the value is in a file, for messages about the value */
  readonly place: string
}

/** @returns undefined: neither value nor file is given
 *  @throws {SettingsError} that never quotes the value */
export function textOrFile(option: string, text = '', file = ''): GivenText | undefined {
  if (text !== '' && file !== '') refuse(option, `expected either ${option} or ${option}_file, got both`)
  if (file === '') return text === '' ? undefined : { text, option, place: option }
  const content = textIn(`${option}_file`, file)
  if (content.trim() === '') refuse(`${option}_file`, `expected a value in ${file}, got an empty file`)
  return { text: content, option: `${option}_file`, place: `${option}_file ${file}` }
}

function textIn(option: string, file: string): string {
  const text = utf8OrPemOf(contentOf(option, file))
  if (text === null) refuse(option, `expected text in UTF-8 in ${file}, got other bytes`)
  return text
}

/** @throws {SettingsError} if there is no such file, or if it cannot be read */
export function contentOf(option: string, file: string): Buffer {
  if (!isFile(file)) refuse(option, `expected an existing file, got ${file}`)
  try {
    return readFileSync(file)
  } catch (error) {
    throw new SettingsError(
      pathFailure({ what: option, expected: 'a file that can be read', path: file }, error).message,
    )
  }
}

const ADDRESS_OF_STORE = /^(?:memory$|sqlite:|(?:postgres(?:ql)?|rediss?(?:\+sentinel)?):\/\/)/

/** The address of a store, in the settings or in a file of its own.
 *  @returns empty: none is given
 *  @throws {SettingsError} without the address, which may hold a password */
export function storeAddressOf({
  store,
  store_file,
}: {
  readonly store: string
  readonly store_file: string
}): string {
  const given = textOrFile('store', store, store_file)
  if (given === undefined) return ''
  const address = given.text.trim()
  if (given.option === 'store_file' && !ADDRESS_OF_STORE.test(address))
    refuse(
      'store_file',
      `${store_file}: expected a file with the whole address of a store, such as postgres://USER:PASSWORD@HOST/DATABASE, got another text`,
    )
  return address
}

type TlsOptions<Of extends string> = Readonly<Record<`${Of}tls_${'cert' | 'privkey'}${'' | '_file'}`, string>>

/** @param of which listener: the main one, or the separate one of wallet apps and frontends
 *  @returns certificate and key, or undefined without TLS */
export function tlsOf(
  options: TlsOptions<''> & Partial<TlsOptions<'client_'>>,
  of: '' | 'client_' = '',
): Tls | undefined {
  const [certOption, keyOption] = [`${of}tls_cert`, `${of}tls_privkey`] as const
  const cert = textOrFile(certOption, options[certOption], options[`${certOption}_file`])
  const key = textOrFile(keyOption, options[keyOption], options[`${keyOption}_file`])
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined)
    return refuse(certOption, `expected a certificate beside "${key?.option}", got none`)
  if (key === undefined) return refuse(keyOption, `expected a private key beside "${cert.option}", got none`)
  checkPair(cert, key)
  const isOfFile = [options[`${certOption}_file`], options[`${keyOption}_file`]].some(Boolean)
  const reread = (): Tls => tlsOf(options, of) ?? refuse(certOption, 'expected a certificate, got none')
  return { cert: cert.text, key: key.text, ...(isOfFile && { reread }) }
}

/** @throws {SettingsError} about a text that is no certificate or no key, and about the key of another certificate */
export function checkPair(cert: GivenText, key: GivenText): void {
  const certificate = certificateIn(cert)
  const privateKey = parsed(key, 'an unencrypted private key in PEM', createPrivateKey)
  if (!certificate.checkPrivateKey(privateKey))
    refuse(key.place, 'expected the key of the certificate, got another')
}

/** @throws {SettingsError} */
export function certificateIn(given: GivenText): X509Certificate {
  return parsed(given, 'a certificate chain in PEM', pem => new X509Certificate(pem))
}

/** Replaces the error of OpenSSL, which names no option. */
function parsed<Parsed>({ text, place }: GivenText, what: string, parse: (pem: string) => Parsed): Parsed {
  try {
    return parse(text)
  } catch {
    return refuse(place, `expected ${what}, got something else`)
  }
}
