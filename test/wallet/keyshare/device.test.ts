/** A device's signatures and messages about its PIN, compared with recordings of an existing wallet app (spec/keyshare-server#3.4, #3.5). @module */
import { generateKeyPairSync, verify } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { deviceKey } from '../../../accounts/device-keys.ts'
import { createDevice, openDevice } from '../../../libraries/wallet/keyshare/device.ts'
import { readVector } from '../../project.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { SCHEME } from './registered.ts'

type Recorded = {
  readonly exchanges: readonly {
    readonly request: { readonly body?: { readonly enrollment_jwt?: string } }
  }[]
}

const SALT = Uint8Array.from({ length: 32 }, (_, i) => i)
const made = () => createDevice(temporaryFolder(), SCHEME, () => SALT)

function parts(jwt: string): {
  readonly header: string
  readonly claims: object
  readonly signed: string
  readonly signature: Buffer
} {
  const [header = '', claims = '', signature = ''] = jwt.split('.')
  const text = (part: string) => Buffer.from(part, 'base64url').toString()
  return {
    header: text(header),
    claims: JSON.parse(text(claims)),
    signed: `${header}.${claims}`,
    signature: Buffer.from(signature, 'base64url'),
  }
}

const Devices = suite('the device of a wallet')

Devices('the value of a PIN is the Base64 of SHA-256 of salt and PIN, and a newline', async () => {
  assert.is((await made()).pinValue('12345'), 'a6ASwR6PLZEHGlCf93a99fo/efd/4bGNceDsbyiSeu4=\n')
})

Devices('a JWT has the header, the order of claims and the form of signature of existing apps', async () => {
  const { exchanges } = readVector('keyshare-server/keyshare-enroll.json') as Recorded // as recorded
  const recorded = parts(exchanges[0]?.request.body?.enrollment_jwt ?? '')
  const device = await made()
  const claims = { pin: device.pinValue('12345'), language: 'nl', publickey: device.publicKey }
  const { header, claims: written, signed, signature } = parts(device.jwt(claims))
  assert.is(header, recorded.header)
  assert.equal(Object.keys(written), Object.keys(recorded.claims))
  assert.is(signature.length, recorded.signature.length)
  const key = deviceKey(Buffer.from(device.publicKey, 'base64'))
  assert.ok(verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature))
})

Devices('its files restore the same device, and a damaged file is refused and not quoted', async () => {
  const dir = temporaryFolder()
  const { publicKey } = await createDevice(dir, SCHEME, () => SALT)
  assert.is((await openDevice(dir, SCHEME)).publicKey, publicKey)
  const path = join(dir, `${SCHEME}.device-key.pem`)
  const pem = readFileSync(path, 'utf8')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const p384 = privateKey.export({ format: 'pem', type: 'pkcs8' })
  for (const content of ['', pem.slice(0, 100), String(p384)]) {
    writeFileSync(path, content)
    const refused = await openDevice(dir, SCHEME).catch(String)
    assert.is(refused, `WalletError: ${path}: expected a private key of P-256 in PEM, got something else`)
  }
  writeFileSync(path, pem)
  assert.is((await openDevice(dir, SCHEME)).publicKey, publicKey)
})

Devices.run()
