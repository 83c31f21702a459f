/** Revocation data in CBOR, as the endpoints of a revocation server use it (spec/cryptography#14.1, #14.7). Reading checks only the form. @module */
import { bytesOf } from '../crypto/bytes.ts'
import { writeCbor } from '../crypto/cbor.ts'
import {
  chainEvents,
  checkHash,
  HASH_LENGTH,
  type RevocationEvent,
  type RevocationUpdate,
  type SignedAccumulator,
  WITNESS_BITS,
} from '../crypto/revocation/accumulator.ts'
import { type CborReader, readCbor } from '../crypto/revocation/cbor.ts'
import { RevocationDataError } from '../crypto/revocation/error.ts'
import { MAX_SIGNED } from '../crypto/revocation/signed-bytes.ts'
import type { RemoteErrorObject } from './errors.ts'

const ERROR_KEYS = ['status', 'error', 'description', 'message', 'stacktrace'] as const

export function encodeUpdate(update: RevocationUpdate): Uint8Array {
  return writeCbor(updateObject(update))
}

/** Sorted by key counter, ascending. */
export function encodeUpdates(updates: ReadonlyMap<number, RevocationUpdate>): Uint8Array {
  const ascending = [...updates].sort(([a], [b]) => a - b)
  return writeCbor(new Map(ascending.map(([counter, update]) => [counter, updateObject(update)])))
}

/** @param events consecutive events, at least one */
export function encodeEvents(events: readonly RevocationEvent[]): Uint8Array {
  return writeCbor(eventList(events))
}

function updateObject({ signed, events }: RevocationUpdate) {
  const sacc = { data: signed.data, pk: signed.keyCounter }
  return { sacc, e: events.length === 0 ? undefined : eventList(events) }
}

function eventList(events: readonly RevocationEvent[]) {
  const [first] = events
  if (first === undefined) throw new RangeError('events: expected at least one')
  return { i: first.index, hash: first.parentHash, e: events.map(({ e }) => bytesOf(e)) }
}

/** @throws {RevocationDataError} */
export function decodeUpdate(bytes: Uint8Array): RevocationUpdate {
  return readCbor(bytes, 'update', readUpdate)
}

/** By key counter.
 *  @throws {RevocationDataError} */
export function decodeUpdates(bytes: Uint8Array): ReadonlyMap<number, RevocationUpdate> {
  return readCbor(bytes, 'updates', reader => {
    const updates = new Map<number, RevocationUpdate>()
    for (let size = reader.map(); size > 0; size--) {
      const counter = reader.unsigned()
      if (updates.has(counter))
        throw new RevocationDataError('updates: expected each key counter once, got one twice')
      updates.set(counter, readUpdate(reader))
    }
    return updates
  })
}

/** @throws {RevocationDataError} */
export function decodeEvents(bytes: Uint8Array): RevocationEvent[] {
  return readCbor(bytes, 'events', readEvents)
}

function readUpdate(reader: CborReader): RevocationUpdate {
  const hasEvents = reader.mapOf(1, 2) === 2
  reader.key('sacc')
  const signed = readSignedAccumulator(reader)
  if (!hasEvents) return { signed, events: [] }
  reader.key('e')
  return { signed, events: readEvents(reader) }
}

function readSignedAccumulator(reader: CborReader): SignedAccumulator {
  reader.mapOf(2)
  reader.key('data')
  const data = reader.bytes(MAX_SIGNED)
  reader.key('pk')
  return { data, keyCounter: reader.unsigned() }
}

function readEvents(reader: CborReader): RevocationEvent[] {
  reader.mapOf(3)
  reader.key('i')
  const first = reader.unsigned()
  reader.key('hash')
  const parentHash = checkHash(reader.bytes(HASH_LENGTH), 'events')
  reader.key('e')
  const revoked = Array.from({ length: reader.list() }, () => reader.natural(WITNESS_BITS))
  return chainEvents(first, parentHash, revoked)
}

/** The body of every error response. */
export function encodeRemoteError(error: RemoteErrorObject): Uint8Array {
  return writeCbor(Object.fromEntries(ERROR_KEYS.map(key => [key, error[key]])))
}
