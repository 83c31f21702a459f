/** A scheme whose description files contradict their place or the rules is refused, with the file and the reason
 *  (spec/schemes-and-cli#3 to #5, #8.1, #10). @module */
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { indexOf } from '../../schemes/sign.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { type MadeType, signIndex } from './make-scheme.ts'
import { refusals, replacing, sound, withType } from './refusal.ts'

const Descriptions = suite('schemes: descriptions')
const refuses = refusals(Descriptions)
const kssPem = readFileSync(join(DEMO_SCHEMES, 'svc-keyshare/kss-0.pem'), 'utf8')
const typeFile = 'fast/Issues/note/description.xml'

/** Changes the signed description of the scheme. */
function description(change: (text: string) => string): (folder: string) => Promise<unknown> {
  return async folder => {
    const path = join(folder, 'description.xml')
    const text = change(await readFile(path, 'utf8'))
    await writeFile(path, text)
    return signIndex(folder, indexOf('made', new Map([['description.xml', text]])))
  }
}

refuses(
  'a scheme of another id than its index',
  'description.xml',
  /Id: expected "made"/,
  sound,
  description(text => text.replace('<Id>made', '<Id>fake')),
)
refuses(
  'an unsafe scheme id',
  'description.xml',
  /Id: expected letters/,
  sound,
  description(text => text.replace('<Id>made', '<Id>ma.de')),
)
refuses(
  'a scheme id like the remains of an update',
  'description.xml',
  /remains of an update/,
  sound,
  description(text => text.replace('<Id>made', '<Id>tempscheme')),
)
refuses(
  'an old scheme version',
  'description.xml',
  /version: expected at least 7, got 6/,
  sound,
  description(text => text.replace('version="7"', 'version="6"')),
)
refuses(
  'another root element',
  'description.xml',
  /root element/,
  sound,
  description(text => text.replaceAll('SchemeManager', 'Scheme')),
)
refuses('an unknown kind of scheme', 'description.xml', /SchemeType: expected "issuer", got "wallet"/, {
  ...sound,
  xml: '<SchemeType>wallet</SchemeType>',
})
refuses(
  'an invalid boolean',
  'description.xml',
  /Demo: expected true or false, got "yes"/,
  sound,
  description(text => text.replace('>true<', '>yes<')),
)
refuses(
  'broken XML',
  'description.xml',
  /XML: /,
  sound,
  description(text => text.replace('</Url>', '')),
)
refuses(
  'a scheme file that is not in the index',
  'description.xml',
  /not in the index/,
  sound,
  async folder =>
    signIndex(folder, indexOf('made', new Map([['timestamp', await readFile(join(folder, 'timestamp'))]]))),
)
refuses('a scheme without timestamp', 'timestamp', /not in the index/, replacing({ timestamp: null }))
for (const text of ['', '\n', '1700000000\r\n', ' 1', '1e9', '1\n\n'])
  refuses(
    `the timestamp ${JSON.stringify(text)}`,
    'timestamp',
    /Unix seconds/,
    replacing({ timestamp: text }),
  )
const keyshare = '<KeyshareServer>http://127.0.0.1:8189</KeyshareServer>'
refuses('a keyshare server without its key', 'kss-0.pem', /not in the index, but .* KeyshareServer/, {
  ...sound,
  xml: keyshare,
  files: { 'kss-1.pem': kssPem },
})
refuses(
  'a keyshare key that is not RSA',
  'kss-0.pem',
  /RSA public key/,
  replacing({ 'kss-0.pem': readFileSync(join(DEMO_SCHEMES, 'svc-demo/pk.pem'), 'utf8') }),
)
const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
refuses(
  'a keyshare key that is too short for RS256',
  'kss-0.pem',
  /expected an RSA key of at least 2048 bits, got 1024/,
  replacing({ 'kss-0.pem': short.export({ type: 'spki', format: 'pem' }).toString() }),
)

const issuerXml = (id: string, scheme: string, name = 'Demo x', version = 4): string =>
  `<Issuer version="${version}"><ID>${id}</ID><SchemeManager>${scheme}</SchemeManager><Name><en>${name}</en></Name></Issuer>`
const issuerFile = 'fast/description.xml'
refuses(
  'an issuer of another id',
  issuerFile,
  /ID: expected "fast", got "slow"/,
  replacing({ [issuerFile]: issuerXml('slow', 'made') }),
)
refuses(
  'an issuer of another scheme',
  issuerFile,
  /SchemeManager: expected "made", got "x"/,
  replacing({ [issuerFile]: issuerXml('fast', 'x') }),
)
refuses(
  'an old issuer version',
  issuerFile,
  /version: expected at least 4/,
  replacing({ [issuerFile]: issuerXml('fast', 'made', 'Demo x', 3) }),
)
refuses(
  'a demo issuer with a name for real issuers',
  issuerFile,
  /expected "Demo " .* "en"/,
  replacing({ [issuerFile]: issuerXml('fast', 'made', 'Bank') }),
)
refuses(
  'a credential type without its issuer',
  issuerFile,
  /not in the index/,
  replacing({ [issuerFile]: null }),
)
refuses(
  'an unsafe issuer name',
  'a.b/description.xml',
  /issuer: expected letters/,
  replacing({ 'a.b/description.xml': 'x' }),
)
refuses(
  'an unsafe credential type name',
  'fast/Issues/a.b/description.xml',
  /credential type: expected letters/,
  replacing({ 'fast/Issues/a.b/description.xml': 'x' }),
)

const types: [title: string, change: Partial<MadeType>, reason: RegExp][] = [
  [
    'a credential type of another id',
    { xml: '<CredentialID>x</CredentialID>' },
    /CredentialID: expected "note", got "x"/,
  ],
  [
    'a credential type of another issuer',
    { xml: '<IssuerID>x</IssuerID>' },
    /IssuerID: expected "fast", got "x"/,
  ],
  [
    'a credential type of another scheme',
    { xml: '<SchemeManager>x</SchemeManager>' },
    /SchemeManager: expected "made"/,
  ],
  [
    'a demo credential type with a name for real credential types',
    { xml: '<Name><en>Passport</en></Name>' },
    /expected "Demo "/,
  ],
  ['a credential type without attributes', { attributes: [] }, /Attributes: expected at least one/],
  ['the same attribute twice', { attributes: ['a', 'b', 'a'] }, /expected each id once/],
  ['an attribute without id', { attributes: [''] }, /attribute 0: expected an id/],
  ['an unsafe attribute id', { attributes: ['ok', 'a.b'] }, /attribute 1: expected an id, got "a.b"/],
  [
    'a revocation attribute without servers',
    { attributes: ['a', { id: '', xml: 'revocation="true"' }] },
    /RevocationServers: expected one, because there is a revocation attribute, got none/,
  ],
  [
    'a revocation attribute with an id',
    { attributes: [{ id: 'a', xml: 'revocation="true"' }] },
    /expected no id, got "a"/,
  ],
  [
    'a revocation attribute that is randomblind',
    { attributes: [{ id: '', xml: 'revocation="true" randomblind="1"' }] },
    /both/,
  ],
  [
    'revocation servers without their attribute',
    { xml: '<RevocationServers><RevocationServer>https://x</RevocationServer></RevocationServers>' },
    /Attributes: expected a revocation attribute, because there are RevocationServers, got none/,
  ],
  [
    'a revocation server with a slash at the end',
    { xml: '<RevocationServers><RevocationServer>https://x/</RevocationServer></RevocationServers>' },
    /no "\/" at the end/,
  ],
  [
    'a negative update count',
    { xml: '<RevocationUpdateCount>-1</RevocationUpdateCount>' },
    /non-negative integer, got "-1"/,
  ],
  [
    'an invalid time',
    { xml: '<DeprecatedSince>today</DeprecatedSince>' },
    /DeprecatedSince: expected an integer/,
  ],
  [
    'a dependency that is no credential type',
    { xml: '<Dependencies><Or><And><CredentialType>a.b</CredentialType></And></Or></Dependencies>' },
    /<scheme>.<issuer>.<credential>, got "a.b"/,
  ],
  [
    'a dependency in another scheme',
    { xml: '<Dependencies><Or><And><CredentialType>x.y.z</CredentialType></And></Or></Dependencies>' },
    /x\.y\.z is no credential type of the scheme/,
  ],
  [
    'a dependency on itself',
    {
      xml: '<Dependencies><Or><And><CredentialType>made.fast.note</CredentialType></And></Or></Dependencies>',
    },
    /circle/,
  ],
]
for (const [title, change, reason] of types) refuses(title, typeFile, reason, withType(change))
refuses(
  'a revocation server without TLS',
  typeFile,
  /expected https/,
  withType(
    {
      xml: '<RevocationServers><RevocationServer>http://x</RevocationServer></RevocationServers>',
    },
    false,
  ),
)

Descriptions.run()
