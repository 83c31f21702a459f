/** The folders of certificates and private keys of SD-JWT issuers: each faulty folder of the recordings (test/vectors/sd-jwt/pki) is refused, or has a warning, with a message
 *  that contains the file. @module */
import { generateKeyPairSync } from 'node:crypto'
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { SchemeError } from '../../../schemes/scheme-error.ts'
import {
  type ReadSdJwtIssuers,
  readSdJwtIssuers,
  warningsAboutDates,
} from '../../../schemes/sd-jwt/issuers.ts'
import { PROJECT } from '../../project.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../make-scheme.ts'

const PKI = join(PROJECT, 'test/vectors/sd-jwt/pki')
/** 27 November 2026, 12:00 UTC, the time of the recordings. */
const NOW_SEC = Date.UTC(2026, 10, 27, 12) / 1_000
const GOV = 'svc-demo.gov.pem'

function readIn(folder: string, nowSec = NOW_SEC): ReadSdJwtIssuers {
  const read = readSdJwtIssuers({
    certificates: join(folder, 'certs'),
    privateKeys: join(folder, 'keys'),
    isKnown: id => ['svc-demo.gov', 'svc-demo.uni', 'svc-keyshare.shop'].includes(id),
  })
  const aboutDates = [...read.issuers.values()].flatMap(each => warningsAboutDates(each, nowSec))
  return { ...read, warnings: [...read.warnings, ...aboutDates] }
}

function refusalOf(folder: string): SchemeError {
  try {
    readIn(folder)
  } catch (error) {
    if (error instanceof SchemeError) return error
    throw error
  }
  throw new Error('expected a refusal, but the folders were read')
}

const REFUSED: Readonly<Record<string, readonly [file: string, reason: RegExp]>> = {
  'cert-empty': [`certs/${GOV}`, /expected certificates in PEM.*got none/],
  'cert-garbage': [`certs/${GOV}`, /certificate 1: expected a certificate in PEM/],
  'chain-reversed': [
    `certs/${GOV}`,
    /expected to be signed by certificate 2.*write the certificate of the issuer first/,
  ],
  'ec-params-first': [`keys/${GOV}`, /expected the key of the first certificate in .*, got another/],
  'key-encipherment-only': [`certs/${GOV}`, /expected the key usage digitalSignature/],
  'key-garbage': ['keys/x.pem', /expected an unencrypted private key on the curve P-256.*got no block/],
  mismatch: [
    `keys/${GOV}`,
    /expected the key of the first certificate in .*certs\/svc-demo\.gov\.pem, got another/,
  ],
  'no-key-usage': [`certs/${GOV}`, /expected the key usage digitalSignature/],
  'p384-key': [`certs/${GOV}`, /expected a key on the curve P-256/],
  'rsa-key': [`certs/${GOV}`, /expected a key on the curve P-256/],
  'uri-http': [`certs/${GOV}`, /expected an https address .* got "http:\/\/gov\.example\.com"/],
  'uri-none': [`certs/${GOV}`, /expected the https address of the issuer as URI/],
}

const NO_CA = /certs\/svc-demo\.gov\.pem: there is no CA beside the certificate/
const NO_REGISTRATION = /certs\/svc-demo\.gov\.pem: the certificate has no extension 2\.1\.123\.1/

const WARNED: Readonly<Record<string, readonly RegExp[]>> = {
  'cert-missing': [/keys\/svc-demo\.gov\.pem: no certificates: expected them in .*certs\/svc-demo\.gov\.pem/],
  'eku-client': [NO_REGISTRATION],
  expired: [
    NO_CA,
    NO_REGISTRATION,
    /certs\/svc-demo\.gov\.pem: expired at 2021-01-01T00:00:00\.000Z; .* are refused/,
  ],
  'key-missing': [/certs\/svc-demo\.gov\.pem: no private key: expected it in .*keys\/svc-demo\.gov\.pem/],
  'leaf-only': [NO_CA, NO_REGISTRATION],
  'no-custom-extension': [NO_REGISTRATION],
  'not-yet': [
    NO_CA,
    NO_REGISTRATION,
    /certs\/svc-demo\.gov\.pem: valid only from 2035-01-01T00:00:00\.000Z on/,
  ],
  'other-files': [/certs\/readme\.txt: ignored, because/, /keys\/sub: ignored, because/],
  'self-signed': [/certs\/svc-demo\.gov\.pem: the certificate is self-signed/, NO_REGISTRATION],
  'unknown-issuer': [/keys\/some\.thing\.odd\.pem: without effect, because the schemes have no issuer/],
}

const Issuers = suite('certificates and keys of SD-JWT issuers')

for (const [variant, [file, reason]] of Object.entries(REFUSED))
  Issuers(`${variant} is refused`, () => {
    const folder = join(PKI, 'variants', variant)
    const error = refusalOf(folder)
    assert.is(error.file, join(folder, file))
    assert.match(error.reason, reason)
  })

for (const [variant, expected] of Object.entries(WARNED))
  Issuers(`${variant} has a warning`, () => {
    const { warnings } = readIn(join(PKI, 'variants', variant))
    assert.is(warnings.length, expected.length, warnings.join('\n'))
    for (const [i, words] of expected.entries()) assert.match(warnings[i] ?? '', words)
  })

Issuers('a key in PKCS #8, and a key after a block EC PARAMETERS, are accepted', async () => {
  assert.equal(readIn(join(PKI, 'variants/pkcs8')).warnings, [])
  assert.is(readIn(join(PKI, 'variants/pkcs8')).issuers.size, 1)
  const copy = await copied('.')
  try {
    const key = readFileSync(join(PKI, 'keys', GOV), 'utf8')
    const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'
    writeFileSync(join(copy.path, 'keys', GOV), parameters + key)
    assert.equal(readIn(copy.path).warnings, [])
  } finally {
    await copy.remove()
  }
})

Issuers('a private key beside the certificates has a warning', async () => {
  const copy = await copied('.')
  try {
    const file = join(copy.path, 'certs', GOV)
    appendFileSync(file, readFileSync(join(PKI, 'keys', GOV), 'utf8'))
    assert.equal(readIn(copy.path).warnings, [
      `${file}: the file also has a private key, which belongs in the folder of private keys alone`,
    ])
  } finally {
    await copy.remove()
  }
})

Issuers('the tests use every faulty folder of the recordings', () => {
  const tried = [...Object.keys(REFUSED), ...Object.keys(WARNED), 'pkcs8', 'dir-named-pem', 'empty']
  assert.equal(readdirSync(join(PKI, 'variants')).sort(), tried.sort())
})

Issuers('a folder in the place of a key is refused', async () => {
  const copy = await copied('variants/dir-named-pem')
  try {
    mkdirSync(join(copy.path, 'keys/foo.pem'))
    const { file, reason } = refusalOf(copy.path)
    assert.is(file, join(copy.path, 'keys/foo.pem'))
    assert.match(reason, /expected a file, got something else/)
  } finally {
    await copy.remove()
  }
})

Issuers('a folder that does not exist is refused, and an empty one has a warning', async () => {
  const folder = await temporaryFolder()
  try {
    assert.match(refusalOf(folder.path).message, /certs: expected a folder of certificates, got ENOENT/)
    for (const name of ['certs', 'keys']) mkdirSync(join(folder.path, name))
    const { issuers, warnings } = readIn(folder.path)
    assert.is(issuers.size, 0)
    assert.equal(
      warnings.map(text => text.replace(folder.path, '')),
      [
        '/certs: no certificates: expected files ISSUER.pem',
        '/keys: no private keys: expected files ISSUER.pem',
      ],
    )
  } finally {
    await folder.remove()
  }
})

Issuers('a key of another kind is refused, even if the certificate is valid', async () => {
  for (const variant of ['rsa-key', 'p384-key']) {
    const copy = await copied('.')
    try {
      cpSync(join(PKI, 'variants', variant, 'keys', GOV), join(copy.path, 'keys', GOV))
      assert.match(
        refusalOf(copy.path).message,
        /keys\/svc-demo\.gov\.pem: .*P-256.*, got another kind of key$/,
      )
    } finally {
      await copy.remove()
    }
  }
})

Issuers('an encrypted key is refused as such, in both forms', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  for (const type of ['pkcs8', 'sec1'] as const) {
    const copy = await copied('.')
    try {
      const pem = privateKey.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' })
      writeFileSync(join(copy.path, 'keys', GOV), pem)
      assert.match(refusalOf(copy.path).message, /got an encrypted key$/)
    } finally {
      await copy.remove()
    }
  }
})

Issuers('an error about a key contains no text of the file', async () => {
  const copy = await copied('.')
  try {
    writeFileSync(
      join(copy.path, 'keys', GOV),
      '-----BEGIN EC PRIVATE KEY-----\nc2VjcmV0\n-----END EC PRIVATE KEY-----\n',
    )
    const { message, cause } = refusalOf(copy.path)
    assert.match(message, /got a block that cannot be read/)
    assert.not.match(message, /c2VjcmV0/)
    assert.is(cause, undefined)
  } finally {
    await copy.remove()
  }
})

Issuers('valid folders give an issuer for each pair, with the first URI and the whole chain', () => {
  const { issuers, warnings } = readIn(PKI)
  assert.equal(warnings, [])
  const facts = [...issuers.values()].map(({ id, url, x5c }) => [id, url, x5c.length])
  assert.equal(facts, [
    ['svc-demo.gov', 'https://gov.example.com', 2],
    ['svc-demo.uni', 'https://uni.example.com/issuer', 3],
    ['svc-keyshare.shop', 'https://shop.example.com', 2],
  ])
})

Issuers('a chain that expires within a month has a warning', () => {
  const [issuer] = readIn(PKI).issuers.values()
  const end = issuer?.validUntilSec ?? 0
  const month = 31 * 24 * 3_600
  const about = (nowSec: number) => readIn(PKI, nowSec).warnings.filter(text => text.includes(GOV))
  assert.equal(about(end - month), [])
  assert.match(about(end - month + 1)[0] ?? '', /expires soon \(at /)
  assert.match(about(end + 1)[0] ?? '', /expired at /)
})

async function copied(folder: string) {
  const copy = await temporaryFolder()
  for (const name of ['certs', 'keys'])
    cpSync(join(PKI, folder, name), join(copy.path, name), { recursive: true })
  return copy
}

Issuers.run()
