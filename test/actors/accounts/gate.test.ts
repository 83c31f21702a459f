/** Keyshare logins behind the gate, with two nodes on one store. Each turn commits its row by one compare-and-set. @module */
import * as assert from 'uvu/assert'
import type { Accounts } from '../../../actors/accounts/accounts.ts'
import { Inspection } from '../../../actors/inspection/inspection.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { commitAccount } from '../../stores/account-rows.ts'
import { suite } from '../../suite.ts'
import { deferred, elapse, settle } from '../node.ts'
import { type AccountNodes, bytesOf, DEVICE_KEY, enter, ID, withAccount } from './nodes.ts'

const Gated = suite('keyshare logins: behind the gate')

const commitmentOf = (wk: string) => ({
  lastKey: 'x.y-0',
  hashedComms: null,
  sealedRandomizer: bytesOf(wk),
})
const start = (accounts: Accounts) =>
  enter(accounts, { type: 'app.startedLogin' }, { challenge: bytesOf('c') })
const request = (accounts: Accounts, version: 'v1' | 'v2' = 'v1', wk = 'w') =>
  enter(accounts, { type: 'app.requestedCommitments', version }, { commitment: commitmentOf(wk) })

/** The stored data of a pending challenge and a pending commitment. */
async function pendingOf({ row }: AccountNodes) {
  const { challenge, commitment } = await row()
  return [
    challenge && Buffer.from(challenge).toString(),
    commitment && Buffer.from(commitment.sealedRandomizer).toString(),
  ]
}

Gated(
  '16 guesses at once on two nodes: three are compared before the block ends, and one after it',
  async () => {
    await withAccount(async ({ nodes, clock, failures, row }) => {
      const guess = { type: 'app.sentPin', isSignedByDevice: true } as const
      const guesses = async () => {
        const turns = Array.from({ length: 8 }, () => nodes.map(node => enter(node, guess))).flat()
        return (await Promise.all(turns)).filter(({ isRefused }) => !isRefused).length
      }
      assert.is(await guesses(), 3)
      clock.advance(59_999)
      assert.is(await guesses(), 0)
      clock.advance(1)
      assert.is(await guesses(), 1)
      const { attempts, blockedUntil } = await row()
      assert.equal([attempts, blockedUntil, failures], [4, clock.now() + 120_000, []])
    })
  },
)

Gated(
  'both nodes are asked at once for a response to one commitment: only one node takes the commitment',
  async () => {
    await withAccount(async account => {
      const { nodes } = account
      for (let i = 0; i < 50; i++) {
        await request(nodes[0], 'v1', `w${i}`)
        assert.equal(await pendingOf(account), [null, `w${i}`])
        const turns = await Promise.all(
          nodes.map(node => enter(node, { type: 'app.requestedResponse', version: 'v1' })),
        )
        assert.equal(turns.map(({ isRefused }) => isRefused).sort(), [false, true])
        const [taking] = turns.filter(({ isRefused }) => !isRefused)
        assert.equal(
          taking?.before.commitment,
          commitmentOf(`w${i}`),
          'the node that takes the commitment gets the row before the commit',
        )
        assert.equal(await pendingOf(account), [null, null])
      }
    })
  },
)

Gated(
  'a login takes its challenge and reserves its attempt in one commit, before anything is compared',
  async () => {
    await withAccount(async account => {
      const { nodes, row, log } = account
      await start(nodes[0])
      assert.equal([await pendingOf(account), (await row()).version], [['c', null], 2])
      const { isRefused } = await enter(nodes[1], { type: 'app.answered', isRightChallenge: true })
      const { attempts, version } = await row()
      assert.equal([isRefused, await pendingOf(account), attempts, version], [false, [null, null], 1, 3])
      await enter(nodes[0], { type: 'server.acceptedPin', attempt: 3 })
      assert.equal(
        [(await row()).attempts, (await log()).map(({ event }) => event)],
        [0, ['PIN_CHECK_SUCCESS']],
      )
    })
  },
)

Gated(
  'an expired challenge or commitment is deleted before the next event is handled, even after a long time',
  async () => {
    await withAccount(async account => {
      const { store, node, clock, failures, row } = account
      const noTimers = { clock: { ...clock, setTimeout: () => ({}) } }
      for (const withTimers of account.nodes) await withTimers.close()
      const nodes = [node(noTimers), node(noTimers)] as const
      await start(nodes[0])
      await request(nodes[0], 'v2')
      assert.is((await row()).dueAt, clock.now() + 20_000)
      clock.advance(19_999)
      assert.ok((await nodes[1].read(ID))?.commitment)
      clock.advance(1)
      assert.ok((await enter(nodes[1], { type: 'app.requestedResponse', version: 'v2' })).isRefused)
      assert.equal(await pendingOf(account), ['c', null])
      clock.advance(24 * 3_600_000)
      assert.ok((await enter(nodes[1], { type: 'app.answered', isRightChallenge: true })).isRefused)
      const { attempts, dueAt } = await row()
      assert.equal([await pendingOf(account), attempts, dueAt, failures], [[null, null], 0, null, []])
      assert.is(await store.accounts.nextDueAfter(0, 1), null)
    })
  },
)

Gated('a challenge or commitment is deleted at its expiry without a call', async () => {
  await withAccount(async account => {
    const { nodes, clock } = account
    await start(nodes[0])
    await request(nodes[1])
    for (const [ms, pending] of [
      [19_999, ['c', 'w']],
      [1, ['c', null]],
      [340_000 - 1, ['c', null]],
      [1, [null, null]],
    ] as const) {
      await elapse(clock, ms)
      assert.equal(await pendingOf(account), pending)
    }
  })
})

Gated(
  'a challenge or commitment that expired while no process ran is deleted when the next process starts',
  async () => {
    await withAccount(async account => {
      const { nodes, node, clock } = account
      await start(nodes[0])
      await request(nodes[1])
      for (const accounts of nodes) await accounts.close()
      clock.advance(3_600_000)
      assert.equal(await pendingOf(account), ['c', 'w'])
      node()
      await settle()
      assert.equal(await pendingOf(account), [null, null])
    })
  },
)

Gated('a closed node starts no turn, and reports no failure', async () => {
  await withAccount(async ({ store, node, failures, row }) => {
    const { promise, resolve } = deferred<readonly string[]>()
    const accounts = new Proxy(store.accounts, {
      get: (target, name) => (name === 'due' ? () => promise : Reflect.get(target, name).bind(target)),
    })
    const closing = node({ store: { ...store, accounts } })
    const before = await row()
    await settle()
    await closing.close()
    resolve([ID])
    await settle()
    const late = await start(closing).catch(error => error)
    assert.equal([late.status, failures, await row()], [503, [], before])
  })
})

Gated(
  'a change of PIN, and the end of the account, delete the pending challenge and commitment',
  async () => {
    for (const event of [
      { type: 'server.changedPin', attempt: 4 },
      { type: 'owner.disabled', deleteAt: 5_000 },
    ] as const)
      await withAccount(async account => {
        const { nodes } = account
        await start(nodes[0])
        await request(nodes[0])
        await enter(nodes[0], { type: 'app.sentPin', isSignedByDevice: true })
        assert.equal(await pendingOf(account), ['c', 'w'])
        const secrets = nodes[0].secretsOf(await account.row())
        const { isRefused, after } = await enter(nodes[1], event, { secrets })
        assert.equal([isRefused, after?.dueAt, await pendingOf(account)], [false, null, [null, null]])
      })
  },
)

Gated('an event that begins a challenge or a commitment is refused without its new data', async () => {
  await withAccount(async account => {
    const { nodes, row } = account
    await start(nodes[0])
    await request(nodes[0])
    const before = await row()
    for (const event of [
      { type: 'app.startedLogin' },
      { type: 'app.requestedCommitments', version: 'v1' },
    ] as const) {
      const refused = await enter(nodes[0], event).catch((error: unknown) => error)
      assert.ok(refused instanceof TypeError, event.type)
      assert.equal(await row(), before)
    }
  })
})

Gated('a disabled account has no record, and no token finds it; later its row is deleted', async () => {
  await withAccount(async ({ nodes, store, clock, row }) => {
    const tokenId = nodes[0].secretsOf(await row()).tokenId
    assert.is((await nodes[1].findByTokenId(tokenId))?.id, ID)
    await enter(nodes[0], { type: 'owner.disabled', deleteAt: 5_000 })
    const { record, tokenIdHash } = await row()
    assert.equal([record, tokenIdHash, await nodes[1].findByTokenId(tokenId)], [null, null, null])
    const disabled = await row()
    assert.throws(() => nodes[0].secretsOf(disabled), /could not find specified user/)
    assert.ok((await enter(nodes[1], { type: 'server.deleted' })).isRefused)
    clock.advance(4_000)
    assert.is((await enter(nodes[1], { type: 'server.deleted' })).after, null)
    assert.equal([await store.accounts.load(ID), await nodes[0].read(ID)], [null, null])
    assert.is(await nodes[0].turn(ID, () => ({ event: { type: 'app.startedLogin' } })), null)
  })
})

Gated(
  'the chart of an account that was registered without a device key starts as not device-bound',
  async () => {
    for (const [deviceKey, isRefused] of [
      [DEVICE_KEY, false],
      [null, true],
    ] as const)
      await withAccount(
        async ({ nodes }) => assert.is((await start(nodes[0])).isRefused, isRefused),
        deviceKey,
      )
  },
)

Gated('a second account with the same name is refused', async () => {
  await withAccount(async ({ nodes, row }) => {
    const before = await row()
    const secrets = nodes[1].secretsOf(before)
    const again = { userName: before.userName, language: 'nl', secrets } as const
    const refused = await nodes[1].register(again).catch(error => error)
    assert.match(refused.message, /^account [0-9a-f]{32} exists$/)
    assert.equal(await row(), before)
  })
})

Gated('of 10,001 accounts, the least recently used one has no live actor', async () => {
  await withAccount(
    async ({ node, row }) => {
      const registered = await row()
      const store = createMemoryStore()
      const inspection = new Inspection(() => {})
      const accounts = node({ store, inspection, binding: 'read' })
      const ids = Array.from({ length: 10_001 }, (_, i) => `id-${i}`)
      for (const id of ids) {
        await commitAccount(store, 0, { ...registered, id, userName: id, tokenIdHash: id })
        await accounts.turn(id, ({ can }) => {
          can({ type: 'app.startedLogin' })
          return null
        })
      }
      const isAwake = async (id: string) => (await inspection.find(id))?.isAwake
      assert.equal(await Promise.all(ids.slice(0, 2).map(isAwake)), [false, true])
    },
    DEVICE_KEY,
    { binding: 'read' },
  )
})

Gated.run()
