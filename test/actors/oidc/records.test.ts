/** The records of an OpenID provider: sealed, found by hashes, consumed once, and deleted in time. @module */
import * as assert from 'uvu/assert'
import { RecordError } from '../../../accounts/record-error.ts'
import { AlreadyConsumedError, type OidcRecordsStore } from '../../../actors/oidc/records.ts'
import { hashOfId } from '../../../actors/oidc/sealed-payloads.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { suite } from '../../suite.ts'
import { errorOf, keysOf, recordsOn } from './nodes.ts'

const START = 1_780_000_000_000
const CODE = 'AuthorizationCode'

function start() {
  const clock = createSimulatedClock(START)
  const store = createMemoryStore()
  const [a, b] = [recordsOn(store, clock), recordsOn(store, clock)]
  const stored = async (kind: string, id: string) => {
    const row = await store.oidc.find(kind, hashOfId(id))
    assert.ok(row, `expected a record of ${kind}`)
    return row
  }
  return { clock, store, a, b, stored, codes: a.adapterFor(CODE), codesOfB: b.adapterFor(CODE) }
}

const Records = suite('records of an OpenID provider')

Records('a payload is returned as it was stored, on every node', async () => {
  const { codes, codesOfB } = start()
  const payload = { jti: 'code-1', claims: { id_token: { email: null } }, grantId: 'grant-1', exp: 7 }
  await codes.upsert('code-1', payload, 60)
  for (const node of [codes, codesOfB]) assert.equal(await node.find('code-1'), payload)
  assert.is(await codes.find('code-2'), undefined)
  assert.is(await start().a.adapterFor('Session').findByUid('uid'), undefined)
})

Records('the store holds neither ids nor payloads in a readable form', async () => {
  const { a, stored } = start()
  const payload = {
    jti: 'secret-id',
    uid: 'secret-uid',
    grantId: 'secret-grant',
    email: 'secret@mail.example',
  }
  await a.adapterFor('Login').upsert('secret-id', payload, 60)
  const row = await stored('Login', 'secret-id')
  const text = JSON.stringify(row) + Buffer.from(row.sealed, 'base64url').toString('latin1')
  assert.not.match(text, /secret/)
  assert.equal([row.grant, row.uid], [hashOfId('secret-grant'), hashOfId('secret-uid')])
  assert.match(hashOfId('secret-id'), /^[\w-]{43}$/)
})

Records('sealed bytes open only as the record that they were sealed for', async () => {
  const { a, store, codes, stored } = start()
  await codes.upsert('mine', { accountId: 'mine' }, 60)
  await codes.upsert('theirs', { accountId: 'theirs' }, 60)
  const { sealed } = await stored(CODE, 'theirs')
  const mine = await stored(CODE, 'mine')
  const token = { ...mine, kind: 'AccessToken' }
  await store.commit({ oidc: { changes: [{ ...mine, version: 1, row: { ...mine, sealed, version: 2 } }] } })
  await store.commit({ oidc: { changes: [{ ...token, version: 0, row: token }] } })
  assert.instance(await errorOf(codes.find('mine')), RecordError)
  assert.instance(await errorOf(a.adapterFor('AccessToken').find('mine')), RecordError)
  assert.equal(await codes.find('theirs'), { accountId: 'theirs' })
})

Records('a new storage key seals, and the older one still opens', async () => {
  const { store, clock, codes } = start()
  await codes.upsert('old', { by: 1 }, 60)
  const renewed = recordsOn(store, clock, keysOf(2, 1)).adapterFor(CODE)
  assert.equal(await renewed.find('old'), { by: 1 })
  await renewed.upsert('new', { by: 2 }, 60)
  assert.match((await errorOf(codes.find('new'))).message, /expected the storage key with number 2/)
})

Records('a record is not found once it has expired by the time of the store', async () => {
  const { clock, codes, a } = start()
  await codes.upsert('code', { uid: 'u' }, 60)
  await a.adapterFor('Client').upsert('permanent', {}, undefined)
  clock.advance(59_999)
  assert.ok(await codes.find('code'))
  clock.advance(1)
  assert.equal([await codes.find('code'), await codes.findByUid('u')], [undefined, undefined])
  clock.advance(10 ** 12)
  assert.ok(await a.adapterFor('Client').find('permanent'))
})

Records('a code is consumed once, and then shows when', async () => {
  const { codes, codesOfB, clock } = start()
  await codes.upsert('code', { grantId: 'g' }, 60)
  clock.advance(2_000)
  await codes.consume('code')
  const error = await errorOf(codesOfB.consume('code'))
  assert.instance(error, AlreadyConsumedError)
  assert.is(
    error.message,
    'AuthorizationCode: expected a first use, got one that was used before or was revoked: ask for a new one',
  )
  assert.equal(await codesOfB.find('code'), { grantId: 'g', consumed: START / 1_000 + 2 })
})

Records('of 20 uses at once on two nodes, one succeeds', async () => {
  const { codes, codesOfB } = start()
  await codes.upsert('code', {}, 60)
  const uses = Array.from({ length: 20 }, (_, i) => errorOf((i % 2 ? codes : codesOfB).consume('code')))
  const names = (await Promise.all(uses)).map(({ name }) => name).sort()
  assert.equal(names, [...Array.from({ length: 19 }, () => 'AlreadyConsumedError'), 'Error'])
})

Records('a code that is unknown, expired, deleted or revoked is not consumed', async () => {
  const { clock, codes } = start()
  for (const id of ['expired', 'deleted', 'revoked'])
    await codes.upsert(id, { grantId: id }, id === 'expired' ? 1 : 60)
  clock.advance(1_000)
  await codes.destroy('deleted')
  await codes.revokeByGrantId('revoked')
  for (const id of ['unknown', 'expired', 'deleted', 'revoked'])
    assert.instance(await errorOf(codes.consume(id)), AlreadyConsumedError, id)
})

Records('a consumed record that is stored again stays consumed, and keeps its expiry', async () => {
  const { codes, stored } = start()
  await codes.upsert('code', { n: 1 }, 60)
  await codes.consume('code')
  assert.is((await stored(CODE, 'code')).expiresAt, START + 60_000)
  await codes.upsert('code', { n: 2 }, 30)
  assert.equal(await codes.find('code'), { n: 2, consumed: START / 1_000 })
  assert.instance(await errorOf(codes.consume('code')), AlreadyConsumedError)
})

Records(
  'the id of a signed request is stored once on two nodes, and again after it has expired',
  async () => {
    const { a, b, clock } = start()
    const nodes = [a, b].map(node => node.adapterFor('ReplayDetection'))
    const store = () => Promise.all(nodes.map(node => errorOf(node.upsert('jti', { iss: 'client' }, 60))))
    const names = async () => (await store()).map(({ name }) => name).sort()
    assert.equal(await names(), ['AlreadyConsumedError', 'Error'])
    assert.equal(await names(), ['AlreadyConsumedError', 'AlreadyConsumedError'])
    clock.advance(60_000)
    assert.equal(await names(), ['AlreadyConsumedError', 'Error'])
  },
)

Records(
  'the records of a grant are deleted together, but for interactions and the grant itself',
  async () => {
    const { a, b } = start()
    const kinds = [CODE, 'AccessToken', 'RefreshToken', 'Login', 'Interaction']
    for (const kind of kinds) await a.adapterFor(kind).upsert('id', { grantId: 'g' }, 60)
    await a.adapterFor('Grant').upsert('g', { jti: 'g' }, 60)
    await a.adapterFor('AccessToken').upsert('other', { grantId: 'h' }, 60)
    await b.adapterFor('RefreshToken').revokeByGrantId('g')
    const left = await Promise.all(
      kinds.map(async kind => ((await a.adapterFor(kind).find('id')) ? [kind] : [])),
    )
    assert.equal(left.flat(), ['Interaction'])
    assert.ok(await a.adapterFor('Grant').find('g'))
    assert.ok(await a.adapterFor('AccessToken').find('other'))
  },
)

Records('a grant that is deleted takes its tokens with it', async () => {
  const { a, store } = start()
  await a.adapterFor('Grant').upsert('g', { jti: 'g' }, 60)
  await a.adapterFor('AccessToken').upsert('t', { grantId: 'g' }, 60)
  await a.adapterFor('Grant').destroy('g')
  assert.is(await store.oidc.count(), 0)
  await a.adapterFor('Grant').destroy('g')
})

Records('a session is found by its uid, and a device code by its user code', async () => {
  const { a, b } = start()
  await a.adapterFor('Session').upsert('s', { uid: 'u', jti: 's' }, 60)
  await a.adapterFor('DeviceCode').upsert('d', { userCode: 'WDJB', jti: 'd' }, 60)
  assert.equal(await b.adapterFor('Session').findByUid('u'), { uid: 'u', jti: 's' })
  assert.equal(await b.adapterFor('DeviceCode').findByUserCode('WDJB'), { userCode: 'WDJB', jti: 'd' })
  await b.adapterFor('Session').destroy('s')
  assert.is(await a.adapterFor('Session').findByUid('u'), undefined)
})

/** Another node commits before each of the first `times` commits. */
function overtaken(store: OidcRecordsStore, times: number, other: () => Promise<void>): OidcRecordsStore {
  let left = times
  return {
    oidc: store.oidc,
    async commit(commit) {
      if (left-- > 0) await other()
      return store.commit(commit)
    },
  }
}

Records('a change that another node overtakes is made on the newer record', async () => {
  const { store, clock, codes } = start()
  let n = 0
  const other = () => codes.upsert('code', { n: ++n }, 60)
  await other()
  await recordsOn(overtaken(store, 3, other), clock)
    .adapterFor(CODE)
    .consume('code')
  assert.equal(await codes.find('code'), { n: 4, consumed: START / 1_000 })
  const always = recordsOn(overtaken(store, 1_000, other), clock).adapterFor(CODE)
  assert.match((await errorOf(always.destroy('code'))).message, /expected a commit after 20 attempts/)
})

Records('a code that another node deletes or consumes meanwhile is not consumed again', async () => {
  for (const use of ['destroy', 'consume'] as const) {
    const { store, clock, codes } = start()
    await codes.upsert('code', {}, 60)
    const late = recordsOn(
      overtaken(store, 1, () => codes[use]('code')),
      clock,
    ).adapterFor(CODE)
    assert.instance(await errorOf(late.consume('code')), AlreadyConsumedError, use)
  }
})

Records('more expired records than one statement deletes are all deleted', async () => {
  const { a, store, clock, codes } = start()
  for (let i = 0; i < 2_500; i++) await codes.upsert(`${i}`, {}, 60)
  await codes.upsert('later', {}, 61)
  clock.advance(60_000)
  await a.dropExpired()
  assert.is(await store.oidc.count(), 1)
})

Records.run()
