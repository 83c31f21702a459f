/** The endpoints of revocation (spec/cryptography#14.7) and POST /revocation (spec/session-server#17), over HTTP. @module */
import { decode } from 'cborg'
import * as assert from 'uvu/assert'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { verifyUpdate } from '../../crypto/revocation/accumulator.ts'
import { signIssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import { updateWitness } from '../../crypto/revocation/witness.ts'
import { issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import { decodeEvents, decodeUpdate, decodeUpdates } from '../../protocol/revocation-cbor.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { BADGE, credential, NOW_SEC, there } from '../actors/authority.ts'
import { issuanceRecord } from '../stores/revocation-suite.ts'
import { withChanges, withRevocation } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { type Reply, type RevocationServer, schemes, startRevocationServer } from './revocation-server.ts'

const BASE = `/svc/revocation/${BADGE}`
const OCTETS = 'application/octet-stream'
const PERMIT = parseCredentialTypeId('svc-demo.gov.permit')
const REQUEST = {
  '@context': 'https://svc.example/ld/request/revocation/v1',
  type: BADGE,
  revocationKey: 'k',
}
const EVERYBODY = { permissions: { revokePerms: ['*'] } }

const arithmetic = chooseArithmetic('auto')
const key = there(schemes.publicKey(issuerOf(BADGE), 0))

function revoke(server: RevocationServer, changes: object = {}, headers = {}): Promise<Reply> {
  const json = { 'Content-Type': 'application/json' }
  return server.post('/revocation', JSON.stringify({ ...REQUEST, ...changes }), { ...json, ...headers })
}

/** Status, type and message of an error in JSON. */
function errorOf({ status, bytes }: Reply): unknown[] {
  const { error, message } = JSON.parse(Buffer.from(bytes).toString())
  return [status, error, message]
}

function cborError({ status, type, bytes }: Reply): unknown[] {
  const { error, message } = decode(bytes)
  assert.is(type, OCTETS)
  return [status, error, message]
}

const Endpoints = suite('endpoints of revocation')
const server = await startRevocationServer({ options: EVERYBODY })
Endpoints.after(() => server.close())

Endpoints('updates are CBOR by key counter, and may be cached until they are signed again', async () => {
  for (const revocationKey of ['a', 'b', 'k']) await server.revocation.issue(credential(revocationKey))
  for (const revocationKey of ['a', 'b']) assert.is((await revoke(server, { revocationKey })).status, 200)
  const { status, type, cache, bytes } = await server.get(`${BASE}/update/1`)
  assert.equal([status, type, cache], [200, OCTETS, 'max-age=60'])
  const one = there(decodeUpdates(bytes).get(0))
  assert.is(verifyUpdate(one, key).index, 2)
  assert.is(one.events.length, 1)
  const all = there(decodeUpdates((await server.get(`${BASE}/update/0`)).bytes).get(0))
  assert.is(verifyUpdate(all, key).index, 2)
  assert.is(all.events.length, 3)
  const ofKey = await server.get(`${BASE}/update/16/0`)
  assert.is(decodeUpdate(ofKey.bytes).events.length, 3)
  const none = await server.get(`${BASE}/update/16/7`)
  assert.equal([none.status, none.type, none.cache, [...none.bytes]], [200, OCTETS, 'max-age=0', [0xf6]])
})

Endpoints('an update may be cached for at most a minute, also if the clock was set back', async () => {
  server.clock.setWall(-10_000)
  assert.is((await server.get(`${BASE}/update/1`)).cache, 'max-age=60')
  server.clock.setWall(40_000)
  assert.is((await server.get(`${BASE}/update/1`)).cache, 'max-age=30')
  server.clock.setWall(-30_000)
})

Endpoints('events are served in intervals that begin and end at multiples of 16', async () => {
  const { status, type, cache, bytes } = await server.get(`${BASE}/events/0/0/16`)
  assert.equal([status, type, cache], [200, OCTETS, 'max-age=3600'])
  assert.equal(
    decodeEvents(bytes).map(({ index }) => index),
    [0, 1, 2],
  )
  const illegal = [500, 'REVOCATION', 'illegal update interval']
  for (const interval of ['0/15', '16/0', '0/0', '8/16'])
    assert.equal(cborError(await server.get(`${BASE}/events/0/${interval}`)), illegal)
  const [status2, error] = cborError(await server.get(`${BASE}/events/7/0/16`))
  assert.equal([status2, error], [500, 'REVOCATION'])
})

Endpoints('errors are CBOR too: another path, another method, a type that is not served', async () => {
  const notFound = [404, 'INVALID_REQUEST', undefined]
  for (const path of [
    'update/x',
    'update/-1',
    'update/1e3',
    'update/9007199254740992',
    'events/0/0',
    'other',
  ])
    assert.equal(cborError(await server.get(`${BASE}/${path}`)), notFound)
  assert.equal(cborError(await server.post(`${BASE}/update/1`, '')), [
    405,
    'INVALID_REQUEST',
    'method: expected GET, HEAD, got another',
  ])
  const notServed = [400, 'INVALID_REQUEST', 'not supported by this server']
  for (const type of [PERMIT, 'svc-demo.gov.idcard', 'svc-demo.no.type', 'x', 'looksJustLikeATokenX'])
    for (const path of ['update/16', 'update/16/0', 'updateevents', 'events/0/0/16'])
      assert.equal(cborError(await server.get(`/svc/revocation/${type}/${path}`)), notServed)
  assert.equal(cborError(await server.post(`/svc/revocation/${PERMIT}/issuancerecord/0`, 'x')), notServed)
})

Endpoints('an issuance record is accepted with 200 and an empty body; a wrong signature is 403', async () => {
  const record = issuanceRecord({
    revocationKey: 'posted',
    validUntilNs: BigInt(NOW_SEC + 9) * 1_000_000_000n,
  })
  const signedBy = (type = BADGE) => signIssuanceRecord(record, there(schemes.privateKey(issuerOf(type), 0)))
  const path = `${BASE}/issuancerecord/0`
  const { status, bytes } = await server.post(path, signedBy())
  assert.equal([status, bytes.length], [200, 0])
  assert.equal(cborError(await server.post(path, signedBy(PERMIT))).slice(0, 2), [403, 'UNAUTHORIZED'])
  assert.equal(cborError(await server.post(path, 'no CBOR')).slice(0, 2), [400, 'INVALID_REQUEST'])
  assert.is((await revoke(server, { revocationKey: 'posted' })).status, 200)
})

Endpoints('a record that is compressed is refused before it is read, in CBOR', async () => {
  const answer = await server.post(`${BASE}/issuancerecord/0`, 'x', { 'Content-Encoding': 'gzip' })
  assert.equal(cborError(answer).slice(0, 2), [415, 'INVALID_REQUEST'])
})

Endpoints('a call without an answer within 4 s gets 503, in CBOR (spec/decisions#time)', async () => {
  const memory = createMemoryStore()
  let isStuck = false
  let begin = (): void => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const stuck = <Result>(result: Promise<Result>): Promise<Result> => {
    if (!isStuck) return result
    begin()
    return new Promise(() => {})
  }
  const revocation = withRevocation(memory, { loadAll: type => stuck(memory.revocation.loadAll(type)) })
  const store = withChanges(memory, { revocation })
  const own = await startRevocationServer({ store })
  isStuck = true
  const answer = own.get(`${BASE}/update/1`)
  await begun
  own.clock.advance(4_000)
  assert.equal(cborError(await answer).slice(0, 2), [503, 'INTERNAL_ERROR'])
  await own.close()
})

Endpoints('new accumulators are sent on an event stream, in JSON', async () => {
  const abort = new AbortController()
  const stream = await fetch(`${server.url}/revocation/${BADGE}/updateevents`, { signal: abort.signal })
  assert.is(stream.headers.get('content-type'), 'text/event-stream')
  const chunks = there(stream.body).values()
  const next = async () => Buffer.from((await chunks.next()).value ?? []).toString()
  assert.is(await next(), 'event: open\n\n')
  server.clock.advance(60_000)
  let frame = await next()
  while (/^(:\n)+$/.test(frame)) frame = await next() // comment lines, at 15 s, 30 s and 45 s
  assert.match(frame.replace(/^(:\n)+/, ''), /^data: \{"sacc":\{"data":"[A-Za-z0-9+/=]+","pk":0\}\}\n\n$/)
  abort.abort()
})

Endpoints.run()

const Revoking = suite('POST /revocation (spec/session-server#17)')

Revoking('answers OK in plain text; a repeated revocation, and an unknown key, are 404', async () => {
  const own = await startRevocationServer({ options: EVERYBODY })
  const witness = await own.revocation.issue(credential('k'))
  const { status, type, bytes } = await revoke(own)
  assert.equal([status, type, Buffer.from(bytes).toString()], [200, 'text/plain', 'OK'])
  const update = there((await own.revocation.updates(BADGE, 0)).get(0))
  assert.is(updateWitness(arithmetic, witness, update, key), 'revoked')
  const unknown = [404, 'UNKNOWN_REVOCATION_KEY', undefined]
  assert.equal(errorOf(await revoke(own)), unknown)
  assert.equal(errorOf(await revoke(own, { revocationKey: 'none' })), unknown)
  await own.close()
})

Revoking('issued is a time in nanoseconds, with more digits than a JavaScript number has', async () => {
  const own = await startRevocationServer({ options: EVERYBODY })
  await own.revocation.issue(credential('k'))
  const body = (issued: string) => JSON.stringify(REQUEST).replace(/}$/, `,"issued":${issued}}`)
  const headers = { 'Content-Type': 'application/json' }
  const other = await own.post('/revocation', body(`${NOW_SEC}000000001`), headers)
  assert.is(other.status, 404)
  for (const wrong of ['-1', '1.5', '"1"'])
    assert.equal(errorOf(await own.post('/revocation', body(wrong), headers)).slice(0, 2), [
      400,
      'INVALID_REQUEST',
    ])
  assert.is((await own.post('/revocation', body(`${NOW_SEC}000000000`), headers)).status, 200)
  await own.close()
})

Revoking('two concurrent revocations are both stored', async () => {
  const own = await startRevocationServer({ options: EVERYBODY })
  const keys = ['a', 'b', 'c']
  for (const each of keys) await own.revocation.issue(credential(each))
  const answers = await Promise.all(keys.map(revocationKey => revoke(own, { revocationKey })))
  assert.equal(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.is(verifyUpdate(there((await own.revocation.updates(BADGE, 0)).get(0)), key).index, 3)
  await own.close()
})

Revoking('a body that is no revocation request is 400', async () => {
  const own = await startRevocationServer({ options: EVERYBODY })
  const invalid = [400, 'INVALID_REQUEST']
  assert.equal(errorOf(await revoke(own, { '@context': 'x' })), [...invalid, 'not a revocation request'])
  assert.equal(errorOf(await revoke(own, { type: 'x' })).slice(0, 2), invalid)
  const json = { 'Content-Type': 'application/json' }
  assert.equal(errorOf(await own.post('/revocation', '', json)).slice(0, 2), invalid)
  assert.equal(errorOf(await own.post('/revocation', '[]', json)).slice(0, 2), invalid)
  assert.equal(errorOf(await own.get('/revocation')), [
    405,
    'INVALID_REQUEST',
    'method: expected POST, got another',
  ])
  await own.close()
})

Revoking('errors for a requestor without permission, another type, and without an authority', async () => {
  const perms = { disclosePerms: [], signPerms: [], issuePerms: [], hostPerms: [] }
  const requestor = (name: string, revokePerms: readonly string[]) =>
    ({ ...perms, name, revokePerms, auth: { method: 'token', token: `token of ${name}` } }) as const
  const requestors = [requestor('badges', [BADGE]), requestor('none', []), requestor('all', ['*'])]
  const own = await startRevocationServer({ options: { noAuth: false, requestors } })
  const ask = async (name: string, type: string) =>
    errorOf(await revoke(own, { type }, { Authorization: `token of ${name}` }))
  assert.equal(await ask('none', BADGE), [
    403,
    'UNAUTHORIZED',
    `expected revoke_perms of the requestor or of the server for ${BADGE}, got none`,
  ])
  assert.equal(await ask('badges', PERMIT), [
    403,
    'UNAUTHORIZED',
    `expected a credential type that revoke_perms allow, got ${PERMIT}`,
  ])
  assert.equal((await ask('all', 'svc-demo.none.such')).slice(0, 2), [403, 'UNAUTHORIZED'])
  assert.equal(await ask('all', PERMIT), [500, 'REVOCATION', `cannot revoke ${PERMIT}`])
  assert.equal((await ask('badges', BADGE)).slice(0, 2), [404, 'UNKNOWN_REVOCATION_KEY'])
  assert.equal((await ask('nobody', BADGE)).slice(0, 2), [403, 'UNAUTHORIZED'])
  await own.close()
})

Revoking.run()
