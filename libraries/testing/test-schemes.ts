/** The schemes of a test kit. It copies a folder of schemes, gives a test key to each issuer without a private key, and removes the names of servers. It can add
 *  schemes for given credential types. The copy is signed with a key that is not stored. @module */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { type IssuerKeyPair, makeIssuerKey } from '../../crypto/issuer-key.ts'
import type { RandomBytes } from '../../crypto/random.ts'
import { parseCredentialTypeId } from '../../protocol/ids.ts'
import { readPrivateKey } from '../../schemes/keys.ts'
import { findSchemes, readSchemeIn } from '../../schemes/load.ts'
import { signScheme } from '../../schemes/sign.ts'
import { privateKeyXml, publicKeyXml } from '../../schemes/write-keys.ts'
import { parseXml } from '../../schemes/xml.ts'
import { DEMO_SCHEMES } from '../../server/files/demo-schemes.ts'

/** By credential type id, such as `pbdf.sidn-pbdf.email`: the attribute names in order. A `?` at the end of a name makes the attribute optional. */
export type TestCredentialTypes = Readonly<Record<string, readonly string[]>>

export type TestSchemesDeps = {
  readonly arithmetic: Arithmetic
  readonly randomBytes: RandomBytes
  readonly nowSec: number
}

/** The private key whose primes all test keys share. Deriving a key takes a few milliseconds; new primes would take a minute. */
const PRIMES = join(DEMO_SCHEMES, 'svc-demo/fast/PrivateKeys/0.xml')
/** The number of bases before those of the attributes: one for the secret key and one for the metadata. */
const BASES_BEFORE = 2
/** The maximum number of attributes of a test credential type. */
const MOST_ATTRIBUTES = 40
const YEAR_SEC = 366 * 24 * 3600
const VALID_SEC = 20 * YEAR_SEC
const SERVERS = /<(KeyshareServer|TimestampServer)>[^<]*<\/\1>/g
const NAME = /^[A-Za-z0-9_-]+\??$/

/** @param folder path that does not exist yet
 *  @param from folder of schemes; left out: the demo schemes
 *  @throws {SchemeError} for schemes that do not load @throws {Error} for a type that cannot be created, with expected and got */
export async function makeTestSchemes(
  folder: string,
  {
    from = DEMO_SCHEMES,
    types = {},
  }: { readonly from?: string | undefined; readonly types?: TestCredentialTypes },
  deps: TestSchemesDeps,
): Promise<void> {
  mkdirSync(folder)
  const keys = testKeys(deps)
  const { privateKey: schemeKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  for (const scheme of (await findSchemes(from)).folders) {
    const copy = join(folder, basename(scheme))
    cpSync(scheme, copy, { recursive: true })
    for (const issuer of readSchemeIn(copy, []).issuers.keys()) giveKeys(join(copy, partOf(issuer, 1)), keys)
    withoutServers(copy)
    sign(copy, schemeKey, deps)
  }
  const made = Object.entries(types).map(([type, attributes]) => makeType(folder, type, attributes, keys))
  for (const scheme of new Set(made)) sign(join(folder, scheme), schemeKey, deps)
}

function testKeys({ arithmetic, randomBytes, nowSec }: TestSchemesDeps): IssuerKeyPair {
  const { p, q } = readPrivateKey(parseXml(readFileSync(PRIMES)))
  const bases = BASES_BEFORE + MOST_ATTRIBUTES
  const key = { factors: { p, q }, bases, counter: 0, expiresAtSec: nowSec + VALID_SEC }
  return makeIssuerKey(arithmetic, key, randomBytes)
}

function partOf(id: string, part: number): string {
  return id.split('.')[part] ?? ''
}

/** Writes the test key for an issuer, unless it already has private keys. */
function giveKeys(folder: string, { publicKey, privateKey }: IssuerKeyPair): void {
  if (existsSync(join(folder, 'PrivateKeys'))) return
  rmSync(join(folder, 'PublicKeys'), { recursive: true, force: true })
  write(join(folder, 'PublicKeys'), '0.xml', publicKeyXml(publicKey))
  write(join(folder, 'PrivateKeys'), '0.xml', privateKeyXml(privateKey))
}

function write(folder: string, name: string, content: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), content)
}

/** Removes the keyshare and timestamp servers: tests do not call them. */
function withoutServers(scheme: string): void {
  const file = join(scheme, 'description.xml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(SERVERS, ''))
}

function sign(scheme: string, key: KeyObject, { nowSec }: TestSchemesDeps): void {
  rmSync(join(scheme, 'pk.pem'), { force: true })
  signScheme(scheme, key, nowSec)
}

/** @returns the name of its scheme */
function makeType(folder: string, type: string, attributes: readonly string[], keys: IssuerKeyPair): string {
  const [scheme = '', issuer = '', name = ''] = parseCredentialTypeId(type).split('.')
  const place = join(folder, scheme)
  if (existsSync(join(place, 'index')))
    throw new Error(`${type}: expected a scheme that the kit does not have yet, got "${scheme}"`)
  if (attributes.length === 0 || attributes.length > MOST_ATTRIBUTES)
    throw new Error(`${type}: expected 1 to ${MOST_ATTRIBUTES} attributes, got ${attributes.length}`)
  const wrong = attributes.find(each => !NAME.test(each))
  if (wrong !== undefined)
    throw new Error(`${type}: expected names of letters, digits, "_" and "-", got ${JSON.stringify(wrong)}`)
  write(place, 'description.xml', schemeXml(scheme))
  write(join(place, issuer), 'description.xml', issuerXml(scheme, issuer))
  giveKeys(join(place, issuer), keys)
  write(join(place, issuer, 'Issues', name), 'description.xml', typeXml({ scheme, issuer, name }, attributes))
  return scheme
}

function schemeXml(scheme: string): string {
  return `<SchemeManager version="7"><Id>${scheme}</Id><Url>https://schemes.example/${scheme}</Url><Demo>true</Demo>${texts(scheme)}<Contact></Contact></SchemeManager>\n`
}

function issuerXml(scheme: string, issuer: string): string {
  return `<Issuer version="4"><ID>${issuer}</ID>${texts(issuer)}<SchemeManager>${scheme}</SchemeManager></Issuer>\n`
}

type TypeIdParts = { readonly scheme: string; readonly issuer: string; readonly name: string }

function typeXml({ scheme, issuer, name }: TypeIdParts, attributes: readonly string[]): string {
  const listed = attributes.map(each => {
    const id = each.replace('?', '')
    return `<Attribute id="${id}"${each.endsWith('?') ? ' optional="true"' : ''}>${texts(id)}</Attribute>`
  })
  const ids = `<SchemeManager>${scheme}</SchemeManager><IssuerID>${issuer}</IssuerID><CredentialID>${name}</CredentialID>`
  return `<IssueSpecification version="4">${texts(name)}${ids}<Attributes>${listed.join('')}</Attributes></IssueSpecification>\n`
}

/** Texts for users. In demo schemes the names of issuers and credentials begin with "Demo". */
function texts(name: string): string {
  const [en, nl] = ['en', 'nl'].map(language => `<${language}>Demo ${name}</${language}>`)
  return `<Name>${en}${nl}</Name><Description>${en}${nl}</Description>`
}
