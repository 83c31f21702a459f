import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { RecordError } from '../../accounts/record-error.ts'
import { openRandomizer, openRecord, sealRandomizer, sealRecord } from '../../accounts/records.ts'
import {
  hashOfTokenId,
  isPin,
  isRepeatedChange,
  isTokenId,
  newSecrets,
  readSecrets,
  withPin,
  writeSecrets,
} from '../../accounts/secrets.ts'
import {
  parseStorageKey,
  type StorageKeys,
  seal,
  storageKeyFile,
  storageKeys,
  unseal,
} from '../../accounts/storage-keys.ts'
import { fromBase64 } from '../../crypto/bytes.ts'
import { writeCbor } from '../../crypto/cbor.ts'
import { STORED_RECORDS } from '../crypto/keyshare/recorded.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const base64 = (text: string): Uint8Array => Buffer.from(text, 'base64')
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const onlyKey = (file: Uint8Array): StorageKeys => storageKeys(parseStorageKey(file), [])

/** The key and the records of spec/keyshare-server#11.5. */
const ABCD = onlyKey(Buffer.from('abcd'.repeat(9)))
const WITHOUT_KEY =
  'YWJjZBdd6z/4lW/JBgEjVxcAnhK16iimfeyi1AAtWPzkfbWYyXHAad8A+Xzc6mE8bMj6dMQ5CgT0xcppEWYN9RFtO5+Wv4Carfq3TEIX9IWEDuU+lQG0noeHzKZ6k1J22iNAiL7fEXNWNy2H7igzJbj6svbH2LTRKxEW2Cj9Qkqzip5UapHmGZf6G6E7VkMvmJsbrW5uoZAVq2vP+ocuKmzBPaBlqko9F0YKglwXyhfaQQQ0Y3x4secMwC12'
const WITH_KEY =
  'YWJjZHpSayGYcjcKbUNfJJjNOXxgxV+GWTVYinpeKqTSfUjUuT4+Hs2uZY68+KvnXkPkoV1eo4HvpVzxy683DHi8Ih+P4Nuqz4FhhLddFnZlzPn1sHuvSjs8S2qGP/jO5+3075I/TWiT2CxO8B83ezMX7tmlwvTbWdYbmV1saEyCVFssuzTARcfvee0f6YvFe9eX1iHfAwXvPsdrt0eTqbTcUzDzv5pQb/t18MtJsK6cB2vh3XJO0psbBWsshGNJYIkMaiGmhi457zejvIt1xcC+dsZZUJVpvoGrZvHd25gH9PLQ/VSU0atrhXS93nsdW8+Y4M4tDFZ8R9pZsseZKt4Zuj1FbxD/qZcdm2w8KaCQgVjzzJJu6//Z5/qF0Neycmm6uiAs4zQWVkibtR9BLEmwHsLd2u4n1EhPAzp14kyzI72/'
const PIN = 'a6ASwR6PLZEHGlCf93a99fo/efd/4bGNceDsbyiSeu4=\n'
const TOKEN_ID = new Uint8Array(32).fill(0xaa)
const NONCE = Buffer.from('000102030405060708090a0b', 'hex')
const sevens = new Uint8Array(32).fill(7)
const SECRETS = newSecrets(PIN, { mk: 5n, tokenId: TOKEN_ID, deviceKey: null })

function refusedRecord(attempt: () => unknown, message: RegExp): void {
  assert.throws(attempt, (error: Error) => error instanceof RecordError && message.test(error.message))
}

const Vectors = suite('records of accounts: known answers (spec/keyshare-server#11.5)')

for (const [layout, record, hasKey] of [
  ['the oldest layout, without a device key and with a secret of 32 bytes', WITHOUT_KEY, false],
  ['the layout with a device key', WITH_KEY, true],
] as const)
  Vectors(`${layout} is read`, () => {
    const secrets = openRecord(base64(record), ABCD)
    assert.ok(isPin(secrets, 'puZGbaLDmFywGhFDi4vW2G87ZhXpaUsvymZwNJfB/SU=\n'))
    assert.is(secrets.mk, 0x241c78b309f8d774f32e0128c9270dc1776d9e1c6e7b763e66961a13f7b2e4dfn)
    assert.is(hex(secrets.tokenId), 'c4c8a5240d672d489a5f43ea2f5ef997f4efc30129068357e7f153966823e99e')
    assert.is(secrets.deviceKey?.length, hasKey ? 91 : undefined)
    const der = hex(secrets.deviceKey ?? new Uint8Array())
    assert.ok(hasKey ? /0422788b.*c8d9$/.test(der) : der === '')
  })

Vectors('a record of 232 bytes is reproduced from the given key, nonce and secrets', () => {
  const record = sealRecord(SECRETS, onlyKey(storageKeyFile(1, sevens)), NONCE)
  assert.is(record.length, 232)
  assert.is(
    createHash('sha256').update(record).digest('hex'),
    '4ea851f34f145021d1588f9d23414ae9f529b3c70ddd6c6de96d56e270959c27',
  )
})

const stored = onlyKey(readFileSync(join(PROJECT, 'test/vectors/keys/storage-key.aes')))

for (const { username, record, keyId, plaintextCborHex, ...recorded } of STORED_RECORDS)
  Vectors(`the stored record of ${username} decrypts, and sealing it again gives the same bytes`, () => {
    assert.is(keyId, stored.primary.id)
    const secrets = openRecord(base64(record), stored)
    assert.ok(isPin(secrets, recorded.pin))
    assert.is(secrets.mk, fromBase64(recorded.keyshareSecret))
    assert.ok(isTokenId(secrets, base64(recorded.tokenId)))
    assert.is(Buffer.from(secrets.deviceKey ?? []).toString('base64'), recorded.devicePublicKey)
    assert.is(hex(writeSecrets(secrets)), plaintextCborHex)
    assert.equal(sealRecord(secrets, stored, base64(record).subarray(4, 16)), base64(record))
  })

Vectors('eight stored records were tested', () => assert.is(STORED_RECORDS.length, 8))

const Secrets = suite('secrets of an account (spec/keyshare-server#3.4, #10, #11.1)')

Secrets('records have one length for any content: 200 bytes, or 292 with a device key', () => {
  for (const [pin, mk] of [
    ['', 0n],
    ['x'.repeat(64), 2n ** 255n - 1n],
  ] as const) {
    assert.is(writeSecrets(newSecrets(pin, { mk, tokenId: TOKEN_ID, deviceKey: null })).length, 200)
    assert.is(
      writeSecrets(newSecrets(pin, { mk, tokenId: TOKEN_ID, deviceKey: new Uint8Array(91) })).length,
      292,
    )
  }
})

Secrets(
  'a record contains the hash of the call that changed its PIN, and the call may be repeated for 90 s',
  () => {
    const pinChange = { callHash: new Uint8Array(32).fill(3), at: 1_000 }
    const changed = withPin(SECRETS, 'another', TOKEN_ID, pinChange)
    assert.equal(readSecrets(writeSecrets(changed)), changed)
    assert.is(readSecrets(writeSecrets(withPin(changed, 'third', TOKEN_ID))).pinChange, undefined)
    assert.ok(isRepeatedChange(changed, pinChange.callHash, 91_000))
    assert.not.ok(isRepeatedChange(changed, pinChange.callHash, 91_001))
    assert.not.ok(isRepeatedChange(changed, new Uint8Array(32), 1_000))
    assert.not.ok(isRepeatedChange(SECRETS, pinChange.callHash, 1_000))
  },
)

Secrets('a PIN is compared byte by byte: its newline counts, and a text that is too long is no PIN', () => {
  assert.ok(isPin(SECRETS, PIN))
  for (const wrong of ['', PIN.slice(0, -1), `${PIN}\n`, `x${PIN.slice(1)}`, PIN.toLowerCase()])
    assert.not.ok(isPin(SECRETS, wrong))
  assert.throws(() => isPin(SECRETS, 'x'.repeat(65)), /PIN: expected at most 64 bytes/)
  assert.ok(isPin(newSecrets('', { mk: 5n, tokenId: TOKEN_ID, deviceKey: null }), ''))
})

Secrets('a token id is compared as a whole, and its hash does not contain it', () => {
  assert.ok(isTokenId(SECRETS, new Uint8Array(32).fill(0xaa)))
  for (const wrong of [
    new Uint8Array(32),
    TOKEN_ID.slice(1),
    new Uint8Array(33).fill(0xaa),
    new Uint8Array(),
  ])
    assert.not.ok(isTokenId(SECRETS, wrong))
  assert.is(hashOfTokenId(TOKEN_ID), createHash('sha256').update(TOKEN_ID).digest('hex'))
})

Secrets('a change of PIN changes the token id, and nothing else', () => {
  const deviceKey = new Uint8Array(91)
  const before = { ...SECRETS, deviceKey }
  const tokenId = new Uint8Array(32).fill(1)
  const after = withPin(before, 'new', tokenId)
  assert.ok(isPin(after, 'new'))
  assert.not.ok(isPin(after, PIN))
  assert.ok(isTokenId(after, tokenId))
  assert.is(after.mk, 5n)
  assert.is(after.deviceKey, deviceKey)
})

Secrets('a record with secrets of a wrong size is not created', () => {
  const facts = { mk: 5n, tokenId: TOKEN_ID, deviceKey: null }
  assert.throws(() => newSecrets('x'.repeat(65), facts), /PIN: expected at most 64/)
  assert.throws(() => newSecrets(PIN, { ...facts, mk: 2n ** 255n }), /below 2\^255/)
  assert.throws(() => newSecrets(PIN, { ...facts, tokenId: new Uint8Array(31) }), /token id: expected 32/)
  assert.throws(() => withPin(SECRETS, 'x'.repeat(65), TOKEN_ID), /PIN: expected at most 64/)
  assert.throws(() => withPin(SECRETS, PIN, new Uint8Array(33)), /token id: expected 32/)
})

Secrets('a record in any other form is refused as damaged', () => {
  const right = { Pin: new Uint8Array(64), KeyshareSecret: new Uint8Array(64), ID: TOKEN_ID, PublicKey: null }
  assert.ok(readSecrets(writeCbor(right)))
  assert.is(readSecrets(writeCbor({ ...right, KeyshareSecret: Uint8Array.of(5) })).mk, 5n)
  const tooLarge = new Uint8Array(32).fill(0x80)
  for (const wrong of [
    { ...right, Pin: new Uint8Array(63) },
    { ...right, Pin: 'x'.repeat(64) },
    { ...right, KeyshareSecret: new Uint8Array(65) },
    { ...right, KeyshareSecret: tooLarge },
    { ...right, ID: new Uint8Array(31) },
    { ...right, PublicKey: new Uint8Array() },
    { ...right, PublicKey: 'x' },
    [1, 2],
    null,
  ])
    refusedRecord(() => readSecrets(writeCbor(wrong)), /^record of an account: expected/)
  for (const bytes of [
    new Uint8Array(),
    Uint8Array.of(0xa4),
    Buffer.concat([writeCbor(right), Uint8Array.of(0)]),
  ])
    refusedRecord(() => readSecrets(bytes), /expected CBOR/)
})

const Keys = suite('storage keys (spec/keyshare-server#11.2 to #11.4)')

Keys('a key file has 36 bytes: the number, little-endian, and the key', () => {
  const file = storageKeyFile(0x64636261, Buffer.from('abcd'.repeat(8)))
  assert.is(Buffer.from(file).toString(), 'abcd'.repeat(9))
  const { id, key } = parseStorageKey(file)
  assert.is(id, 1684234849)
  assert.equal(key.export(), Buffer.from('abcd'.repeat(8)))
  for (const length of [0, 35, 37])
    assert.throws(() => parseStorageKey(new Uint8Array(length)), /expected 36 bytes, got \d+/)
  assert.throws(() => storageKeyFile(1, new Uint8Array(31)), /expected 32 bytes, got 31/)
  for (const number of [-1, 2 ** 32]) assert.throws(() => storageKeyFile(number, sevens), RangeError)
})

const OLD = parseStorageKey(storageKeyFile(1, sevens))
const NEW = parseStorageKey(storageKeyFile(2, new Uint8Array(32).fill(8)))

Keys('a record of an older key is read, and sealed with the primary one', () => {
  const rotated = storageKeys(NEW, [OLD])
  const record = sealRecord(SECRETS, storageKeys(OLD, []), NONCE)
  const secrets = openRecord(record, rotated)
  assert.ok(isPin(secrets, PIN))
  assert.equal(openRecord(sealRecord(secrets, rotated, NONCE), storageKeys(NEW, [])), secrets)
})

Keys(
  'a record of a key that is not configured is refused; the error names the number of the key and the remedy',
  () => {
    const record = sealRecord(SECRETS, storageKeys(OLD, []), NONCE)
    refusedRecord(
      () => openRecord(record, storageKeys(NEW, [])),
      /^Key identifier unknown: expected the storage key with number 1 .* in the folder of older ones/,
    )
  },
)

Keys('two different keys cannot have one number', () => {
  const other = parseStorageKey(storageKeyFile(1, new Uint8Array(32).fill(9)))
  assert.throws(() => storageKeys(NEW, [OLD, other]), /got two keys with number 1/)
  assert.throws(() => storageKeys(OLD, [other]), /got two keys with number 1/)
  assert.ok(storageKeys(NEW, [OLD, OLD]))
})

Keys('a changed bit anywhere in a record is noticed, and so is a missing byte', () => {
  const keys = storageKeys(OLD, [])
  const record = sealRecord(SECRETS, keys, NONCE)
  for (let at = 0; at < record.length; at++) {
    const changed = Uint8Array.from(record)
    changed[at] = (changed[at] ?? 0) ^ 1
    refusedRecord(() => openRecord(changed, keys), at < 4 ? /^Key identifier unknown/ : /got others$/)
  }
  refusedRecord(() => openRecord(record.slice(0, -1), keys), /got others$/)
  for (const length of [0, 3, 31])
    refusedRecord(() => openRecord(record.slice(0, length), keys), /got fewer bytes$/)
})

Keys('a value that is sealed for one column or account cannot be opened for another', () => {
  const keys = storageKeys(OLD, [])
  const sealed = seal(sevens, keys, NONCE, 'a')
  assert.equal(new Uint8Array(unseal(sealed, keys, 'a')), sevens)
  refusedRecord(() => unseal(sealed, keys, 'b'), /got others$/)
  refusedRecord(() => unseal(sealed, keys), /got others$/)
  assert.throws(() => seal(sevens, keys, NONCE.subarray(1)), /nonce: expected 12 bytes, got 11/)
})

Keys('w_k is sealed for the user of its commitment, and sealed values have one length', () => {
  const keys = storageKeys(OLD, [])
  for (const wk of [0n, 5n, 2n ** 592n - 1n, 2n ** 640n - 1n]) {
    const sealed = sealRandomizer(wk, 'alice', keys, NONCE)
    assert.is(sealed.length, 4 + 12 + 80 + 16)
    assert.is(openRandomizer(sealed, 'alice', keys), wk)
    refusedRecord(() => openRandomizer(sealed, 'bob', keys), /got others$/)
    refusedRecord(() => openRecord(sealed, keys), /got others$/)
  }
  refusedRecord(() => openRandomizer(sealRecord(SECRETS, keys, NONCE), 'alice', keys), /got others$/)
  assert.throws(() => sealRandomizer(2n ** 640n, 'alice', keys, NONCE), /below 2\^640/)
})

Vectors.run()
Secrets.run()
Keys.run()
