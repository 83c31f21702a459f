/** The parsers of `protocol/` and `crypto/`: bodies of requests, identifiers, integers, and revocation data in JSON and CBOR. @module */

import { decodeAttribute, decodeRandomBlind } from '../../../crypto/attribute.ts'
import { fromBase64, toBase64 } from '../../../crypto/bytes.ts'
import { decodeMetadata } from '../../../crypto/metadata.ts'
import { readAccumulator, verifyUpdate } from '../../../crypto/revocation/accumulator.ts'
import { openIssuanceRecord, signIssuanceRecord } from '../../../crypto/revocation/issuance-record.ts'
import { readSigned } from '../../../crypto/revocation/signed-bytes.ts'
import { verifyTimestamp } from '../../../crypto/timestamp.ts'
import { readBytes } from '../../../protocol/base64.ts'
import { readBigInteger, readIntegerMap, readNonce } from '../../../protocol/big-integers.ts'
import { parseCommitmentMessage } from '../../../protocol/commitment-message.ts'
import { readJwsPart } from '../../../protocol/compact-jws.ts'
import { parseDisclosureMessage } from '../../../protocol/disclosure-message.ts'
import { readDisclose } from '../../../protocol/disjunction.ts'
import { parseFrontendOptions } from '../../../protocol/frontend-messages.ts'
import {
  parseAttributeRequestId,
  parseAttributeTypeId,
  parseCredentialTypeId,
  parseIssuerId,
  parseSchemeId,
} from '../../../protocol/ids.ts'
import { readJson } from '../../../protocol/json.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import { parseSessionRequestText, readSessionRequestText } from '../../../protocol/request.ts'
import { isReturnUrl, withToken } from '../../../protocol/return-url.ts'
import {
  decodeEvents,
  decodeUpdate,
  decodeUpdates,
  encodeUpdates,
} from '../../../protocol/revocation-cbor.ts'
import { readNonRevocation, readUpdate, readWitness } from '../../../protocol/revocation-json.ts'
import { parseRevocationRequestText } from '../../../protocol/revocation-request.ts'
import { readIssuedCredentials, readProofStatus } from '../../../protocol/server-session-response.ts'
import { readText } from '../../../protocol/shape.ts'
import { shownAddress } from '../../../protocol/shown-address.ts'
import { parseSignedMessage } from '../../../protocol/signed-message.ts'
import { readTimestamp } from '../../../protocol/timestamp-json.ts'
import { parseVersion, parseVersionHeaders } from '../../../protocol/versions.ts'
import { RECORDED } from '../../crypto/recorded-revocation.ts'
import { keyOf } from '../../crypto/vectors.ts'
import type { Parser } from './parser.ts'
import { answeredBodies, bytesIn, posted, sentBodies } from './recorded.ts'

const requests = sentBodies('svc', posted(/\/session$/))
const irmaRequests = sentBodies('irma', posted(/\/session$/))
const submissions = sentBodies('svc', posted(/\/(?:proofs|commitments)$/))
const signatures = sentBodies('svc', posted(/\/proofs$/), ['signature-with-timestamp', 'signature-1024'])
const answers = answeredBodies('svc', posted(/\/commitments$/))
const IDS = ['svc-demo', 'svc-demo.gov', 'svc-demo.gov.idcard', 'svc-demo.gov.idcard.over18', 'a.b.c.d']
const OPTIONS = Object.values(PROFILES).map(({ contextBase }) =>
  JSON.stringify({ '@context': `${contextBase}/ld/request/frontendoptions/v1`, pairingMethod: 'pin' }),
)
const REVOCATIONS = Object.values(PROFILES).flatMap(({ contextBase }) =>
  [undefined, 1_795_000_000_000_000_000n].map(issued =>
    JSON.stringify({
      '@context': `${contextBase}/ld/request/revocation/v1`,
      type: 'svc-demo.fast.badge',
      revocationKey: 'key-1',
      ...(issued && { issued: [Number(issued)] }),
    }),
  ),
)
const ofBytes = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const UPDATES = RECORDED.flatMap(({ initialCbor, afterThreeCbor }) => [initialCbor, afterThreeCbor]).map(
  ofBytes,
)
const UPDATE_JSON = RECORDED.flatMap(({ initialJson, afterThreeJson }) => [initialJson, afterThreeJson]).map(
  json => JSON.stringify(json),
)
const ALL_UPDATES = [ofBytes(encodeUpdates(new Map(RECORDED.map(({ afterThree }, i) => [i, afterThree]))))]
const badge = keyOf(RECORDED[0]?.key ?? '')
const RECORD = ofBytes(
  signIssuanceRecord(
    {
      revocationKey: 'key-1',
      credentialType: 'svc-demo.fast.badge',
      issuedAtNs: 1n,
      keyCounter: 0,
      e: RECORDED[0]?.witness.e ?? 3n,
      validUntilNs: 2n ** 60n,
      revokedAtNs: 0n,
    },
    badge.privateKey,
  ),
)
const SIGNED = RECORDED.map(({ initial }) => ofBytes(initial.signed.data))

function eachProfile(
  name: string,
  form: Parser['form'],
  seeds: readonly string[],
  read: (text: string, profile: (typeof PROFILES)['svc']) => unknown,
): Parser[] {
  return Object.values(PROFILES).map(profile => ({
    name: `${name} ${profile.name}`,
    form,
    seeds,
    read: text => read(text, profile),
  }))
}

const json =
  (read: (value: ReturnType<typeof readText>) => unknown) =>
  (text: string): unknown =>
    read(readText(text))

export const ofProtocol: readonly Parser[] = [
  ...eachProfile('session request', 'json', [...requests, ...irmaRequests], parseSessionRequestText),
  ...eachProfile('frontend options', 'json', OPTIONS, parseFrontendOptions),
  ...eachProfile('revocation request', 'json', REVOCATIONS, parseRevocationRequestText),
  { name: 'JSON', form: 'json', seeds: [...requests, ...UPDATE_JSON], read: text => readJson(text) },
  { name: 'request text', form: 'json', seeds: requests, read: readSessionRequestText },
  {
    name: 'disclose',
    form: 'json',
    seeds: ['[[["svc-demo.gov.idcard.over18"]]]', '[[[{"type":"a.b.c.d","value":"x"}],[]]]'],
    read: json(readDisclose),
  },
  {
    name: 'disclosure message',
    form: 'json',
    seeds: submissions,
    read: text => parseDisclosureMessage(text),
  },
  {
    name: 'signed message',
    form: 'json',
    seeds: [...signatures, ...submissions.slice(0, 2)],
    read: text => parseSignedMessage(text),
  },
  {
    name: 'commitment message',
    form: 'json',
    seeds: submissions,
    read: text => parseCommitmentMessage(text),
  },
  {
    name: 'issued credentials',
    form: 'json',
    seeds: answers,
    read: json(value => readIssuedCredentials(Object(value).sigs ?? value, 1)),
  },
  { name: 'proof status', form: 'json', seeds: ['"VALID"', '"INVALID"'], read: json(readProofStatus) },
  { name: 'protocol version', form: 'text', seeds: ['2.8', '"2.4"'], read: parseVersion },
  {
    name: 'version headers',
    form: 'text',
    seeds: ['2.4,2.8'],
    read: text => parseVersionHeaders(...headersOf(text)),
  },
  {
    name: 'return URL',
    form: 'text',
    seeds: ['https://a.example/?b=c#d', 'app://x'],
    read: text => isReturnUrl(text) && withToken(text, 'x'),
  },
  {
    name: 'shown address',
    form: 'text',
    seeds: ['https://a.example/b?c', 'http://[::1]:80/'],
    read: shownAddress,
  },
  {
    name: 'part of a JWT',
    form: 'text',
    seeds: ['eyJhbGciOiJIUzI1NiJ9', 'eyJleHAiOjEuNX0'],
    read: text => readJwsPart(text, 'claims'),
  },
  ...[parseSchemeId, parseIssuerId, parseCredentialTypeId, parseAttributeTypeId, parseAttributeRequestId].map(
    (read): Parser => ({ name: `id ${read.name}`, form: 'text', seeds: IDS, read }),
  ),
  { name: 'Base64 integer', form: 'text', seeds: ['AQ==', toBase64(2n ** 1030n)], read: fromBase64 },
  {
    name: 'bytes',
    form: 'json',
    seeds: ['"AQID"', '"_-8="'],
    read: json(value => [readBytes(value, 'a', 'base64', 99), readBytes(value, 'a', 'base64url', 99)]),
  },
  {
    name: 'big integer',
    form: 'json',
    seeds: ['"AQ=="', '12345678901234567890123'],
    read: json(value => readBigInteger(value, 'a')),
  },
  { name: 'nonce', form: 'json', seeds: ['"AQ=="', '7'], read: json(value => readNonce(value, 'a')) },
  {
    name: 'integer map',
    form: 'json',
    seeds: ['{"1":"AQ==","20":"Ag=="}'],
    read: json(value => readIntegerMap(value, 'a')),
  },
  {
    name: 'timestamp',
    form: 'json',
    seeds: [
      '{"Time":1,"ServerUrl":"http://a/","Sig":{"Alg":"ed25519","Data":"AQ==","PublicKey":"AQ=="},"Hashing":{"Hash":"shake256","Prefix":"AQ=="}}',
    ],
    read: json(value => verifyTimestamp(readTimestamp(value, 'a'), new Uint8Array(32))),
  },
]

export const ofRevocation: readonly Parser[] = [
  {
    name: 'update in CBOR',
    form: 'cbor',
    seeds: UPDATES,
    read: input => verifyUpdate(decodeUpdate(bytesIn(input)), badge.publicKey),
  },
  { name: 'updates in CBOR', form: 'cbor', seeds: ALL_UPDATES, read: input => decodeUpdates(bytesIn(input)) },
  { name: 'events in CBOR', form: 'cbor', seeds: ['\xa3aa'], read: input => decodeEvents(bytesIn(input)) },
  {
    name: 'signed bytes',
    form: 'cbor',
    seeds: [...SIGNED, RECORD],
    read: input => readSigned(bytesIn(input), 'a'),
  },
  {
    name: 'accumulator',
    form: 'cbor',
    seeds: SIGNED,
    read: input => readAccumulator({ data: bytesIn(input), keyCounter: 0 }),
  },
  {
    name: 'issuance record',
    form: 'cbor',
    seeds: [RECORD],
    read: input => openIssuanceRecord(bytesIn(input), badge.publicKey),
  },
  {
    name: 'update in JSON',
    form: 'json',
    seeds: UPDATE_JSON,
    read: json(value => verifyUpdate(readUpdate(value, 'a'), badge.publicKey)),
  },
  {
    name: 'witness in JSON',
    form: 'json',
    seeds: answeredBodies('svc', posted(/\/commitments$/), ['revocation-1024']).flatMap(witnessesIn),
    read: json(value => readWitness(value, 'a')),
  },
  {
    name: 'proof of non-revocation',
    form: 'json',
    seeds: submissions.flatMap(nonRevocationsIn),
    read: json(value => readNonRevocation(value, 'a')),
  },
  { name: 'metadata', form: 'text', seeds: ['3'.repeat(40)], read: text => decodeMetadata(numberOf(text)) },
  {
    name: 'attribute',
    form: 'text',
    seeds: ['123456789'],
    read: text => [decodeAttribute(numberOf(text), 3), decodeRandomBlind(numberOf(text))],
  },
]

/** A number that any submission may hold as an attribute: an integer >= 0. */
function numberOf(text: string): bigint {
  return BigInt(`0x0${Buffer.from(text).toString('hex').slice(0, 200)}`)
}

function headersOf(text: string): [string | undefined, string | undefined] {
  const [min, max] = text.split(',')
  return [min, max]
}

function witnessesIn(body: string): string[] {
  const sigs: unknown[] = Object(JSON.parse(body)).sigs ?? JSON.parse(body)
  return [sigs].flat().flatMap(sig => (Object(sig).nonrev ? [JSON.stringify(Object(sig).nonrev)] : []))
}

function nonRevocationsIn(body: string): string[] {
  const { proofs = [] } = Object(JSON.parse(body))
  return [proofs]
    .flat()
    .flatMap((proof: unknown) =>
      Object(proof).nonrev_proof ? [JSON.stringify(Object(proof).nonrev_proof)] : [],
    )
}
