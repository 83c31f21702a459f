/** Updates of witnesses without a session (spec/cryptography#14.4, #14.7). @module */
import * as assert from 'uvu/assert'
import { type RefreshResult, refreshWitnesses } from '../../libraries/wallet/refresh.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { encodeUpdate } from '../../protocol/revocation-cbor.ts'
import { suite } from '../suite.ts'
import { type Authority, createAuthority } from './authority.ts'
import { newWallet } from './demo-wallets.ts'
import { hastyClock } from './fake-server.ts'

const BADGE = 'svc-demo.fast.badge'
const PERMIT = 'svc-demo.gov.permit'
const Refresh = suite('witnesses without a session (spec/cryptography#14.4)')

/** @returns also the types in the requests */
async function refresh(
  wallet: Wallet,
  authorities: readonly Authority[],
  olderThanSec?: number,
): Promise<RefreshResult & { readonly asked: readonly string[] }> {
  const asked: string[] = []
  const send: typeof fetch = async url => {
    const authority = authorities.find(({ type }) => String(url).includes(`/revocation/${type}/update/16/0`))
    asked.push(authority?.type ?? String(url))
    return new Response(authority && Buffer.from(encodeUpdate(authority.update(16))), {
      status: authority ? 200 : 400,
    })
  }
  const refreshed = await refreshWitnesses({ wallet, fetch: send, clock: hastyClock() }, olderThanSec)
  return { ...refreshed, asked }
}

Refresh(
  'servers are asked once for each type that has an old enough witness, and for no other type',
  async () => {
    const [badges, permits] = [createAuthority(BADGE, -100), createAuthority(PERMIT)]
    const witness = badges.issue()
    const wallet = await newWallet([
      { type: BADGE, attributes: { level: '1' }, witness },
      { type: BADGE, attributes: { level: '2' }, witness: badges.issue() },
      { type: PERMIT, attributes: { kind: 'a', number: '1' }, witness: permits.issue() },
      { type: 'svc-demo.fast.note', attributes: { text: 'a' } },
    ])
    badges.revoke(witness.e)
    const some = await refresh(wallet, [badges, permits], 50)
    assert.equal([some.count, some.outdated.size, some.asked], [2, 0, [BADGE]])
    assert.equal(
      wallet.credentials().map(({ revocation }) => revocation?.isRevoked),
      [true, false, false, undefined],
    )
    const all = await refresh(wallet, [badges])
    assert.equal([all.count, [...all.outdated]], [2, ['2']])
    const none = await refresh(wallet, [], 1000)
    assert.equal([none.count, none.asked], [0, []])
    await wallet.close()
  },
)

Refresh.run()
