/** `svc issuer import-revocation` from the recorded database of an authority, and the server that takes over from it (spec/cryptography#14). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { eventHash, signAccumulator, verifyUpdate } from '../../crypto/revocation/accumulator.ts'
import { issueWitness, updateWitness } from '../../crypto/revocation/witness.ts'
import { rootOf } from '../../crypto/roots.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import { openSessionServerStore, openStore } from '../../stores/open.ts'
import { openSqlite } from '../../stores/sqlite/statements.ts'
import type { Store } from '../../stores/store.ts'
import { AUTHORITY, BADGE, there } from '../actors/authority.ts'
import { runSvc } from '../cli/run-svc.ts'
import { rejection } from '../faults/rejection.ts'
import { schemes, startRevocationServer } from '../http/revocation-server.ts'
import { hasPostgres } from '../postgres.ts'
import { DEMO_SCHEMES, isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { query, restored } from './dump.ts'
import { DUMP, EXPECTED, imported, importFrom, newStore } from './revocation-command.ts'

const PERMIT = parseCredentialTypeId('svc-demo.gov.permit')
/** Shortly after the recording. */
const NOW_MS = 1_795_751_000_000
const arithmetic = chooseArithmetic('auto')

const Revocation = suite('svc issuer import-revocation')
const withDatabase = isMissing('PostgreSQL', hasPostgres) ? Revocation.skip : Revocation

const bothTypes = [
  [BADGE, AUTHORITY],
  [PERMIT, AUTHORITY],
] as const

/** A server that is the authority of both types. */
async function withAuthority<Result>(
  name: string,
  use: (server: Awaited<ReturnType<typeof startRevocationServer>>) => Promise<Result>,
): Promise<Result> {
  const clock = createSimulatedClock(NOW_MS)
  const store = await openStore(name, systemRandomness.token(), { clock })
  try {
    const server = await startRevocationServer({ store, clock, settings: bothTypes })
    return await use(server).finally(() => server.close())
  } finally {
    await store.close()
  }
}

const keysOf = (type: typeof BADGE) => ({
  key: there(schemes.publicKey(issuerOf(type), 0)),
  privateKey: there(schemes.privateKey(issuerOf(type), 0)),
})

async function updateIn({ revocation }: Pick<Store, 'revocation'>, type: typeof BADGE) {
  const { signed, index } = there(await revocation.load(type, 0))
  return { signed, events: await revocation.events(type, 0, { min: 0, max: index + 1 }) }
}

withDatabase('after the import, revoking, issuing and updates of earlier witnesses work', async () => {
  const name = newStore()
  const from = await restored(DUMP)
  assert.is(await imported(from, name), EXPECTED)
  await withAuthority(name, async ({ revocation, store }) => {
    const { key, privateKey } = keysOf(BADGE)
    const before = await updateIn(store, BADGE)
    const { nu, index } = verifyUpdate(before, key)
    assert.is(index, 3)
    // the witness in the wallet, of a credential that the existing server issued
    const [stored] = await store.revocation.unrevoked(BADGE, 'b-short')
    const { e } = there(stored).record
    const { root: u } = rootOf(arithmetic, { base: nu, e, n: key.n, privateKey }, systemRandomness.bytes)
    await revocation.revoke(BADGE, 'b-4', null)
    await revocation.revoke(PERMIT, 'p-2', null)
    assert.match(await rejection(revocation.revoke(BADGE, 'b-1', null)), /^UnknownRevocationKeyError/)
    const update = await updateIn(store, BADGE)
    assert.is(verifyUpdate(update, key).index, 4)
    const updated = updateWitness(arithmetic, { u, e, signed: before.signed }, update, key)
    assert.ok(updated !== 'revoked' && arithmetic.power(updated.u, e, key.n) === verifyUpdate(update, key).nu)
    const fresh = issueWitness(arithmetic, { key, privateKey, signed: update.signed }, systemRandomness.bytes)
    assert.is.not(fresh.e, e)
    const record = await store.revocation.findRecord(
      PERMIT,
      0,
      0x06132433a4f50c8f63e3d66e571b111009ea795e0d083092bbn,
    )
    assert.is(record?.revocationKey, 'Ключ é 3')
  })
  // the server has revoked credentials since the import, and a repeated import does not undo that
  assert.match(await imported(from, name), /6 issuance records, 3 of them revoked, 6 known before/)
  const store = await openStore(name, 'boot A')
  assert.is((await updateIn(store, BADGE)).events.length, 5)
  await store.close()
})

withDatabase('a later import adds the revocations that the existing authority has made since', async () => {
  const [name, from] = [newStore(), await restored(DUMP)]
  // an earlier state of the same authority, without its last revocation: its accumulator is calculated, and signed with the private key
  const { key, privateKey } = keysOf(BADGE)
  await imported(from, name)
  const store = await openStore(name, 'boot A')
  const last = await updateIn(store, BADGE)
  await store.close()
  const { nu } = verifyUpdate(last, key)
  const lastEvent = there(last.events[3])
  const earlier = {
    nu: arithmetic.power(nu, lastEvent.e, key.n),
    index: 2,
    atSec: 1_795_750_374,
    eventHash: eventHash(there(last.events[2])),
  }
  const { data } = signAccumulator(earlier, privateKey, 0)
  const head = Buffer.from([0x59, data.length >> 8, data.length & 0xff])
  const before = await restored(DUMP)
  await query(before, `update accumulator_records set data = $1 where cred_type = '${BADGE}'`, [
    Buffer.concat([head, data]),
  ])
  await query(
    before,
    `delete from event_records where cred_type = '${BADGE}' and eventindex = 3;
     update issuance_records set revoked_at = 0 where revocationkey = 'b-3'`,
  )
  const second = newStore()
  assert.match(await imported(before, second), /3 events, 6 issuance records, 2 of them revoked/)
  assert.match(
    await imported(from, second),
    /4 events, 6 issuance records, 3 of them revoked, 6 known before/,
  )
  const joined = await openStore(second, 'boot A')
  assert.is(verifyUpdate(await updateIn(joined, BADGE), key).index, 3)
  assert.is((await joined.revocation.unrevoked(BADGE, 'b-3')).length, 1)
  await joined.close()
})

withDatabase('a dry run verifies everything and writes nothing', async () => {
  const name = newStore()
  const said = await imported(await restored(DUMP), name, '--dry-run')
  assert.ok(said.startsWith(`${EXPECTED}dry run: nothing was written, and the store was not opened`), said)
  const store = await openStore(name, 'boot A')
  assert.equal(await store.revocation.loadAll(BADGE), [])
  await store.close()
})

withDatabase(
  'the import succeeds if the authority in the store has no records yet, and is refused if it has some',
  async () => {
    const name = newStore()
    const from = await restored(DUMP)
    await withAuthority(name, async () => {})
    assert.is(await imported(from, name), EXPECTED)
    const other = newStore()
    await withAuthority(other, async ({ store }) => {
      const record = { revocationKey: 'own', credentialType: BADGE, keyCounter: 0, e: 2n ** 127n - 1n }
      const times = { issuedAtNs: 1n, validUntilNs: 2n ** 62n, revokedAtNs: 0n }
      assert.ok(await store.revocation.addRecord({ ...record, ...times }))
    })
    const { code, stderr } = await importFrom(from, other)
    assert.is(code, 1)
    assert.match(stderr, /badge under key 0: expected no accumulator of its own, got one that is in use/)
  },
)

withDatabase('an authority does not start after an import that was not finished', async () => {
  const name = newStore()
  await imported(await restored(DUMP), name)
  const file = await openSqlite(name.slice('sqlite:'.length))
  file.exec(
    `delete from accumulators where type = '${BADGE}'; delete from revocation_events where type = '${BADGE}'`,
  )
  file.close()
  const error = await rejection(withAuthority(name, async () => {}))
  assert.match(
    String(error),
    /expected the accumulator of svc-demo.fast.badge under key 0 .* an import was not finished/,
  )
  assert.is(
    await imported(await restored(DUMP), name),
    EXPECTED.replace('0 known', '6 known').replace('0 known', '3 known'),
  )
  await withAuthority(name, async ({ revocation }) => revocation.revoke(BADGE, 'b-4', null))
})

withDatabase('a chain that the issuer has not signed is refused before anything is written', async () => {
  for (const [damage, expected] of [
    [
      "update event_records set e = '\\x0b' where eventindex = 1",
      /expected each event to follow its predecessor/,
    ],
    ['delete from event_records where eventindex = 0', /expected all its events from number 0 on/],
    [
      'update accumulator_records set pk_counter = 7',
      /expected this public key with revocation in the schemes, got none/,
    ],
    ['update accumulator_records set data = set_byte(data, 60, get_byte(data, 60) # 1)', /accumulator/],
  ] as const) {
    const from = await restored(DUMP)
    await query(from, damage)
    const name = newStore()
    const { code, stderr } = await importFrom(from, name)
    assert.is(code, 1, damage)
    assert.match(stderr, expected)
    const store = await openSessionServerStore(name, 'boot A')
    assert.not.ok(await store.revocation.hasRecords(BADGE, 0))
    await store.close()
  }
})

withDatabase('a type without an accumulator is reported, and a source without any is refused', async () => {
  const from = await restored(DUMP)
  await query(from, `delete from accumulator_records where cred_type = '${BADGE}'`)
  assert.is(
    await imported(from, newStore()),
    `${EXPECTED.split('\n')[1]}\nsvc-demo.fast.badge, key 0: expected an accumulator, got none: 4 events and 6 issuance records are left out\n`,
  )
  await query(from, `delete from issuance_records where cred_type = '${BADGE}'`)
  assert.match(
    await imported(from, newStore(), '--dry-run'),
    /badge, key 0: expected an accumulator, got none: 4 events and 0 issuance records are left out\ndry run: /,
  )
  await query(
    from,
    `insert into event_records (eventindex, cred_type, pk_counter, e, parent_hash) values (0, E'x\\n\\x1b[31m', 0, null, null)`,
  )
  assert.match(
    await imported(from, newStore(), '--dry-run'),
    /^"x\\n\\u001b\[31m", key 0: .* 1 events and 0/m,
  )
  await query(from, 'delete from accumulator_records')
  const { code, stderr } = await importFrom(from, newStore())
  assert.is(code, 1)
  assert.match(stderr, /expected accumulators, got none/)
})

withDatabase('--config reads the store and the schemes from the settings file of the server', async () => {
  const [name, settings] = [newStore(), join(temporaryFolder(), 'svcserver.json')]
  writeFileSync(settings, JSON.stringify({ store: name, schemes_path: DEMO_SCHEMES }))
  const words = ['issuer', 'import-revocation', '--config', settings, '--from', await restored(DUMP)]
  const { code, stdout, stderr } = await runSvc(words)
  assert.is(code, 0, stderr)
  assert.is(stdout, EXPECTED)
})

Revocation.run()
