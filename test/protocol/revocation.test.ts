import { decode } from 'cborg'
import * as assert from 'uvu/assert'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { MAX_ELEMENTS } from '../../crypto/revocation/cbor.ts'
import { RevocationDataError } from '../../crypto/revocation/error.ts'
import { InvalidRequestError, remoteErrorObject } from '../../protocol/errors.ts'
import { type JsonValue, writeJson } from '../../protocol/json.ts'
import {
  decodeEvents,
  decodeUpdate,
  decodeUpdates,
  encodeEvents,
  encodeRemoteError,
  encodeUpdate,
  encodeUpdates,
} from '../../protocol/revocation-cbor.ts'
import {
  readNonRevocation,
  readUpdate,
  readWitness,
  writeNonRevocation,
  writeUpdate,
  writeWitness,
} from '../../protocol/revocation-json.ts'
import { ShapeError } from '../../protocol/shape.ts'
import { RECORDED } from '../crypto/recorded-revocation.ts'
import { readVector } from '../project.ts'
import { suite } from '../suite.ts'

type Note = {
  readonly revocation: Readonly<
    Record<'updateCBOR' | 'initialUpdateCBOR' | 'updateMapCBOR' | 'eventListCBOR', string>
  > & { readonly update: JsonValue; readonly initialUpdate: JsonValue; readonly witness: JsonValue }
  readonly disclosure: { readonly nonrevocation: { readonly proofs: readonly { nonrev_proof: JsonValue }[] } }
}
const note = readVector('cryptography-vectors.json') as Note // the tests own the file
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'))
const asRead = (written: object): unknown => JSON.parse(writeJson(written))

const Json = suite('revocation data in JSON (spec/cryptography#14.1, #14.5)')

Json('updates, witnesses and proofs are written as they were read', () => {
  for (const { initialJson, afterThreeJson } of RECORDED)
    for (const json of [initialJson, afterThreeJson])
      assert.is(writeJson(writeUpdate(readUpdate(json, 'update'))), sorted(json))
  const [proof] = note.disclosure.nonrevocation.proofs
  if (proof === undefined) throw new Error('expected a proof')
  const { nonrev_proof } = proof
  assert.equal(asRead(writeNonRevocation(readNonRevocation(nonrev_proof, 'proof'))), nonrev_proof)
  assert.equal(asRead(writeWitness(readWitness(note.revocation.witness, 'nonrev'))), note.revocation.witness)
})

/** The recorded files sort their members; the wire does not. */
function sorted(json: JsonValue): string {
  const { sacc, e } = json as Record<string, Record<string, JsonValue>> // the tests own the file
  return JSON.stringify({
    sacc: { data: sacc?.data, pk: sacc?.pk },
    e: { i: e?.i, hash: e?.hash, e: e?.e },
  })
}

Json('an update without events is written without `e`, and null counts as no events', () => {
  const { signed } = readUpdate(note.revocation.update, 'update')
  assert.equal(Object.keys(asRead(writeUpdate({ signed, events: [] })) as object), ['sacc'])
  const sacc = (note.revocation.update as { sacc: JsonValue }).sacc
  assert.equal(readUpdate({ sacc }, 'update'), { signed, events: [] })
  assert.equal(readUpdate({ sacc, e: null }, 'update'), { signed, events: [] })
})
Json('the error for a missing or malformed member contains its name, and no value', () => {
  const update = note.revocation.update as { sacc: { data: string; pk: number }; e: object }
  const { sacc, e } = update
  for (const [json, message] of [
    [null, /^update: expected an object, got null$/],
    [{ e }, /^update\.sacc: expected an object, got nothing$/],
    [
      { sacc: { ...sacc, pk: -1 } },
      /^update\.sacc\.pk: expected an integer from 0 to \d+, got another integer$/,
    ],
    [{ sacc: { ...sacc, pk: '0' } }, /^update\.sacc\.pk: expected an integer/],
    [{ sacc: { ...sacc, data: `${sacc.data}=` } }, /^update\.sacc\.data: expected base64 with padding$/],
    [{ sacc: { ...sacc, data: 'SECRET-_' } }, /^update\.sacc\.data: expected base64 with padding$/],
    [{ sacc: { ...sacc, data: 'A'.repeat(12_000) } }, /^update\.sacc\.data: expected at most \d+ characters/],
    [{ sacc, e: [] }, /^update\.e: expected an object, got a list$/],
    [{ sacc, e: { ...e, hash: '' } }, /^update\.e\.hash: expected a hash of 34 bytes/],
    [{ sacc, e: { ...e, hash: 'EiA+' } }, /^update\.e\.hash: expected base64url with padding$/],
    [{ sacc, e: { ...e, i: 0.5 } }, /^update\.e\.i: expected an integer/],
    [{ sacc, e: { ...e, e: ['!'] } }, /^update\.e\.e\[0\]: expected standard Base64/],
  ] as const)
    refused(() => readUpdate(json as JsonValue, 'update'), message, ShapeError)
})
Json('the number of events is limited, because other calls wait while they are hashed', () => {
  const { sacc, e } = note.revocation.update as { sacc: JsonValue; e: object }
  const json = { sacc, e: { ...e, e: new Array(MAX_ELEMENTS + 1).fill('') } }
  refused(() => readUpdate(json, 'update'), /^update\.e\.e: expected at most \d+ elements/, ShapeError)
})
Json('a proof needs all four responses; the response of alpha, which older apps send, is ignored', () => {
  const [{ nonrev_proof }] = note.disclosure.nonrevocation.proofs as readonly [
    { nonrev_proof: { responses: Record<string, string> } },
  ]
  const { responses } = nonrev_proof
  const read = (json: JsonValue) => readNonRevocation(json, 'proof')
  assert.equal(read({ ...nonrev_proof, responses: { ...responses, alpha: 'AQ==' } }), read(nonrev_proof))
  for (const name of Object.keys(responses)) {
    const { [name]: left, ...others } = responses
    assert.ok(left)
    const message = new RegExp(
      `^proof\\.responses\\.${name}: expected Base64 or a non-negative integer, got nothing$`,
    )
    refused(() => read({ ...nonrev_proof, responses: others }), message, ShapeError)
  }
  for (const name of ['C_r', 'C_u', 'responses', 'sacc'])
    refused(() => read({ ...nonrev_proof, [name]: null }), new RegExp(`^proof\\.${name}`), ShapeError)
})
Json.run()

const Cbor = suite('revocation data in CBOR (spec/cryptography#14.1, #14.7)')

Cbor('an update, updates by key counter, and events are read and written as recorded', () => {
  for (const { initial, initialCbor, afterThree, afterThreeCbor } of RECORDED)
    for (const [update, bytes] of [
      [initial, initialCbor],
      [afterThree, afterThreeCbor],
    ] as const) {
      assert.equal(decodeUpdate(bytes), update)
      assert.is(hexOf(encodeUpdate(update)), hexOf(bytes))
    }
  const { update, updateMapCBOR, updateCBOR, eventListCBOR } = note.revocation
  const expected = readUpdate(update, 'update')
  assert.equal(decodeUpdate(bytesOf(updateCBOR)), expected)
  assert.equal(decodeUpdates(bytesOf(updateMapCBOR)), new Map([[0, expected]]))
  assert.is(hexOf(encodeUpdates(new Map([[0, expected]]))), updateMapCBOR)
  assert.equal(decodeEvents(bytesOf(eventListCBOR)), expected.events)
  assert.is(hexOf(encodeEvents(expected.events)), eventListCBOR)
})
Cbor('an update without events is written without `e`, and key counters are in ascending order', () => {
  const { signed }: RevocationUpdate = readUpdate(note.revocation.update, 'update')
  const update = { signed, events: [] }
  assert.is(hexOf(encodeUpdate(update)).slice(0, 12), 'a16473616363')
  assert.equal(decodeUpdate(encodeUpdate(update)), update)
  const updates = new Map([300, 2, 24].map(counter => [counter, update]))
  assert.equal([...decodeUpdates(encodeUpdates(updates)).keys()], [2, 24, 300])
  assert.throws(() => encodeEvents([]), /expected at least one/)
})
Cbor('a repeated key counter, another order or number of members, or further bytes are refused', () => {
  const { updateMapCBOR: map, updateCBOR: update, eventListCBOR: events } = note.revocation
  const twice = `a2${map.slice(2)}${map.slice(2)}`
  refused(() => decodeUpdates(bytesOf(twice)), /each key counter once, got one twice/, RevocationDataError)
  refused(() => decodeUpdates(bytesOf(`bf${map.slice(2)}ff`)), /shortest form/, RevocationDataError)
  refused(() => decodeUpdates(bytesOf('bb7fffffffffffffff')), /^updates: expected/, RevocationDataError)
  refused(
    () => decodeUpdates(bytesOf('ba7fffffff')),
    /as many elements as its count says, got fewer/,
    RevocationDataError,
  )
  for (const hex of [`${update}00`, `a3${update.slice(2)}`, `a1${update.slice(2)}`, update.slice(0, -2), ''])
    refused(() => decodeUpdate(bytesOf(hex)), /^update: expected/, RevocationDataError)
  for (const hex of [
    `${events}00`,
    events.replace('6169', '616a'),
    events.replace('616584', '616585'),
    events.replace('616584', '61659bffffffffffffffff'),
    events.replace('5822', '5821'),
    '81'.repeat(9_000),
  ])
    refused(() => decodeEvents(bytesOf(hex)), /^events: expected/, RevocationDataError)
})
Cbor('the number of events of all key counters together is limited', () => {
  const { signed, events } = readUpdate(note.revocation.update, 'update')
  const [first] = events
  if (first === undefined) throw new Error('expected an event')
  const updatesOf = (count: number) => {
    const update = { signed, events: new Array(count / 2).fill(first) }
    return encodeUpdates(new Map([0, 1].map(counter => [counter, update])))
  }
  assert.is(decodeUpdates(updatesOf(MAX_ELEMENTS)).size, 2)
  const tooMany = updatesOf(MAX_ELEMENTS + 2)
  refused(
    () => decodeUpdates(tooMany),
    /^updates: expected at most \d+ elements of lists/,
    RevocationDataError,
  )
})
Cbor('a remote error has the same members as in JSON, in the order of the wire', () => {
  const { status, error, description, message } = remoteErrorObject(new InvalidRequestError('not supported'))
  const bytes = encodeRemoteError({ message: message ?? '', description: description ?? '', error, status })
  assert.equal([...decode(bytes, { useMaps: true })], Object.entries({ status, error, description, message }))
  assert.is(hexOf(encodeRemoteError({ status: 400, error: 'X' })), 'a266737461747573190190656572726f726158')
})
Cbor.run()

function refused(call: () => unknown, message: RegExp, Kind: new (message: string) => Error): void {
  try {
    call()
  } catch (error) {
    if (!(error instanceof Kind)) throw error
    assert.match(error.message, message)
    return
  }
  assert.unreachable('expected an error')
}
