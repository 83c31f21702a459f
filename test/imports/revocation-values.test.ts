/** `svc issuer import-revocation` from a database with missing, damaged or contradicting values. */
import * as assert from 'uvu/assert'
import { BADGE } from '../actors/authority.ts'
import { hasPostgres } from '../postgres.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { query, restored } from './dump.ts'
import { DUMP, EXPECTED, imported, importFrom, newStore } from './revocation-command.ts'

const Values = suite('svc issuer import-revocation: values of the source')
const withDatabase = isMissing('PostgreSQL', hasPostgres) ? Values.skip : Values

withDatabase('a missing or damaged value is refused with its table, column and type', async () => {
  const badge = `where cred_type = '${BADGE}'`
  for (const [damage, expected] of [
    [
      `update accumulator_records set data = null ${badge}`,
      /accumulator_records of svc-demo.fast.badge: expected a value of data, got none/,
    ],
    [
      `update accumulator_records set data = substring(data from 1 for 20) ${badge}`,
      /accumulator_records of svc-demo.fast.badge: accumulator: expected/,
    ],
    [
      `update event_records set e = null ${badge}`,
      /event_records of svc-demo.fast.badge: expected a value of e, got none/,
    ],
    [`update event_records set parent_hash = null ${badge}`, /expected a value of parent_hash, got none/],
    [
      `update issuance_records set attr = null ${badge}`,
      /issuance_records of svc-demo.fast.badge: expected a value of attr, got none/,
    ],
    [`update issuance_records set pk_counter = null ${badge}`, /expected a value of pk_counter, got none/],
    [`update issuance_records set valid_until = null ${badge}`, /expected a value of valid_until, got none/],
  ] as const) {
    const from = await restored(DUMP)
    await query(from, damage)
    const { code, stderr } = await importFrom(from, newStore())
    assert.is(code, 1, damage)
    assert.match(stderr, expected)
  }
})

withDatabase('a record without a prime of its own, or with a negative time, is refused', async () => {
  const tooLong = 'c2e797bece24da790e5fade3c5a9395984f64db3c142c149a911ace3' // a prime of 224 bits
  const repeated = `(select attr from issuance_records where cred_type = '${BADGE}' and revocationkey = 'b-3' limit 1)`
  for (const [change, expected] of [
    ["attr = '\\x0f'", 'attr: expected the prime of a credential, got another number'],
    [`attr = '\\x${tooLong}'`, 'attr: expected the prime of a credential, got another number'],
    [`attr = ${repeated}`, 'attr: expected each value once, got one twice'],
    ['revoked_at = -1', 'expected revoked_at from 0 on, got a negative time'],
    ['valid_until = -1', 'expected valid_until from 0 on, got a negative time'],
    ['issued = -1', 'expected issued from 0 on, got a negative time'],
  ] as const) {
    const from = await restored(DUMP)
    await query(from, `update issuance_records set ${change} where revocationkey = 'b-4'`)
    const { code, stderr } = await importFrom(from, newStore())
    assert.is(code, 1, change)
    assert.ok(stderr.includes(`issuance_records of svc-demo.fast.badge: ${expected}`), stderr)
  }
})

withDatabase('the import counts the records that contradict the events', async () => {
  const from = await restored(DUMP)
  await query(
    from,
    `update issuance_records set revoked_at = 0 where revocationkey = 'b-3';
     update issuance_records set revoked_at = 1 where revocationkey = 'b-4'`,
  )
  const [badge, permit] = EXPECTED.split('\n')
  const expected =
    'svc-demo.fast.badge, key 0: expected an event for each revoked record and for no other, got 2 records that contradict the events'
  assert.is(await imported(from, newStore()), `${badge}\n${expected}\n${permit}\n`)
})

Values.run()
