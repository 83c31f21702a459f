/** The parsers of a keyshare server: bodies of wallet apps, JWTs with their claims, stored records, key files and mail addresses. @module */

import { appClaims, checkLoginStart, selfSignedClaims, userNameIn } from '../../../accounts/app-jwts.ts'
import { deviceKey } from '../../../accounts/device-keys.ts'
import { parseMailAddress } from '../../../accounts/mails/address.ts'
import { openMail, sealMail } from '../../../accounts/mails/sealed-mail.ts'
import { openRandomizer, openRecord, sealRandomizer, sealRecord } from '../../../accounts/records.ts'
import { newSecrets, readSecrets, writeSecrets } from '../../../accounts/secrets.ts'
import { tokenIdIn } from '../../../accounts/server-jwts.ts'
import { parseStorageKey, storageKeyFile, storageKeys } from '../../../accounts/storage-keys.ts'
import { readProofP } from '../../../protocol/keyshare/answers.ts'
import {
  readChallenge,
  readPin,
  readPinChange,
  readPublicKey,
  readRegistration,
  readUserName,
} from '../../../protocol/keyshare/claims.ts'
import {
  parseChallenge,
  parseHashedCommitmentsRequest,
  parseKeysRequest,
  parseResponseRequest,
} from '../../../protocol/keyshare/proof-requests.ts'
import { parsePublicKeyId, readPublicKeyIds } from '../../../protocol/keyshare/public-key-ids.ts'
import {
  parseKeyRegistration,
  parseLogin,
  parseLoginStart,
  parsePinChange,
  parsePlainLogin,
  parseRegistration,
} from '../../../protocol/keyshare/signed-bodies.ts'
import { readObject, readText } from '../../../protocol/shape.ts'
import { forcedJwt, NOW_SEC, newDevice } from '../../accounts/jwts.ts'
import { SIGNER } from '../../http/keyshare/harness.ts'
import { readVector } from '../../project.ts'
import { bodyText, type Transcript } from '../../protocol/recorded.ts'
import type { Parser } from './parser.ts'
import { bytesIn, vectorFile } from './recorded.ts'

const FILES = [
  'keyshare-server/keyshare-raw',
  'keyshare-server/keyshare-enroll',
  'keyshare-server/keyshare-change-pin',
  'keyshare/keyshare-combined',
]
const calls = FILES.flatMap(file => (readVector(`${file}.json`) as Transcript).exchanges) // recorded in this form

export const sentTo = (end: RegExp): string[] =>
  calls
    .filter(({ request }) => end.test(request.path))
    .map(({ request }) => bodyText(request))
    .filter(Boolean)
export const answeredBy = (end: RegExp): string[] =>
  calls
    .filter(({ request }) => end.test(request.path))
    .flatMap(({ response }) => (response ? [bodyText(response)] : []))

const device = newDevice()
const facts = { nowSec: NOW_SEC }
const times = { exp: NOW_SEC + 60 }
const claims = [
  { id: 'abcdefghijkl', pin: 'a\n', challenge: 'AQID', ...times },
  { id: 'abcdefghijkl', oldpin: 'a\n', newpin: 'b\n', ...times },
  { pin: 'a\n', language: 'nl', email: 'a@b.example', publickey: Buffer.from(device.der).toString('base64') },
].map(each => JSON.stringify(each))
const jwts = claims.map(each => forcedJwt(JSON.parse(each), device, { alg: 'ES256', typ: 'JWT' }))

/** Signs the claims, so that they are read behind the check of the signature. */
const signedBy = (text: string): string => {
  const part = (json: string): string => Buffer.from(json).toString('base64url')
  return forcedJwt({}, device, { alg: 'ES256' }).replace(
    /^[^.]*\.[^.]*/,
    `${part('{"alg":"ES256"}')}.${part(text)}`,
  )
}

const keys = storageKeys(parseStorageKey(storageKeyFile(7, new Uint8Array(32).fill(7))), [])
const nonce = new Uint8Array(12)
const secrets = newSecrets('a\n', { mk: 5n, tokenId: new Uint8Array(32), deviceKey: device.der })
const ofBytes = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const mail = { to: parseMailAddress('a@b.example'), subject: 'a', text: 'b', html: 'c' }
const object =
  (read: (members: ReturnType<typeof readObject>) => unknown) =>
  (text: string): unknown =>
    read(readObject(readText(text), 'claims'))

const bodies: readonly (readonly [name: string, end: RegExp, read: (text: string) => unknown])[] = [
  ['registration', /register$/, parseRegistration],
  ['login start', /verify_start$/, parseLoginStart],
  ['login', /pin_challengeresponse$/, parseLogin],
  ['plain login', /verify\/pin$/, parsePlainLogin],
  ['change of PIN', /change\/pin$/, parsePinChange],
  ['registration of a key', /register_publickey$/, parseKeyRegistration],
  ['request for keys', /get(?:Ps|Commitments)$/, parseKeysRequest],
  ['request for hashed commitments', /v2\/prove\/getCommitments$/, parseHashedCommitmentsRequest],
  ['challenge', /\/prove\/getResponse$/, parseChallenge],
  ['request for a response', /v2\/prove\/getResponse$/, parseResponseRequest],
]

export const ofKeyshare: readonly Parser[] = [
  ...bodies.map(([name, end, read]): Parser => ({ name, form: 'json', seeds: sentTo(end), read })),
  { name: 'user name', form: 'json', seeds: claims, read: object(readUserName) },
  {
    name: 'registration claims',
    form: 'json',
    seeds: claims,
    read: object(members => [readRegistration(members), readPublicKey(members)]),
  },
  {
    name: 'login claims',
    form: 'json',
    seeds: claims,
    read: object(members => [readPin(members), readChallenge(members)]),
  },
  { name: 'PIN change claims', form: 'json', seeds: claims, read: object(readPinChange) },
  { name: 'public key id', form: 'text', seeds: ['svc-demo.gov-0'], read: parsePublicKeyId },
  {
    name: 'public key ids',
    form: 'json',
    seeds: ['["svc-demo.gov-0"]'],
    read: text => readPublicKeyIds(readText(text), 'keys'),
  },
  {
    name: 'proof of a keyshare server',
    form: 'json',
    seeds: ['{"P":"AQ==","c":"AQ==","s_response":"AQ=="}'],
    read: text => readProofP(readText(text)),
  },
  {
    name: 'JWT of an app',
    form: 'jwt',
    seeds: jwts,
    read: jwt => [userNameIn(jwt), appClaims(jwt, device.der, facts.nowSec)],
  },
  {
    name: 'login JWT',
    form: 'jwt',
    seeds: jwts,
    read: jwt => checkLoginStart(jwt, device.der, facts.nowSec),
  },
  {
    name: 'signed claims of an app',
    form: 'json',
    seeds: claims,
    read: text => selfSignedClaims(signedBy(text), facts.nowSec),
  },
  {
    name: 'JWT of a login',
    form: 'jwt',
    seeds: [
      ...answeredBy(/pin_challengeresponse$/).flatMap(text => text.match(/[\w-]+\.[\w-]+\.[\w-]+/) ?? []),
      jwts[0] ?? '',
    ],
    read: jwt => tokenIdIn(jwt, SIGNER, facts.nowSec),
  },
  {
    name: 'device key',
    form: 'bytes',
    seeds: [ofBytes(device.der)],
    read: input => deviceKey(bytesIn(input)),
  },
  { name: 'mail address', form: 'text', seeds: ['a.b+c@d.example', 'é@ü.example'], read: parseMailAddress },
  {
    name: 'storage key file',
    form: 'bytes',
    seeds: [vectorFile('keys/storage-key.aes')],
    read: input => parseStorageKey(bytesIn(input)),
  },
  {
    name: 'secrets of an account',
    form: 'cbor',
    seeds: [ofBytes(writeSecrets(secrets))],
    read: input => readSecrets(bytesIn(input)),
  },
  {
    name: 'record of an account',
    form: 'bytes',
    seeds: [ofBytes(sealRecord(secrets, keys, nonce))],
    read: input => openRecord(bytesIn(input), keys),
  },
  {
    name: 'sealed commitment',
    form: 'bytes',
    seeds: [ofBytes(sealRandomizer(5n, 'a', keys, nonce))],
    read: input => openRandomizer(bytesIn(input), 'a', keys),
  },
  {
    name: 'sealed mail',
    form: 'text',
    seeds: [sealMail(mail, 'a', keys, nonce)],
    read: text => openMail(text, 'a', keys),
  },
]
