/** A keyshare server of an attacker who can write to its store, but has none of its keys. @module */
import { openSqlite } from '../../stores/sqlite/statements.ts'
import { endProcess } from '../end-process.ts'
import type { OwnServers } from './own-servers.ts'

/** Columns of a row of `accounts`, by name. */
export type Columns = Readonly<Record<string, string | number | bigint | Uint8Array | null>>

export type EditedKeyshare = {
  /** its address, without a slash at the end */
  readonly urls: readonly string[]
  /** the row of an account */
  readonly read: (userName: string) => Promise<Columns>
  /** Changes columns of the row while the server is stopped, because a running one has it in memory. */
  readonly write: (userName: string, columns: Columns) => Promise<void>
}

/** @param settings options besides the profile `irma` */
export async function editedKeyshare(
  { start }: OwnServers,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<EditedKeyshare> {
  const options = { profile: 'irma', ...settings }
  let server = await start('keyshare', options)
  const { storeFile } = server
  const run = async (sql: string, values: readonly Columns[string][]): Promise<Columns> => {
    const database = await openSqlite(storeFile)
    try {
      return { ...Object(database.prepare(sql).get(...values)) }
    } finally {
      database.close()
    }
  }
  return {
    get urls() {
      return [server.url]
    },
    read: userName => run('select * from accounts where user_name = ?', [userName]),
    async write(userName, columns) {
      await endProcess(server.process, 'SIGKILL')
      const changes = Object.keys(columns).map(name => `${name} = ?`)
      const sql = `update accounts set ${changes.join()} where user_name = ?`
      await run(sql, [...Object.values(columns), userName])
      server = await start('keyshare', { ...options, store: `sqlite:${storeFile}` })
    },
  }
}
