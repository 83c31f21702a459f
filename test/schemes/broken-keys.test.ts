/** Keys that cannot be used are refused, with the file and the reason (spec/schemes-and-cli#7, #12; spec/cryptography#2). @module */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { loadSchemes } from '../../schemes/load.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { type MadeScheme, makeScheme, temporaryFolder } from './make-scheme.ts'
import { privateXml, publicXml, refusal, refusals, replacing, sound } from './refusal.ts'

const Keys = suite('schemes: keys')
const refuses = refusals(Keys)
const publicFile = 'fast/PublicKeys/0.xml'
const privateFile = 'fast/PrivateKeys/0.xml'
const otherPrivateXml = readFileSync(join(DEMO_SCHEMES, 'svc-demo/gov/PrivateKeys/0.xml'), 'utf8')

const publicKeys: [title: string, change: (xml: string) => string, reason: RegExp][] = [
  [
    'a public key with another counter',
    xml => xml.replace('<Counter>0', '<Counter>1'),
    /Counter: expected "0", got "1"/,
  ],
  ['a public key in another namespace', xml => xml.replace('/idemix', '/other'), /namespace/],
  ['a public key with another root', xml => xml.replaceAll('IssuerPublicKey', 'Key'), /root element/],
  [
    'a modulus of another size',
    xml => xml.replace(/<n>\d/, '<n>'),
    /n: expected 1024, 2048 or 4096 bits, got \d+/,
  ],
  [
    'a public key without a modulus',
    xml => xml.replace(/<n>\d+<\/n>/, ''),
    /Elements\/n: expected decimal digits/,
  ],
  ['a negative number', xml => xml.replace('<S>', '<S>-'), /Elements\/S: expected decimal digits/],
  ['white space around a number', xml => xml.replace('<Z>', '<Z> '), /Elements\/Z: expected decimal digits/],
  [
    'a base that is no integer',
    xml => xml.replace(/<Base_3>\d+/, '<Base_3>0x10'),
    /base 3: expected decimal digits/,
  ],
  [
    'another number of bases than announced',
    xml => xml.replace(/<Base_3>\d+<\/Base_3>/, ''),
    /num says 12, but there are 11/,
  ],
  [
    'too few bases for a credential type',
    xml => xml.replace(/<Bases num="12">[\s\S]*<\/Bases>/, '<Bases num="2"><a>1</a><b>1</b></Bases>'),
    /made\.fast\.note needs 3 bases, the key has 2/,
  ],
  [
    'an invalid ECDSA key',
    xml => xml.replace(/<ECDSA>\w+/, '<ECDSA>AAAA'),
    /ECDSA: expected the Base64 of a P-256 key/,
  ],
  [
    'an invalid expiry date',
    xml => xml.replace(/<ExpiryDate>\d+/, '<ExpiryDate>2046-01-01'),
    /ExpiryDate: expected an integer/,
  ],
  [
    'an enormous number',
    xml => xml.replace('<Z>', `<Z>${'9'.repeat(5000)}`),
    /Elements\/Z: expected decimal digits/,
  ],
]
for (const [title, change, reason] of publicKeys)
  refuses(title, publicFile, reason, replacing({ [publicFile]: change(publicXml) }))
for (const name of ['a.xml', '01.xml', '-1.xml', '65536.xml', '0.txt.xml'])
  refuses(
    `the public key file ${name}`,
    `fast/PublicKeys/${name}`,
    /expected a name <counter>.xml/,
    replacing({ [`fast/PublicKeys/${name}`]: publicXml }),
  )

function withPrivateKey(xml: string, isDemo = true): MadeScheme {
  const [issuer] = sound.issuers
  return {
    ...sound,
    isDemo,
    issuers: issuer ? [{ ...issuer, keys: [{ counter: 0, public: publicXml, private: xml }] }] : [],
  }
}

const privateKeys: [title: string, xml: string, reason: RegExp][] = [
  ['a private key of another public key', otherPrivateXml, /does not belong to the public key/],
  [
    'a private key with another counter',
    privateXml.replace('<Counter>0', '<Counter>1'),
    /Counter: expected "0", got "1"/,
  ],
  ['a private key with another root', publicXml, /root element/],
  ['a private key without p', privateXml.replace(/<p>\d+<\/p>/, ''), /Elements\/p: expected decimal digits/],
  ['a private key with an invalid ECDSA key', privateXml.replace(/<ECDSA>\w+/, '<ECDSA>AAAA'), /ECDSA/],
]
for (const [title, xml, reason] of privateKeys) refuses(title, privateFile, reason, withPrivateKey(xml))
refuses(
  'outside demo schemes, a private key that does not fit its public key',
  privateFile,
  /pPrime: expected \(p - 1\) \/ 2/,
  withPrivateKey(privateXml.replace('<pPrime>', '<pPrime>1'), false),
)
refuses('outside demo schemes, revocation only in the private key', privateFile, /revocation/, {
  ...withPrivateKey(privateXml, false),
  files: { [publicFile]: publicXml.replace(/<ECDSA>[^<]+/, '<ECDSA>') },
})
refuses(
  'a private key without a public one',
  'fast/PrivateKeys/1.xml',
  /no public key with this counter/,
  withPrivateKey(privateXml),
  folder => writeFile(join(folder, 'fast/PrivateKeys/1.xml'), privateXml.replace('<Counter>0', '<Counter>1')),
)
refuses(
  'a private key file without counter',
  'fast/PrivateKeys/key.xml',
  /expected a name <counter>.xml/,
  withPrivateKey(privateXml),
  folder => writeFile(join(folder, 'fast/PrivateKeys/key.xml'), privateXml),
)

Keys('no error contains a number of a private key', async () => {
  const parent = await temporaryFolder()
  await makeScheme(parent.path, withPrivateKey(privateXml.replace(/<p>/, '<p>-')))
  const error = await refusal(parent.path)
  await parent.remove()
  assert.is(/\d{10}/.test(`${error.message} ${error.cause}`), false)
})

Keys('outside demo schemes a key with safe primes is accepted', async () => {
  const parent = await temporaryFolder()
  await makeScheme(parent.path, withPrivateKey(privateXml, false))
  const schemes = await loadSchemes(parent.path)
  await parent.remove()
  assert.is(schemes.schemes.size, 1)
})

Keys('in a demo scheme, revocation only in the private key is accepted', async () => {
  const parent = await temporaryFolder()
  const files = { [publicFile]: publicXml.replace(/<ECDSA>[^<]+/, '<ECDSA>') }
  await makeScheme(parent.path, { ...withPrivateKey(privateXml), files })
  const schemes = await loadSchemes(parent.path)
  await parent.remove()
  assert.is(schemes.schemes.size, 1)
})

for (const [name, reason] of [
  ['other.fast.xml', /unknown scheme/],
  ['made.slow.xml', /unknown issuer/],
  ['made.fast.1.xml', /Counter: expected "1", got "0"/],
] as const)
  Keys(`the operator's private key ${name} is refused`, async () => {
    const [schemes, keys] = [await temporaryFolder(), await temporaryFolder()]
    await makeScheme(schemes.path, sound)
    await writeFile(join(keys.path, name), privateXml)
    const error = await refusal(schemes.path, { privateKeys: keys.path })
    await Promise.all([schemes.remove(), keys.remove()])
    assert.is(error.file, join(keys.path, name))
    assert.match(error.reason, reason)
  })

Keys.run()
