/** The tables of an existing keyshare server (spec/keyshare-server#12): its accounts in batches, and their log. Rows are returned as they are, with times in Unix
 *  seconds. @module */
import { ImportSource, type Table } from './source.ts'

export type SourceAddress = { readonly text: string; readonly deleteSec: number | null }
/** A link that was mailed and not used. @property token secret */
export type SourceLink = { readonly token: string; readonly text: string; readonly endsSec: number }

export type SourceAccount = {
  /** number of the row; ascending in a batch */
  readonly number: number
  readonly userName: string
  readonly language: string
  /** encrypted; null: the owner has deleted the account */
  readonly record: Uint8Array | null
  readonly seenSec: number
  readonly attempts: number
  /** end of the block, or the time of the last wrong attempt */
  readonly blockSec: number
  readonly deleteSec: number | null
  /** confirmed addresses */
  readonly addresses: readonly SourceAddress[]
  readonly links: readonly SourceLink[]
}

export type SourceEntry = {
  readonly number: number
  readonly userName: string
  readonly atSec: number
  readonly event: string
  readonly param: string | null
}

/** @property number of a storage key @property accounts with a record under this key */
export type SourceKey = { readonly number: number; readonly accounts: number }

/** Log entries that are younger may become visible out of order, because other transactions are still open. */
const SETTLED_SEC = 10
/** The number of records that are tried with a storage key. */
const SAMPLES = 3

const SCHEMA = 'irma'
const TABLES: readonly Table[] = [
  {
    schema: SCHEMA,
    name: 'users',
    columns: 'id username language coredata last_seen pin_counter pin_block_date delete_on'.split(' '),
  },
  { schema: SCHEMA, name: 'emails', columns: ['id', 'user_id', 'email', 'delete_on'] },
  {
    schema: SCHEMA,
    name: 'email_verification_tokens',
    columns: ['id', 'user_id', 'token', 'email', 'expiry'],
  },
  { schema: SCHEMA, name: 'log_entry_records', columns: ['id', 'user_id', 'time', 'event', 'param'] },
]

type UserRow = {
  readonly id: number
  readonly username: string
  readonly language: string
  readonly coredata: Uint8Array | null
  readonly last_seen: string
  readonly pin_counter: number
  readonly pin_block_date: string
  readonly delete_on: string | null
}
type AddressRow = { readonly user_id: number; readonly email: string; readonly delete_on: string | null }
type LinkRow = {
  readonly user_id: number
  readonly token: string
  readonly email: string
  readonly expiry: string
}

export class AccountSource {
  readonly #source: ImportSource

  private constructor(source: ImportSource) {
    this.#source = source
  }

  /** @param address `postgres://...`, secret
   *  @throws {Error} that says expected and got */
  static async open(address: string): Promise<AccountSource> {
    return new AccountSource(await ImportSource.open(address, TABLES, 'a keyshare server'))
  }

  get name(): string {
    return this.#source.name
  }

  /** The storage keys that occur, by number. A record of less than 4 bytes is damaged, and names no key. */
  async keys(): Promise<readonly SourceKey[]> {
    const rows = await this.#source.all<{ key: Uint8Array; accounts: string }>(
      `select substring(coredata from 1 for 4) as key, count(*) as accounts from irma.users
        where length(coredata) >= 4 group by 1 order by 1`,
    )
    return rows.map(({ key, accounts }) => ({ number: numberIn(key), accounts: Number(accounts) }))
  }

  /** @returns a few records that name this storage key, the oldest first */
  async samples({ number }: Pick<SourceKey, 'number'>): Promise<readonly Uint8Array[]> {
    const key = Buffer.alloc(4)
    key.writeUInt32LE(number)
    const rows = await this.#source.all<{ coredata: Uint8Array }>(
      'select coredata from irma.users where substring(coredata from 1 for 4) = $1 order by id limit $2',
      [key, SAMPLES],
    )
    return rows.map(({ coredata }) => coredata)
  }

  /** The accounts whose number is greater than `after`. */
  accounts(after: number, limit: number): Promise<readonly SourceAccount[]> {
    return this.#source.atOnce(async () => {
      const users = await this.#source.all<UserRow>(
        `select id, username, language, coredata, last_seen, pin_counter, pin_block_date, delete_on
          from irma.users where id > $1 order by id limit $2`,
        [after, limit],
      )
      const ids = users.map(({ id }) => id)
      const addresses = await this.#source.all<AddressRow>(
        'select user_id, email, delete_on from irma.emails where user_id = any($1) order by id',
        [ids],
      )
      const links = await this.#source.all<LinkRow>(
        'select user_id, token, email, expiry from irma.email_verification_tokens where user_id = any($1) order by id',
        [ids],
      )
      return users.map(user => accountOf(user, addresses, links))
    })
  }

  /** The number of the last log entry; 0: there is none.
   *  @param onlySettled stops before the first entry of the last 10 s, by the time of the database */
  async logEnd(onlySettled: boolean): Promise<number> {
    const [row] = await this.#source.all<{ end: number }>(
      `select coalesce(min(id) filter (where $1 and time >= extract(epoch from now()) - $2) - 1, max(id), 0) as end
        from irma.log_entry_records`,
      [onlySettled, SETTLED_SEC],
    )
    return row?.end ?? 0
  }

  /** The log entries whose number is greater than `after` and at most `end`. */
  async log(after: number, limit: number, end: number): Promise<readonly SourceEntry[]> {
    const rows = await this.#source.all<{
      id: number
      username: string
      time: string
      event: string
      param: string | null
    }>(
      `select log.id, users.username, log.time, log.event, log.param
        from irma.log_entry_records as log join irma.users as users on users.id = log.user_id
        where log.id > $1 and log.id <= $2
        order by log.id limit $3`,
      [after, end, limit],
    )
    return rows.map(({ id: number, username: userName, time, event, param }) => ({
      number,
      userName,
      event,
      param,
      atSec: Number(time),
    }))
  }

  close(): Promise<void> {
    return this.#source.close()
  }
}

function accountOf(
  user: UserRow,
  addresses: readonly AddressRow[],
  links: readonly LinkRow[],
): SourceAccount {
  const { id: number, username: userName, language, coredata: record, pin_counter: attempts } = user
  const isOf = ({ user_id }: { readonly user_id: number }): boolean => user_id === number
  return {
    number,
    userName,
    language,
    record,
    attempts,
    seenSec: Number(user.last_seen),
    blockSec: Number(user.pin_block_date),
    deleteSec: secondsIn(user.delete_on),
    addresses: addresses
      .filter(isOf)
      .map(({ email: text, delete_on }) => ({ text, deleteSec: secondsIn(delete_on) })),
    links: links
      .filter(isOf)
      .map(({ token, email: text, expiry }) => ({ token, text, endsSec: Number(expiry) })),
  }
}

function secondsIn(time: string | null): number | null {
  return time === null ? null : Number(time)
}

/** The number at the start of a record is little-endian. */
function numberIn(key: Uint8Array): number {
  return Buffer.concat([key, Buffer.alloc(4)]).readUInt32LE()
}
