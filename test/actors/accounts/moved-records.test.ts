/** A program that writes to the database of a keyshare server gains nothing (spec/keyshare-server#11.6): no column of an account can be changed, moved to another account or
 *  replaced by an older one. */
import * as assert from 'uvu/assert'
import { RecordError } from '../../../accounts/record-error.ts'
import { sealRecord } from '../../../accounts/records.ts'
import { newSecrets } from '../../../accounts/secrets.ts'
import type { Accounts } from '../../../actors/accounts/accounts.ts'
import type { LoginEvent } from '../../../machines/login-events.ts'
import { MissingCommitmentError } from '../../../protocol/errors.ts'
import type { AccountRow, StoredCommitment } from '../../../stores/account-store.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { suite } from '../../suite.ts'
import { type AccountNodes, bytesOf, DEVICE_KEY, enter, ID, keysOf, PIN, withAccount } from './nodes.ts'

const Moved = suite('keyshare logins: rows that another program changed')

const OTHER = 'other'
const commitment: StoredCommitment = {
  lastKey: 'a.b-0',
  hashedComms: bytesOf('h'),
  sealedRandomizer: bytesOf('w'),
}
const requested = { type: 'app.requestedCommitments', version: 'v2' } as const
const response = { type: 'app.requestedResponse', version: 'v2' } as const
const wrongPin = { type: 'app.sentPin', isSignedByDevice: true } as const

/** Replaces the stored row, as a program with access to the database can. */
async function putRow({ store, row }: AccountNodes, changed: AccountRow): Promise<void> {
  await store.commit({ account: { id: ID, version: (await row()).version, row: changed } })
}

/** No node reads the row, commits a step of it, or finds the account by its token. */
async function isRefused(nodes: readonly Accounts[], event: LoginEvent = wrongPin): Promise<void> {
  for (const node of nodes)
    for (const call of [() => node.read(ID), () => node.turn(ID, () => ({ event }))]) {
      const error = await call().catch((error: unknown) => error)
      assert.instance(error, RecordError)
      assert.match(String(error), `account ${ID}: `) // the log names the account
    }
}

/** A pending challenge and commitment, and a block. */
async function withPending(use: (account: AccountNodes) => Promise<void>): Promise<void> {
  await withAccount(async account => {
    const [node] = account.nodes
    const secrets = newSecrets(PIN, {
      mk: 6n,
      tokenId: new Uint8Array(32).fill(0xbb),
      deviceKey: bytesOf('d'),
    })
    await node.register({ userName: OTHER, language: 'nl', secrets })
    for (let i = 0; i < 3; i++) await enter(node, wrongPin)
    await enter(node, { type: 'app.startedLogin' }, { challenge: bytesOf('c') })
    await enter(node, requested, { commitment })
    await use(account)
  })
}

const CHANGES: Readonly<Record<string, (row: AccountRow, other: AccountRow) => Partial<AccountRow>>> = {
  'the secrets of another account': (_, { record }) => ({ record }),
  'the secrets and the token of another account': (_, { record, tokenIdHash }) => ({ record, tokenIdHash }),
  'the whole row of another account': ({ id, version }, other) => ({ ...other, id, version }),
  'the whole row of another account, under the own name': ({ id, userName, version }, other) => ({
    ...other,
    id,
    userName,
    version,
  }),
  'another user name': () => ({ userName: OTHER }),
  'another language': () => ({ language: 'nl' }),
  'a later version': ({ version }) => ({ version: version + 1 }),
  'another token': () => ({ tokenIdHash: 'x' }),
  'fewer wrong PINs': () => ({ attempts: 0 }),
  'no block': () => ({ attempts: 0, blockedUntil: 0 }),
  'an earlier end of the block': ({ blockedUntil }) => ({ blockedUntil: blockedUntil - 1 }),
  'a later deletion': () => ({ deleteAt: 1 }),
  'a later use': ({ seenAt }) => ({ seenAt: seenAt + 1 }),
  'a later expiry of the challenge or commitment': ({ dueAt }) => ({ dueAt: (dueAt ?? 0) + 1 }),
  'another challenge': () => ({ challenge: bytesOf('x') }),
  'no commitment': () => ({ commitment: null }),
  'another w_k': () => ({ commitment: { ...commitment, sealedRandomizer: bytesOf('x') } }),
  'another last key': () => ({ commitment: { ...commitment, lastKey: 'x' } }),
  'another hash of the input': () => ({ commitment: { ...commitment, hashedComms: null } }),
  'another state': ({ snapshot }) => ({
    snapshot: {
      ...Object(snapshot),
      value: { active: { attempts: 'open', challenge: 'none', commitment: 'none' } },
    },
  }),
  'a later end of the commitment': ({ snapshot }) => ({
    snapshot: { ...Object(snapshot), context: { ...Object(snapshot?.context), commitmentEndsAt: 1e12 } },
  }),
  'an account without a device key': ({ snapshot }) => ({
    snapshot: { ...Object(snapshot), context: { ...Object(snapshot?.context), isDeviceBound: false } },
  }),
  'the number of the chart of the older form': () => ({ chart: 1 }),
}

for (const [what, change] of Object.entries(CHANGES))
  Moved(`${what}: refused by nodes that have read the account, and by a new node`, () =>
    withPending(async account => {
      const { row, store, node, nodes } = account
      const other = await store.accounts.load(hashOfToken(OTHER))
      if (other === null) throw new Error('expected the other account')
      const right = await row()
      // another account may not have the same token
      const changed = { ...right, ...change(right, other) }
      if (changed.tokenIdHash === other.tokenIdHash)
        await store.commit({ account: { id: other.id, version: other.version, row: null } })
      await putRow(account, changed)
      await isRefused([...nodes, node()])
      assert.equal(await row(), changed, 'no node committed the row')
    }),
  )

Moved('the columns of an answered commitment in the present row: refused', () =>
  withPending(async account => {
    const { row, node, nodes } = account
    const { snapshot, dueAt, commitment: before } = await row()
    await enter(nodes[0], response)
    await putRow(account, { ...(await row()), snapshot, dueAt, commitment: before })
    await isRefused([...nodes, node()], response)
  }),
)

Moved(
  'the whole row from before an answer: refused by each node that has read or committed a later row',
  () =>
    withPending(async account => {
      const { row, nodes } = account
      const before = await row()
      await enter(nodes[0], response)
      await nodes[1].read(ID)
      await putRow(account, before)
      await isRefused(nodes, response)
    }),
)

Moved('a commitment that a node answered is not answered again, even if another row contains it', () =>
  withAccount(async ({ nodes: [node, other] }) => {
    const again = async (accounts: Accounts) => {
      await enter(accounts, requested, { commitment })
      return accounts.turn(ID, () => ({ event: response })).catch((error: unknown) => error)
    }
    assert.not.instance(await again(node), Error)
    assert.instance(await again(node), MissingCommitmentError)
    // other nodes refuse the commitment only because of its row, which this test does not check
    assert.not.instance(await again(other), Error)
  }),
)

Moved('a node of `own` answers the commitments that it made, and no others', () =>
  withAccount(async ({ node, nodes: [maker] }) => {
    const own = node({ commitmentsOf: 'own' })
    const asked = (answering: Accounts) =>
      answering
        .turn(ID, ({ can }) => {
          assert.is(can(response), answering !== own || isOwn)
          return { event: response }
        })
        .catch((error: unknown) => error)
    let isOwn = false
    await enter(maker, requested, { commitment })
    assert.instance(await asked(own), MissingCommitmentError)
    isOwn = true
    await enter(own, requested, { commitment: { ...commitment, sealedRandomizer: bytesOf('own') } })
    assert.not.instance(await asked(own), Error)
  }),
)

Moved('the whole row from before wrong PINs, with its counter: refused', () =>
  withAccount(async account => {
    const before = await account.row()
    for (let i = 0; i < 3; i++) await enter(account.nodes[0], wrongPin)
    await putRow(account, before)
    await isRefused([account.nodes[0]])
  }),
)

Moved('the record from before wrong PINs in the present row, or its counter in the record: refused', () =>
  withAccount(async account => {
    const { row, nodes } = account
    const before = await row()
    for (let i = 0; i < 3; i++) await enter(nodes[0], wrongPin)
    const present = await row()
    await putRow(account, { ...present, record: before.record })
    await isRefused(nodes)
    await putRow(account, { ...before, version: present.version })
    await isRefused(nodes)
  }),
)

Moved('the older form in place of the bound one: refused by a node that has read the bound one', () =>
  withAccount(async account => {
    const { row, node, nodes } = account
    const present = await row()
    const record = sealRecord(nodes[0].secretsOf(present), keysOf(7), new Uint8Array(12))
    await putRow(account, { ...present, chart: 1, record })
    await isRefused([nodes[0], node({ binding: 'require' })])
    // a new node of `write` cannot see that the form is older, and binds the record
    await enter(nodes[1], wrongPin)
    assert.is((await row()).chart, 2)
  }),
)

Moved('a row of the older form is bound by its next commit, which may be any event', () =>
  withAccount(
    async ({ row, node, clock }) => {
      const [older, newer] = [node(), node({ binding: 'write' })]
      await enter(older, requested, { commitment })
      assert.is((await row()).chart, 1)
      const secrets = older.secretsOf(await row())
      clock.advance(20_000)
      await newer.read(ID) // the commitment ends
      const bound = await row()
      assert.equal([bound.chart, bound.commitment, newer.secretsOf(bound)], [2, null, secrets])
      // a node of `read` keeps the form
      await enter(older, requested, { commitment })
      assert.is((await row()).chart, 2)
    },
    DEVICE_KEY,
    { binding: 'read' },
  ),
)

Moved('a changed account that is due is reported once an hour, and does not delay other accounts', () =>
  withPending(async account => {
    const { row, store, clock, failures } = account
    await putRow(account, { ...(await row()), dueAt: 0 })
    failures.length = 0
    for (let i = 0; i < 10; i++) {
      clock.advance(60_000)
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    }
    assert.is(failures.filter(error => error instanceof RecordError).length, 2, 'once at each node')
    assert.ok(await store.accounts.load(hashOfToken(OTHER)))
  }),
)

Moved.run()
