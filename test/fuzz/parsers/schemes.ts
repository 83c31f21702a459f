/** The parsers of schemes and of settings: XML, indices, PEM, JWTs of keyshare servers, and options in each of their forms. @module */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostRule, mistakeInHosts } from '../../../ports/host-rule.ts'
import { networkOf } from '../../../ports/network.ts'
import { noProxyRule } from '../../../ports/no-proxy.ts'
import { checkAddress } from '../../../ports/outgoing.ts'
import { retryAfterMs } from '../../../ports/retry-after.ts'
import { parseCredentialTypeId, parseIssuerId, parseSchemeId } from '../../../protocol/ids.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import { readCredentialType, readIssuer, readScheme } from '../../../schemes/descriptions.ts'
import { readPrivateKey, readPublicKey } from '../../../schemes/keys.ts'
import { keyshareClaims } from '../../../schemes/keyshare-jwt.ts'
import { parseIndex, parsePublicKeyPem, parseSchemeKey } from '../../../schemes/signed-files.ts'
import { signedTimesOf } from '../../../schemes/version-text.ts'
import { parseXml } from '../../../schemes/xml.ts'
import { parseBigInteger, parseBoolean, parseInteger } from '../../../schemes/xml-values.ts'
import { keyshareServer } from '../../../server/settings/keyshare-server.ts'
import { readSettingsFile } from '../../../server/settings/read-file.ts'
import { toServerSettings } from '../../../server/settings/server-settings.ts'
import { sessionServer } from '../../../server/settings/session-server.ts'
import { matchesGlob } from '../../../sessions/glob.ts'
import { readKeyshareJwt } from '../../../sessions/keyshare-jwt.ts'
import { sessionRequestOf, verifyRequestJwt } from '../../../sessions/request-jwt.ts'
import { signedText } from '../../accounts/jwts.ts'
import { claimsOf, HS256, SECRET, signed } from '../../http/signed-requests.ts'
import { schemes } from '../../sessions/submissions.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import type { Parser } from './parser.ts'
import { bytesIn, schemeFiles, vectorFile } from './recorded.ts'

const around = { languages: ['en', 'nl'], isDemo: true }
const xml = (end: RegExp, name: string, read: (root: ReturnType<typeof parseXml>) => unknown): Parser => ({
  name,
  form: 'xml',
  seeds: schemeFiles(end),
  read: input => read(parseXml(bytesIn(input))),
})

export const ofSchemes: readonly Parser[] = [
  {
    name: 'XML',
    form: 'xml',
    seeds: schemeFiles(/description\.xml$/),
    read: input => parseXml(bytesIn(input)),
  },
  xml(/^[\w-]+\/description\.xml$/, 'scheme description', readScheme),
  xml(/^[\w-]+\/\w+\/description\.xml$/, 'issuer description', root =>
    readIssuer(root, parseIssuerId('svc-demo.gov'), around),
  ),
  xml(/Issues\/\w+\/description\.xml$/, 'credential type', root =>
    readCredentialType(root, parseCredentialTypeId('svc-demo.gov.idcard'), around),
  ),
  xml(/PublicKeys\/0\.xml$/, 'public key', root => readPublicKey(root, 0)),
  xml(/PrivateKeys\/0\.xml$/, 'private key', readPrivateKey),
  { name: 'index', form: 'text', seeds: schemeFiles(/index$/), read: text => parseIndex('index', text) },
  { name: 'PEM', form: 'text', seeds: schemeFiles(/\.pem$/), read: text => parsePublicKeyPem(bytesIn(text)) },
  {
    name: 'scheme key',
    form: 'text',
    seeds: schemeFiles(/pk\.pem$/),
    read: text => parseSchemeKey('pk.pem', bytesIn(text)),
  },
  { name: 'boolean of XML', form: 'text', seeds: ['true', ' 0 '], read: text => parseBoolean(text, 'a') },
  { name: 'integer of XML', form: 'text', seeds: ['12', ' -7 '], read: text => parseInteger(text, 'a') },
  { name: 'big integer of XML', form: 'text', seeds: ['12'], read: text => parseBigInteger(text, 'a') },
  {
    name: 'signed times',
    form: 'text',
    seeds: ['svc-demo@1795260553 svc-keyshare@1795260553'],
    read: signedTimesOf,
  },
]

const keyshareScheme = schemes.scheme(parseSchemeId('svc-keyshare'))
const NOW = 1_795_261_850
const requests = ['disclosure', 'issuance', 'signature'].map(kind => ({
  request: {
    '@context': `https://svc.example/ld/request/${kind}/v2`,
    disclose: [[['svc-demo.gov.idcard.over18']]],
    message: 'a',
    credentials: [{ credential: 'svc-demo.gov.idcard', attributes: { over18: 'yes' } }],
  },
}))
const claims = requests.map(request => claimsOf('shop', request, NOW))
const jwts = await Promise.all(claims.map(each => signed(each, HS256)))
const requestors = [{ name: 'shop', method: 'hmac', key: SECRET }] as const
const facts = { nowSec: NOW, maxRequestAgeSec: 300, profile: PROFILES.svc }
const resign = (text: string): Promise<string> => signedText(text, { alg: 'HS256' }, SECRET)
const isObject = (text: string): boolean => /^\{/.test(text) && canParse(text)

function canParse(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export const ofJwts: readonly Parser[] = [
  {
    name: 'request JWT',
    form: 'jwt',
    seeds: jwts,
    read: jwt => verifyRequestJwt(jwt, requestors, facts, sessionRequestOf),
  },
  {
    name: 'signed claims of a requestor',
    form: 'json',
    seeds: claims.map(each => JSON.stringify(each)),
    read: async text => verifyRequestJwt(await resign(text), requestors, facts, sessionRequestOf),
  },
  {
    name: 'keyshare JWT',
    form: 'jwt',
    seeds: jwts,
    read: jwt =>
      readKeyshareJwt(
        jwt,
        { id: parseSchemeId('svc-keyshare'), keyshareKeys: keyshareScheme?.keyshareKeys ?? new Map() },
        NOW,
      ),
  },
  {
    name: 'keyshare claims',
    form: 'jwt',
    seeds: jwts,
    read: jwt =>
      keyshareClaims(jwt, { keyshareKeys: keyshareScheme?.keyshareKeys ?? new Map() }).catch(refusedByIntent),
  },
]

/** The message of this error ends the sentence of its callers. */
function refusedByIntent(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'ForeignKeyshareJwtError') throw error
}

const folder = join(temporaryFolder(), 'fuzz')
mkdirSync(folder, { recursive: true })
const OPTIONS = {
  port: 8088,
  url: 'https://a.example',
  no_auth: false,
  profile: 'svc',
  store: 'memory',
  max_session_lifetime: '15m',
  requestors: { shop: { auth_method: 'token', key: 'a'.repeat(20), disclose_perms: ['*'] } },

  outgoing_hosts: ['public', '10.0.0.0/8'],
  static_sessions: { a: {} },
  revocation_settings: { 'svc-demo.fast.badge': { authority: true } },
}
const KEYSHARE_OPTIONS = {
  port: 8080,
  jwt_issuer: 'a',
  keyshare_attribute: 'a.b.c.d',
  jwt_pin_expiry: '5m',
  storage_primary_key: 'a',
  email_server: 'a:25',
}
const asYaml =
  'port: 8088\nurl: https://a.example\nrequestors:\n  shop:\n    auth_method: token\n    key: &k abc\n    other: *k\n'
const asToml =
  'port = 8088\nurl = "https://a.example"\n[requestors.shop]\nauth_method = "token"\nat = 2026-11-27T00:00:00Z\n'

const file = (ending: string, text: string): Parser => ({
  name: `settings in ${ending}`,
  form: ending === 'json' ? 'json' : 'text',
  seeds: [text],
  read(input) {
    const path = join(folder, `settings.${ending}`)
    writeFileSync(path, input)
    return readSettingsFile(path, [])
  },
})

const valuesOf = (input: string): Record<string, unknown> => ({
  ...Object(JSON.parse(isObject(input) ? input : '{}')),
})

export const ofSettings: readonly Parser[] = [
  file('json', JSON.stringify(OPTIONS)),
  file('yaml', asYaml),
  file('toml', asToml),
  {
    name: 'options of a session server',
    form: 'json',
    seeds: [JSON.stringify(OPTIONS)],
    read(input) {
      const { options } = sessionServer.resolve({
        flags: {},
        variables: {},
        file: { name: 'f', values: valuesOf(input) },
      })
      return toServerSettings(options, '127.0.0.1')
    },
  },
  {
    name: 'options of a keyshare server',
    form: 'json',
    seeds: [JSON.stringify(KEYSHARE_OPTIONS)],
    read: input =>
      keyshareServer.resolve({ flags: {}, variables: {}, file: { name: 'f', values: valuesOf(input) } }),
  },
  {
    name: 'pattern of hosts',
    form: 'text',
    seeds: ['*.a.example', '*a*a*'],
    read: text => matchesGlob(text, text.slice(0, 60)),
  },
  { name: 'network', form: 'text', seeds: ['10.0.0.0/8', '::1/128'], read: networkOf },
  {
    name: 'outgoing hosts',
    form: 'text',
    seeds: ['public,10.0.0.0/8,a.example'],
    read: text => mistakeInHosts(text.split(',')) ?? hostRule(text.split(',')),
  },
  {
    name: 'hosts without proxy',
    form: 'text',
    seeds: ['localhost,.a.example:80,10.0.0.0/8'],
    read: text => noProxyRule(text)(new URL('http://a.example/')),
  },
  {
    name: 'outgoing address',
    form: 'text',
    seeds: ['https://a.example:8443/b', 'http://user@[::1]/'],
    read: checkAddress,
  },
  {
    name: 'Retry-After',
    form: 'text',
    seeds: ['120', 'Fri, 27 Nov 2026 00:00:00 GMT'],
    read: text => retryAfterMs(text, 0),
  },
  {
    name: 'PEM of requestors',
    form: 'text',
    seeds: [
      vectorFile('keys/requestor-rs256.public.pem'),
      vectorFile('keys/requestor-rs256.certificate.pem'),
    ],
    read: text => parsePublicKeyPem(bytesIn(text)),
  },
]
