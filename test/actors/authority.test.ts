/** The authority of a credential type (cryptography 14.2, 14.3, 14.8): nothing that it revoked is ever forgotten, by anybody. @module */
import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { createRevocation, type RevocationDeps } from '../../actors/revocation/create-revocation.ts'
import type { Revocation } from '../../actors/revocation/revocation.ts'
import { createProofPool } from '../../actors/workers/proof-pool.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import { type RevocationUpdate, verifyUpdate } from '../../crypto/revocation/accumulator.ts'
import { firstUpdate } from '../../crypto/revocation/authority.ts'
import { signIssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import { isWitnessRight, updateWitness } from '../../crypto/revocation/witness.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import {
  InvalidRequest,
  IssuanceFailed,
  RevocationError,
  Unauthorized,
  UnknownRevocationKey,
} from '../../protocol/errors.ts'
import { issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { Schemes } from '../../schemes/types.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { RevocationStore } from '../../stores/revocation-store.ts'
import type { Store } from '../../stores/store.ts'
import { StoreFailure } from '../../stores/store-failure.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { issuanceRecord } from '../stores/revocation-suite.ts'
import { withChanges, withRevocation } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { AUTHORITY, BADGE, credential, NOW_SEC, there } from './authority.ts'
import { settle } from './node.ts'

const PERMIT = parseCredentialTypeId('svc-demo.gov.permit')
const ID_CARD = parseCredentialTypeId('svc-demo.gov.idcard')
const arithmetic = chooseArithmetic('auto')
const schemes = await loadSchemes(DEMO_SCHEMES)
const pool = createProofPool({ arithmetic: 'auto', threads: 1 })
const nothing = async (): Promise<never> => {
  throw new Error('an authority asks nobody')
}

async function start(store: Store = createMemoryStore(), changes: Partial<RevocationDeps> = {}) {
  const clock = createSimulatedClock(NOW_SEC * 1_000)
  const reports: unknown[] = []
  const revocation = await createRevocation({
    ...{ store, schemes, clock, pool },
    random: { bytes: randomBytes },
    outgoing: { getBytes: nothing, postBytes: nothing },
    listenTo: async function* () {},
    settings: new Map([[BADGE, AUTHORITY]]),
    report: (_, error) => reports.push(error),
    worked: () => {},
    ...changes,
  })
  return { revocation, clock, store, reports }
}

function keyOf(type = BADGE): IssuerPublicKey {
  return there(schemes.publicKey(issuerOf(type), 0))
}

async function latest(revocation: Revocation): Promise<RevocationUpdate> {
  return there((await revocation.updates(BADGE, 0)).get(0))
}

async function refused(kind: new () => Error, message: RegExp, work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.instance(error, kind)
  assert.match(error instanceof Error ? error.message : '', message)
}

const Authority = suite('the authority of a credential type')
Authority.after(() => pool.close())

Authority('an accumulator is there from the start, and is the same after the next start', async () => {
  const { revocation, store } = await start()
  const first = await latest(revocation)
  assert.equal(verifyUpdate(first, keyOf()).index, 0)
  assert.equal(
    first.events.map(({ e }) => e),
    [1n],
  )
  await revocation.close()
  const again = await latest((await start(store)).revocation)
  assert.is(verifyUpdate(again, keyOf()).nu, verifyUpdate(first, keyOf()).nu)
})

Authority('a store whose accumulators are of other keys is refused in words', async () => {
  const store = createMemoryStore()
  const privateKey = there(schemes.privateKey(issuerOf(PERMIT), 0))
  const { signed, events } = firstUpdate({ key: keyOf(PERMIT), privateKey, nowSec: NOW_SEC }, randomBytes)
  const row = { type: BADGE, keyCounter: 0, version: 1, signed, index: 0 }
  await store.commit({ accumulators: [{ row, events }] })
  await refused(Error, /^store: expected the accumulators of svc-demo.fast.badge to be of/, start(store))
})

Authority('a store that fails at the start is not said to be of other keys', async () => {
  const lost = new StoreFailure('store: lost')
  const started = start(withChanges(createMemoryStore(), { commit: () => Promise.reject(lost) }))
  await refused(StoreFailure, /^store: lost$/, started)
})

Authority('what is of a key whose private half is not here stays as it is, and is not revoked', async () => {
  const before = await start()
  await before.revocation.issue(credential('k'))
  await before.revocation.close()
  const withoutKey = { schemes: { ...schemes, privateKey: () => undefined } }
  const { revocation, clock, reports } = await start(before.store, withoutKey)
  clock.advance(60_000)
  await settle()
  assert.is(verifyUpdate(await latest(revocation), keyOf()).atSec, NOW_SEC)
  const reason = /^cannot revoke svc-demo.fast.badge: expected both keys with counter 0$/
  await refused(RevocationError, reason, revocation.revoke(BADGE, 'k', null))
  const noKeys = /expected keys that support it with counter 0, got none$/
  await refused(IssuanceFailed, noKeys, revocation.issue(credential('k')))
  const withoutPublic = { schemes: { ...schemes, publicKey: () => undefined } }
  const other = await start(before.store, withoutPublic)
  await refused(IssuanceFailed, noKeys, other.revocation.issue(credential('k')))
  const fresh = await start(createMemoryStore(), withoutKey)
  const validUntilNs = BigInt(NOW_SEC + 9) * 1_000_000_000n
  const record = issuanceRecord({ revocationKey: 'k', validUntilNs })
  assert.ok(await fresh.store.revocation.addRecord(record))
  await refused(RevocationError, reason, fresh.revocation.revoke(BADGE, 'k', null))
  assert.equal(reports, [])
})

Authority(
  'nothing is issued under a key that came after the start before it has an accumulator',
  async () => {
    let hasKey = false
    const privateKey: Schemes['privateKey'] = (...name) => (hasKey ? schemes.privateKey(...name) : undefined)
    const { revocation, clock } = await start(createMemoryStore(), { schemes: { ...schemes, privateKey } })
    hasKey = true
    const reason = /expected an accumulator with counter 0, got none$/
    await refused(IssuanceFailed, reason, revocation.issue(credential('k')))
    clock.advance(60_000)
    await settle()
    await revocation.issue(credential('k'))
  },
)

Authority('nothing is revoked from an accumulator whose last event the store does not have', async () => {
  const privateKey = there(schemes.privateKey(issuerOf(BADGE), 0))
  const { signed } = firstUpdate({ key: keyOf(), privateKey, nowSec: NOW_SEC }, randomBytes)
  const store = createMemoryStore()
  await store.commit({
    accumulators: [{ row: { type: BADGE, keyCounter: 0, version: 1, signed, index: 0 } }],
  })
  const { revocation } = await start(store)
  await revocation.issue(credential('k'))
  await refused(RevocationError, /^cannot revoke/, revocation.revoke(BADGE, 'k', null))
})

Authority('a witness is right, has a prime of its own, and its record is stored', async () => {
  const { revocation, store } = await start()
  const issued = await Promise.all(['a', 'a', 'b'].map(key => revocation.issue(credential(key))))
  assert.ok(issued.every(witness => isWitnessRight(arithmetic, witness, keyOf())))
  assert.is(new Set(issued.map(({ e }) => e)).size, 3)
  const [first] = issued
  assert.equal(await store.revocation.findRecord(BADGE, 0, first?.e ?? 0n), {
    revocationKey: 'a',
    credentialType: BADGE,
    issuedAtNs: BigInt(NOW_SEC) * 1_000_000_000n,
    keyCounter: 0,
    e: first?.e,
    validUntilNs: BigInt(NOW_SEC + 1_000) * 1_000_000_000n,
    revokedAtNs: 0n,
  })
})

Authority('what is revoked stays revoked for whoever updates, everything else stays valid', async () => {
  const { revocation } = await start()
  const [a, b, c] = await Promise.all(['k', 'k', 'other'].map(key => revocation.issue(credential(key))))
  await revocation.revoke(BADGE, 'k', null)
  const update = await latest(revocation)
  assert.is(verifyUpdate(update, keyOf()).index, 2)
  const outcomes = [a, b, c].map(each => each && updateWitness(arithmetic, each, update, keyOf()))
  assert.equal(outcomes.slice(0, 2), ['revoked', 'revoked'])
  assert.ok(typeof outcomes[2] === 'object' && isWitnessRight(arithmetic, outcomes[2], keyOf()))
})

Authority('of a key only what was issued at a time is revoked, if one is named', async () => {
  const { revocation } = await start()
  const early = await revocation.issue(credential('k', { issuedAtSec: NOW_SEC - 5 }))
  const late = await revocation.issue(credential('k'))
  await refused(UnknownRevocationKey, /^$/, revocation.revoke(BADGE, 'k', 1n))
  await revocation.revoke(BADGE, 'k', BigInt(NOW_SEC - 5) * 1_000_000_000n)
  const update = await latest(revocation)
  assert.is(updateWitness(arithmetic, early, update, keyOf()), 'revoked')
  assert.is.not(updateWitness(arithmetic, late, update, keyOf()), 'revoked')
})

Authority('two revocations at once are both kept, also against a renewal between them', async () => {
  const { revocation, clock } = await start()
  const keys = ['a', 'b', 'c', 'd']
  const issued = await Promise.all(keys.map(key => revocation.issue(credential(key))))
  const work = keys.map(key => revocation.revoke(BADGE, key, null))
  clock.advance(60_000)
  await Promise.all(work)
  const update = await latest(revocation)
  assert.is(verifyUpdate(update, keyOf()).index, 4)
  for (const witness of issued) assert.is(updateWitness(arithmetic, witness, update, keyOf()), 'revoked')
})

Authority('the same revoked twice is unknown the second time, at once or later', async () => {
  const { revocation } = await start()
  await revocation.issue(credential('k'))
  const both = await Promise.allSettled([
    revocation.revoke(BADGE, 'k', null),
    revocation.revoke(BADGE, 'k', null),
  ])
  assert.equal(
    both.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
  await refused(UnknownRevocationKey, /^$/, revocation.revoke(BADGE, 'k', null))
  assert.is((await latest(revocation)).events.length, 2)
})

Authority('accumulators are signed anew every 60 s, and whoever watches hears of it', async () => {
  const { revocation, clock, reports } = await start()
  const heard: (readonly [number, number])[] = []
  const { watch } = there(revocation.served(BADGE))
  const stop = watch(update => heard.push([verifyUpdate(update, keyOf()).atSec, update.events.length]))
  clock.advance(60_000)
  await settle()
  await revocation.issue(credential('k'))
  await revocation.revoke(BADGE, 'k', null)
  stop()
  clock.advance(60_000)
  await settle()
  assert.equal(heard, [
    [NOW_SEC + 60, 0],
    [NOW_SEC + 60, 1],
  ])
  assert.is(verifyUpdate(await latest(revocation), keyOf()).atSec, NOW_SEC + 120)
  assert.is(revocation.refreshedAtSec(BADGE, 0), null)
  assert.equal(reports, [])
})

Authority(
  'records go 300 minutes after their credential at the latest; it can be revoked no longer',
  async () => {
    const { revocation, clock } = await start()
    await revocation.issue(credential('k'))
    clock.advance(300 * 60_000)
    await settle()
    await refused(UnknownRevocationKey, /^$/, revocation.revoke(BADGE, 'k', null))
    await revocation.close()
    assert.is(clock.nextTimerAt(), null)
  },
)

Authority('only an authority revokes, only a type that is configured is issued', async () => {
  const { revocation } = await start()
  assert.equal([BADGE, PERMIT, ID_CARD].map(revocation.canIssue.bind(revocation)), [true, false, false])
  await refused(RevocationError, /^cannot revoke svc-demo.gov.permit$/, revocation.revoke(PERMIT, 'k', null))
  await refused(RevocationError, /^cannot revoke svc-demo.gov.idcard$/, revocation.revoke(ID_CARD, 'k', null))
  await refused(IssuanceFailed, /no revocation server/, revocation.issue(credential('k', { type: PERMIT })))
  await refused(IssuanceFailed, /counter 9, got none/, revocation.issue(credential('k', { keyCounter: 9 })))
  await refused(RevocationError, /^svc-demo.gov.idcard cannot be revoked$/, revocation.updates(ID_CARD, 0))
  assert.is(revocation.served(PERMIT), null)
  assert.is(revocation.toleranceSec(BADGE), 600)
})

Authority('a type that cannot be revoked has no rounds of its own, even if it has settings', async () => {
  const { revocation, clock } = await start(createMemoryStore(), {
    settings: new Map([[ID_CARD, AUTHORITY]]),
  })
  assert.is(clock.nextTimerAt(), NOW_SEC * 1_000 + 300 * 60_000, 'old records are dropped')
  assert.is(revocation.served(ID_CARD), null)
})

Authority(
  'a record of another issuer is taken if the issuer has signed it, once, and can be revoked',
  async () => {
    const { revocation } = await start()
    const addRecord = there(revocation.served(BADGE)?.addRecord)
    const signed = (changes = {}, type = BADGE): Uint8Array => {
      const privateKey = there(schemes.privateKey(issuerOf(type), 0))
      const validUntilNs = BigInt(NOW_SEC + 9) * 1_000_000_000n
      return signIssuanceRecord(
        { ...issuanceRecord({ validUntilNs }), revocationKey: 'k', ...changes },
        privateKey,
      )
    }
    await refused(Unauthorized, /./, addRecord(0, signed({}, PERMIT)))
    await refused(InvalidRequest, /./, addRecord(0, signed().subarray(1)))
    await refused(
      RevocationError,
      /of svc-demo.fast.badge under key 0/,
      addRecord(0, signed({ keyCounter: 1 })),
    )
    await refused(RevocationError, /of svc-demo.fast.badge/, addRecord(0, signed({ credentialType: PERMIT })))
    await refused(RevocationError, /a key of the issuer, got counter 7/, addRecord(7, signed()))
    await refused(UnknownRevocationKey, /^$/, revocation.revoke(BADGE, 'k', null))
    await addRecord(0, signed())
    await addRecord(0, signed()) // whoever posted it has not heard of the answer
    await refused(RevocationError, /a number of its own/, addRecord(0, signed({ revocationKey: 'l' })))
    await refused(RevocationError, /a number of its own/, addRecord(0, signed({ issuedAtNs: 1n })))
    await revocation.revoke(BADGE, 'k', null)
    await addRecord(0, signed())
    await refused(UnknownRevocationKey, /^$/, revocation.revoke(BADGE, 'k', null))
  },
)

Authority('a record that is dropped as soon as it is stored was taken all the same', async () => {
  const store = createMemoryStore()
  const addRecord: RevocationStore['addRecord'] = async record => {
    const isAdded = await store.revocation.addRecord(record)
    await store.revocation.dropRecords(NOW_SEC)
    return isAdded
  }
  const { revocation } = await start(withChanges(store, { revocation: withRevocation(store, { addRecord }) }))
  const record = issuanceRecord({ validUntilNs: 1n })
  const signed = signIssuanceRecord(record, there(schemes.privateKey(issuerOf(BADGE), 0)))
  await there(revocation.served(BADGE)?.addRecord)(0, signed)
  assert.is(await store.revocation.findRecord(BADGE, 0, record.e), null)
})

Authority.run()
