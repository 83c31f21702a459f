/** A revocation authority of one demo type in memory. It issues witnesses, revokes them, and answers over HTTP like revocation servers (spec/cryptography#14.2, #14.3,
 *  #14.7). @module */
import { generatePrimeSync, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RevocationEvent, RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { firstUpdate, resign, revoke } from '../../crypto/revocation/authority.ts'
import { issueWitness, type Witness } from '../../crypto/revocation/witness.ts'
import { issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import { encodeEvents, encodeUpdate } from '../../protocol/revocation-cbor.ts'
import { arithmetic } from './demo-wallets.ts'
import { NOW_SEC, schemes } from './support.ts'

export type Authority = {
  readonly type: string
  /** with the last `count` events */
  update(count: number): RevocationUpdate
  events(min: number, max: number): readonly RevocationEvent[]
  issue(): Witness
  /** @param e omitted: only the others are revoked
   *  @param others number of random credentials that are revoked before it */
  revoke(e?: bigint, others?: number): void
  /** Signs the accumulator again, that many seconds after the start. */
  resign(afterSec: number): void
  /** Answers like a revocation server; an invalid request gets 400. */
  answer(request: IncomingMessage, response: ServerResponse): void
}

const bytes = (count: number): Uint8Array => randomBytes(count)
const other = (): bigint => generatePrimeSync(195, { bigint: true })

/** Time advances by one second with each revocation. */
export function createAuthority(type: string, afterSec = 0): Authority {
  const issuer = issuerOf(parseCredentialTypeId(type))
  const [key, privateKey] = [schemes.publicKey(issuer, 0), schemes.privateKey(issuer, 0)]
  if (!key || !privateKey) throw new Error(`${type}: expected keys of its issuer`)
  const keys = { key, privateKey }
  let { signed, events } = firstUpdate({ ...keys, nowSec: NOW_SEC + afterSec }, bytes)
  const authority: Authority = {
    type,
    update: count => ({ signed, events: count === 0 ? [] : events.slice(-count) }),
    events: (min, max) => events.slice(min, max),
    issue: () => issueWitness(arithmetic, { ...keys, signed }, bytes),
    revoke(e, others = 0) {
      const revoked = [...Array.from({ length: others }, other), ...(e === undefined ? [] : [e])]
      const lastEvent = events.at(-1)
      if (!lastEvent) throw new Error('expected an event')
      const nowSec = NOW_SEC + events.length
      const update = revoke(arithmetic, { ...keys, signed, lastEvent, e: revoked, nowSec }, bytes)
      signed = update.signed
      events = [...events, ...update.events]
    },
    resign(seconds) {
      signed = resign(signed, { ...keys, nowSec: NOW_SEC + seconds })
    },
    answer(request, response) {
      const body = bodyOf(authority, request.url ?? '')
      response.writeHead(body ? 200 : 400, { 'Content-Type': 'application/octet-stream' })
      response.end(body)
    },
  }
  return authority
}

function bodyOf({ type, update, events }: Authority, path: string): Uint8Array | undefined {
  const [what, a = '', b = '', c = ''] = path.split(`/revocation/${type}/`)[1]?.split('/') ?? []
  if (what === 'update') return encodeUpdate(update(Number(a)))
  if (what === 'events' && b !== '') return encodeEvents(events(Number(b), Number(c)))
  return undefined
}
