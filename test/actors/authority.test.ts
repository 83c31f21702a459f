import * as assert from 'uvu/assert'
import { verifyUpdate } from '../../crypto/revocation/accumulator.ts'
import { signIssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import { isWitnessRight, updateWitness } from '../../crypto/revocation/witness.ts'
import {
  InvalidRequestError,
  IssuanceFailedError,
  RevocationError,
  UnauthorizedError,
  UnknownRevocationKeyError,
} from '../../protocol/errors.ts'
import { issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { RevocationStore } from '../../stores/revocation-store.ts'
import { issuanceRecord } from '../stores/revocation-suite.ts'
import { withChanges, withRevocation } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { AUTHORITY, BADGE, credential, NOW_SEC, there } from './authority.ts'
import { settle } from './node.ts'
import { arithmetic, authorities, keyOf, latest, refused, schemes } from './started-authority.ts'

const PERMIT = parseCredentialTypeId('svc-demo.gov.permit')
const ID_CARD = parseCredentialTypeId('svc-demo.gov.idcard')

const { pool, startAuthority } = authorities()
const Authority = suite('the authority of a credential type')
Authority.after(() => pool.close())

Authority('the first start creates an accumulator, and the next start keeps it', async () => {
  const { revocation, store } = await startAuthority()
  const first = await latest(revocation)
  assert.equal(verifyUpdate(first, keyOf()).index, 0)
  assert.equal(
    first.events.map(({ e }) => e),
    [1n],
  )
  await revocation.close()
  const again = await latest((await startAuthority(store)).revocation)
  assert.is(verifyUpdate(again, keyOf()).nu, verifyUpdate(first, keyOf()).nu)
})

Authority('a witness is valid, has its own prime, and its record is stored', async () => {
  const { revocation, store } = await startAuthority()
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

Authority('a revoked credential stays revoked after every update, and all others stay valid', async () => {
  const { revocation } = await startAuthority()
  const [a, b, c] = await Promise.all(['k', 'k', 'other'].map(key => revocation.issue(credential(key))))
  await revocation.revoke(BADGE, 'k', null)
  const update = await latest(revocation)
  assert.is(verifyUpdate(update, keyOf()).index, 2)
  const outcomes = [a, b, c].map(each => each && updateWitness(arithmetic, each, update, keyOf()))
  assert.equal(outcomes.slice(0, 2), ['revoked', 'revoked'])
  assert.ok(typeof outcomes[2] === 'object' && isWitnessRight(arithmetic, outcomes[2], keyOf()))
})

Authority('if an issuance time is given, only the credential of this time is revoked', async () => {
  const { revocation } = await startAuthority()
  const early = await revocation.issue(credential('k', { issuedAtSec: NOW_SEC - 5 }))
  const late = await revocation.issue(credential('k'))
  await refused(UnknownRevocationKeyError, /^$/, revocation.revoke(BADGE, 'k', 1n))
  await revocation.revoke(BADGE, 'k', BigInt(NOW_SEC - 5) * 1_000_000_000n)
  const update = await latest(revocation)
  assert.is(updateWitness(arithmetic, early, update, keyOf()), 'revoked')
  assert.is.not(updateWitness(arithmetic, late, update, keyOf()), 'revoked')
})

Authority(
  'revocations at the same time are all kept, also if the accumulator is signed again between them',
  async () => {
    const { revocation, clock } = await startAuthority()
    const keys = ['a', 'b', 'c', 'd']
    const issued = await Promise.all(keys.map(key => revocation.issue(credential(key))))
    const work = keys.map(key => revocation.revoke(BADGE, key, null))
    clock.advance(60_000)
    await Promise.all(work)
    const update = await latest(revocation)
    assert.is(verifyUpdate(update, keyOf()).index, 4)
    for (const witness of issued) assert.is(updateWitness(arithmetic, witness, update, keyOf()), 'revoked')
  },
)

Authority('a second revocation of the same credential is refused as unknown, at once or later', async () => {
  const { revocation } = await startAuthority()
  await revocation.issue(credential('k'))
  const both = await Promise.allSettled([
    revocation.revoke(BADGE, 'k', null),
    revocation.revoke(BADGE, 'k', null),
  ])
  assert.equal(
    both.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
  await refused(UnknownRevocationKeyError, /^$/, revocation.revoke(BADGE, 'k', null))
  assert.is((await latest(revocation)).events.length, 2)
})

Authority('accumulators are signed again every 60 s, and followers receive the update', async () => {
  const { revocation, clock, reports } = await startAuthority()
  const heard: (readonly [number, number])[] = []
  const { follow: watch } = there(revocation.served(BADGE))
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
  'a record is deleted at the latest 300 minutes after its credential expires, which can then not be revoked',
  async () => {
    const { revocation, clock } = await startAuthority()
    await revocation.issue(credential('k'))
    clock.advance(300 * 60_000)
    await settle()
    await refused(UnknownRevocationKeyError, /^$/, revocation.revoke(BADGE, 'k', null))
    await revocation.close()
    assert.is(clock.nextTimerAt(), null)
  },
)

Authority('only an authority revokes, and only a configured type is issued', async () => {
  const { revocation } = await startAuthority()
  assert.equal([BADGE, PERMIT, ID_CARD].map(revocation.canIssue.bind(revocation)), [true, false, false])
  await refused(RevocationError, /^cannot revoke svc-demo.gov.permit$/, revocation.revoke(PERMIT, 'k', null))
  await refused(RevocationError, /^cannot revoke svc-demo.gov.idcard$/, revocation.revoke(ID_CARD, 'k', null))
  await refused(
    IssuanceFailedError,
    /no revocation server/,
    revocation.issue(credential('k', { type: PERMIT })),
  )
  await refused(
    IssuanceFailedError,
    /counter 9, got none/,
    revocation.issue(credential('k', { keyCounter: 9 })),
  )
  await refused(RevocationError, /^svc-demo.gov.idcard cannot be revoked$/, revocation.updates(ID_CARD, 0))
  assert.is(revocation.served(PERMIT), null)
  assert.is(revocation.toleranceSec(BADGE), 600)
})

Authority(
  'for a type whose credentials cannot be revoked no accumulator is signed, even if the type has settings',
  async () => {
    const { revocation, clock } = await startAuthority(createMemoryStore(), {
      settings: new Map([[ID_CARD, AUTHORITY]]),
    })
    assert.is(clock.nextTimerAt(), NOW_SEC * 1_000 + 300 * 60_000, 'old records are dropped')
    assert.is(revocation.served(ID_CARD), null)
  },
)

Authority(
  'a posted record that the issuer has signed is accepted, also if it is repeated, and its credential can be revoked',
  async () => {
    const { revocation } = await startAuthority()
    const addRecord = there(revocation.served(BADGE)?.addRecord)
    const signed = (changes = {}, type = BADGE): Uint8Array => {
      const privateKey = there(schemes.privateKey(issuerOf(type), 0))
      const validUntilNs = BigInt(NOW_SEC + 9) * 1_000_000_000n
      return signIssuanceRecord(
        { ...issuanceRecord({ validUntilNs }), revocationKey: 'k', ...changes },
        privateKey,
      )
    }
    await refused(UnauthorizedError, /./, addRecord(0, signed({}, PERMIT)))
    await refused(InvalidRequestError, /./, addRecord(0, signed().subarray(1)))
    await refused(
      RevocationError,
      /of svc-demo.fast.badge under key 0/,
      addRecord(0, signed({ keyCounter: 1 })),
    )
    await refused(RevocationError, /of svc-demo.fast.badge/, addRecord(0, signed({ credentialType: PERMIT })))
    await refused(RevocationError, /a key of the issuer, got counter 7/, addRecord(7, signed()))
    await refused(UnknownRevocationKeyError, /^$/, revocation.revoke(BADGE, 'k', null))
    await addRecord(0, signed())
    await addRecord(0, signed()) // the issuer retries, because the first answer was lost
    await refused(RevocationError, /a number of its own/, addRecord(0, signed({ revocationKey: 'l' })))
    await refused(RevocationError, /a number of its own/, addRecord(0, signed({ issuedAtNs: 1n })))
    await revocation.revoke(BADGE, 'k', null)
    await addRecord(0, signed())
    await refused(UnknownRevocationKeyError, /^$/, revocation.revoke(BADGE, 'k', null))
  },
)

Authority('a record that is deleted as soon as it is stored is nevertheless accepted', async () => {
  const store = createMemoryStore()
  const addRecord: RevocationStore['addRecord'] = async record => {
    const isAdded = await store.revocation.addRecord(record)
    await store.revocation.dropRecords(NOW_SEC)
    return isAdded
  }
  const { revocation } = await startAuthority(
    withChanges(store, { revocation: withRevocation(store, { addRecord }) }),
  )
  const record = issuanceRecord({ validUntilNs: 1n })
  const signed = signIssuanceRecord(record, there(schemes.privateKey(issuerOf(BADGE), 0)))
  await there(revocation.served(BADGE)?.addRecord)(0, signed)
  assert.is(await store.revocation.findRecord(BADGE, 0, record.e), null)
})

Authority.run()
