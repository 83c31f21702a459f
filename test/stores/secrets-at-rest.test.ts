/** A stolen database reveals nothing of an account (spec/keyshare-server#21, property 21): no PIN, secret, token id, device key or randomizer, in any form in which
 *  it might be written. The rows are sealed by the same code as in a server. @module */
import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { sealBoundRecord, sealRandomizer, sealRecord } from '../../accounts/records.ts'
import { hashOfTokenId, newSecrets } from '../../accounts/secrets.ts'
import { parseStorageKey, storageKeyFile, storageKeys } from '../../accounts/storage-keys.ts'
import { bytesOf, integerOf } from '../../crypto/bytes.ts'
import { openStore } from '../../stores/open.ts'
import { suite } from '../suite.ts'
import { newStoreFile } from '../temporary-folder.ts'
import { accountRow, commitAccount } from './account-rows.ts'

/** Bytes that appear nowhere by accident. */
function someBytes(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (seed * 89 + i * 151 + i * i * 7) % 251)
}

const PIN = 'a6ASwR6PLZEHGlCf93a99fo/efd/4bGNceDsbyiSeu4=\n'
const STORAGE_KEY = someBytes(32, 1)
const mk = integerOf(someBytes(31, 2))
const tokenId = someBytes(32, 3)
const wk = integerOf(someBytes(80, 4).fill(0, 0, 1))
const deviceKey = new Uint8Array(
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'der' }),
)
const SECRETS: Readonly<Record<string, Uint8Array>> = {
  'the PIN': Buffer.from(PIN),
  'the secret': bytesOf(mk),
  'the token id': tokenId,
  'the device key': deviceKey,
  'the randomizer of a commitment': bytesOf(wk),
  'the storage key': STORAGE_KEY,
}

/** @returns the forms in which bytes are written: raw, as text of three kinds, and as a decimal number */
function formsOf(secret: Uint8Array): readonly Buffer[] {
  const bytes = Buffer.from(secret)
  const texts = [
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    String(integerOf(secret)),
  ]
  return [bytes, ...texts.map(text => Buffer.from(text))]
}

/** @returns all bytes of the open database, including its log */
function bytesOnDisk(file: string): Buffer {
  const folder = dirname(file)
  return Buffer.concat(readdirSync(folder).map(name => readFileSync(join(folder, name))))
}

const keys = storageKeys(parseStorageKey(storageKeyFile(7, STORAGE_KEY)), [])
const secrets = newSecrets(PIN, { mk, tokenId, deviceKey })
const place = { columns: { id: 'naïve user' }, movedMs: 0 }
/** Both forms of a record. */
const RECORDS: Readonly<Record<string, Uint8Array>> = {
  recorded: sealRecord(secrets, keys, someBytes(12, 5)),
  bound: sealBoundRecord(secrets, place, keys, someBytes(12, 7)),
}
const sealedRandomizer = sealRandomizer(wk, 'naïve user', keys, someBytes(12, 6))
const rest = {
  tokenIdHash: hashOfTokenId(tokenId),
  commitment: { lastKey: 'test.test-3', hashedComms: null, sealedRandomizer },
}

const AtRest = suite('secrets at rest (spec/keyshare-server#21, property 21)')

for (const [form, record] of Object.entries(RECORDS))
  AtRest(
    `the database holds no PIN, secret, token id, device key or randomizer in clear: ${form} records`,
    async () => {
      const file = newStoreFile()
      const store = await openStore(`sqlite:${file}`, 'boot A')
      assert.ok(await commitAccount(store, 0, accountRow('naïve user', { record, ...rest })))
      const open = bytesOnDisk(file)
      await store.close()
      for (const stored of [open, bytesOnDisk(file)]) {
        for (const there of [Buffer.from('naïve user'), Buffer.from(record), Buffer.from(sealedRandomizer)])
          assert.ok(
            stored.includes(there),
            'expected to find what is stored, got a search that finds nothing',
          )
        for (const [what, secret] of Object.entries(SECRETS))
          for (const text of formsOf(secret))
            assert.not.ok(stored.includes(text), `expected no trace of ${what}, got one`)
      }
    },
  )

AtRest.run()
