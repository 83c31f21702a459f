/** A database of an existing keyshare server with any number of accounts of every kind, made for a test. @module */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { sealRecord } from '../../accounts/records.ts'
import { newSecrets } from '../../accounts/secrets.ts'
import type { StorageKeys } from '../../accounts/storage-keys.ts'
import { drawKeyshareSecret } from '../../crypto/keyshare/secrets.ts'
import { type Device, newDevice } from '../accounts/jwts.ts'
import { PIN } from '../http/keyshare/app.ts'
import { restored } from './dump.ts'

/** The kinds, in the order of the accounts. */
export const KINDS = [
  'active',
  'one wrong PIN',
  'two wrong PINs',
  'blocked',
  'block over',
  'without a device key',
  'half registered',
  'deleted by its owner',
  'warned',
  'two addresses',
  'address not confirmed',
  'under an older key',
  'blocked before its deletion',
] as const
export type AccountKind = (typeof KINDS)[number]

export type MadeAccount = {
  readonly userName: string
  readonly kind: AccountKind
  /** null: the account has no device key */
  readonly device: Device | null
}

export type MadeDatabase = { readonly address: string; readonly accounts: readonly MadeAccount[] }

type Row = {
  readonly id: number
  readonly username: string
  readonly coredata: string | null
  readonly last_seen: number
  readonly pin_counter: number
  readonly pin_block_date: number
  readonly delete_on: number | null
}

/** Accounts share these device keys, because making a key takes longer than everything else. */
const DEVICES = 8
const [DAY, HOUR] = [86_400, 3_600]

const CHANGES: Partial<Record<AccountKind, (nowSec: number) => Partial<Row>>> = {
  'one wrong PIN': now => ({ pin_counter: 1, pin_block_date: now - 5 }),
  'two wrong PINs': now => ({ pin_counter: 2, pin_block_date: now - 5 }),
  blocked: now => ({ pin_counter: 9, pin_block_date: now + HOUR }),
  'block over': now => ({ pin_counter: 5, pin_block_date: now - HOUR }),
  'deleted by its owner': now => ({ coredata: null, delete_on: now + 20 * DAY }),
  warned: now => ({ last_seen: now - 400 * DAY, delete_on: now + 20 * DAY }),
  'blocked before its deletion': now => ({ pin_block_date: now + 5 * DAY, delete_on: now + 20 * DAY }),
}

/** @param older seals the records of one kind */
export async function manyAccounts(
  count: number,
  {
    keys,
    older,
    nowSec,
  }: { readonly keys: StorageKeys; readonly older: StorageKeys; readonly nowSec: number },
): Promise<MadeDatabase> {
  const address = await restored('keyshare-database.sql')
  const devices = Array.from({ length: DEVICES }, () => newDevice())
  const accounts = Array.from({ length: count }, (_, i): MadeAccount => {
    const kind = KINDS[i % KINDS.length] ?? 'active'
    const device = kind === 'without a device key' ? null : (devices[i % DEVICES] ?? null)
    return { userName: `made${String(i).padStart(8, '0')}`, kind, device }
  })
  const rows = accounts.map(({ userName, kind, device }, i): Row => {
    const drawn = { mk: drawKeyshareSecret(randomBytes), tokenId: randomBytes(32) }
    const secrets = newSecrets(PIN, { ...drawn, deviceKey: device?.der ?? null })
    const record = sealRecord(secrets, kind === 'under an older key' ? older : keys, randomBytes(12))
    return {
      id: 3 * (i + 1), // numbers have gaps
      username: userName,
      coredata: Buffer.from(record).toString('hex'),
      last_seen: nowSec - DAY,
      pin_counter: 0,
      pin_block_date: 0,
      delete_on: null,
      ...CHANGES[kind]?.(nowSec),
    }
  })
  await insert(address, rows, accounts, nowSec)
  return { address, accounts }
}

async function insert(
  address: string,
  rows: readonly Row[],
  accounts: readonly MadeAccount[],
  nowSec: number,
): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  await client.query(
    'truncate irma.users, irma.emails, irma.email_verification_tokens, irma.log_entry_records, irma.email_login_tokens',
  )
  await client.query(
    `insert into irma.users select id, username, 'nl', decode(coredata, 'hex'), last_seen, pin_counter, pin_block_date, delete_on
      from json_to_recordset($1) as r(id int, username text, coredata text, last_seen bigint, pin_counter int, pin_block_date bigint, delete_on bigint)`,
    [JSON.stringify(rows)],
  )
  const having = (kind: AccountKind) => rows.filter((_, i) => accounts[i]?.kind === kind).map(({ id }) => id)
  const addresses = `insert into irma.emails (id, user_id, email, delete_on)
    select row_number() over () + coalesce((select max(id) from irma.emails), 0), id, $2 || id || $3, $4::bigint from unnest($1::int[]) as r(id)`
  for (const kind of ['two addresses', 'warned', 'deleted by its owner'] as const)
    await client.query(addresses, [having(kind), 'first', '@Takes.test', null])
  await client.query(addresses, [having('two addresses'), 'second', '@takes.test', nowSec + 9 * DAY])
  await client.query(
    `insert into irma.email_verification_tokens select row_number() over (), 'token' || username, 'new' || id || '@takes.test', $2, id from irma.users where id = any($1)`,
    [having('address not confirmed'), nowSec + 2 * DAY],
  )
  await client.query(
    `insert into irma.log_entry_records select row_number() over (), $2::bigint + n, case n when 3 then 'PIN_CHECK_FAILED' when 2 then 'IRMA_SESSION' else 'PIN_CHECK_SUCCESS' end, case n when 3 then '2' end, id
      from unnest($1::int[]) as r(id), generate_series(1, 3) as n`,
    [rows.map(({ id }) => id), nowSec - DAY],
  )
  await client.end()
}
