/** The authority of a credential type checks its keys and its store. A mismatch is refused with an explanation, and changes nothing. @module */
import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { verifyUpdate } from '../../crypto/revocation/accumulator.ts'
import { firstUpdate } from '../../crypto/revocation/authority.ts'
import { IssuanceFailedError, RevocationError } from '../../protocol/errors.ts'
import { issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import type { Schemes } from '../../schemes/types.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { StoreError } from '../../stores/store-error.ts'
import { issuanceRecord } from '../stores/revocation-suite.ts'
import { withChanges } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { BADGE, credential, NOW_SEC, there } from './authority.ts'
import { settle } from './node.ts'
import { authorities, keyOf, latest, refused, schemes } from './started-authority.ts'

const PERMIT = parseCredentialTypeId('svc-demo.gov.permit')

const { pool, startAuthority } = authorities()
const Keys = suite('the keys of an authority')
Keys.after(() => pool.close())

Keys('a store whose accumulators belong to other keys is refused, and the error explains it', async () => {
  const store = createMemoryStore()
  const privateKey = there(schemes.privateKey(issuerOf(PERMIT), 0))
  const { signed, events } = firstUpdate({ key: keyOf(PERMIT), privateKey, nowSec: NOW_SEC }, randomBytes)
  const row = { type: BADGE, keyCounter: 0, version: 1, signed, index: 0 }
  await store.commit({ accumulators: [{ row, events }] })
  await refused(
    Error,
    /^store: expected the accumulators of svc-demo.fast.badge to be of/,
    startAuthority(store),
  )
})

Keys('a store that fails at the start does not cause the error about other keys', async () => {
  const lost = new StoreError('store: lost')
  const started = startAuthority(withChanges(createMemoryStore(), { commit: () => Promise.reject(lost) }))
  await refused(StoreError, /^store: lost$/, started)
})

Keys(
  'an accumulator whose private key is missing stays unchanged; nothing is issued or revoked under it',
  async () => {
    const before = await startAuthority()
    await before.revocation.issue(credential('k'))
    await before.revocation.close()
    const withoutKey = { schemes: { ...schemes, privateKey: () => undefined } }
    const { revocation, clock, reports } = await startAuthority(before.store, withoutKey)
    clock.advance(60_000)
    await settle()
    assert.is(verifyUpdate(await latest(revocation), keyOf()).atSec, NOW_SEC)
    const reason = /^cannot revoke svc-demo.fast.badge: expected both keys with counter 0, got none$/
    await refused(RevocationError, reason, revocation.revoke(BADGE, 'k', null))
    const noKeys = /expected keys that support it with counter 0, got none$/
    await refused(IssuanceFailedError, noKeys, revocation.issue(credential('k')))
    const withoutPublic = { schemes: { ...schemes, publicKey: () => undefined } }
    const other = await startAuthority(before.store, withoutPublic)
    await refused(IssuanceFailedError, noKeys, other.revocation.issue(credential('k')))
    const fresh = await startAuthority(createMemoryStore(), withoutKey)
    const validUntilNs = BigInt(NOW_SEC + 9) * 1_000_000_000n
    const record = issuanceRecord({ revocationKey: 'k', validUntilNs })
    assert.ok(await fresh.store.revocation.addRecord(record))
    await refused(RevocationError, reason, fresh.revocation.revoke(BADGE, 'k', null))
    assert.equal(reports, [])
  },
)

Keys(
  'a key that is added after the start needs an accumulator before credentials are issued or revoked under it',
  async () => {
    let hasKey = false
    const privateKey: Schemes['privateKey'] = (...name) => (hasKey ? schemes.privateKey(...name) : undefined)
    const { revocation, clock, store } = await startAuthority(createMemoryStore(), {
      schemes: { ...schemes, privateKey },
    })
    hasKey = true
    const reason = /expected an accumulator with counter 0, got none$/
    await refused(IssuanceFailedError, reason, revocation.issue(credential('k')))
    const validUntilNs = BigInt(NOW_SEC + 9) * 1_000_000_000n
    assert.ok(await store.revocation.addRecord(issuanceRecord({ revocationKey: 'other', validUntilNs })))
    await refused(RevocationError, reason, revocation.revoke(BADGE, 'other', null))
    clock.advance(60_000)
    await settle()
    await revocation.issue(credential('k'))
  },
)

Keys('no credential is revoked if the store lacks the last event of the accumulator', async () => {
  const privateKey = there(schemes.privateKey(issuerOf(BADGE), 0))
  const { signed } = firstUpdate({ key: keyOf(), privateKey, nowSec: NOW_SEC }, randomBytes)
  const store = createMemoryStore()
  await store.commit({
    accumulators: [{ row: { type: BADGE, keyCounter: 0, version: 1, signed, index: 0 } }],
  })
  const { revocation } = await startAuthority(store)
  await revocation.issue(credential('k'))
  const reason = /: expected the last event of the accumulator with counter 0, got none$/
  await refused(RevocationError, reason, revocation.revoke(BADGE, 'k', null))
})

Keys.run()
