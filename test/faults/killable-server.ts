/** A server as its own process on an SQLite file, killed and restarted with the same command, and its file as other processes read it. @module */
import { copyFile, rm } from 'node:fs/promises'
import type { ProfileName } from '../../protocol/profiles.ts'
import { restoreOutcome } from '../../sessions/result.ts'
import { openSqlite } from '../../stores/sqlite/statements.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { freePort } from '../cli/run-svc.ts'
import { serverProcess } from './server-process.ts'

/** One session as stored in the file. */
export type StoredSession = {
  /** the hash of its client token */
  readonly id: string
  /** the stored token, or that of the result of the session before it; empty: its requestor alone has it */
  readonly requestorToken: string
  readonly requestorTokenHash: string
  /** as it is stored: a hash */
  readonly frontendToken: string
  /** the wire status; while a submission is handled, the current step of the work */
  readonly status: string
  readonly step: string | null
  readonly isClaimed: boolean
  readonly hasProgress: boolean
  readonly deadlineAt: number
  /** JSON of the columns of that name; null if not set yet */
  readonly request: string
  readonly result: string | null
  readonly profile: ProfileName
}

export type KillableServer = {
  /** without a slash at the end */
  readonly url: string
  readonly file: string
  /** kills so far */
  kills(): number
  /** Resolves when a server answers: at once, or after the restart if one was killed. */
  isUp(): Promise<void>
  /** SIGKILL, then the same command on the same file and port.
   *  @param meanwhile runs while there is no server
   *  @returns the content of the file after the death of the process */
  killAndRestart(meanwhile?: () => Promise<void>): Promise<readonly StoredSession[]>
  /** the content of the file; the server must be up */
  sessions(): Promise<readonly StoredSession[]>
  end(): Promise<void>
}

export type ServerFacts = {
  readonly schemes: string
  /** the folder of the stores; each server has its own */
  readonly folder: string
  readonly profile: ProfileName
}

/** Proofs are checked with BigInt, which is slow enough for a kill during the check. */
export async function killableServer({ schemes, folder, profile }: ServerFacts): Promise<KillableServer> {
  const port = await freePort()
  const file = `${folder}/${port}.sqlite`
  const words = ['server', '--arithmetic', 'bigint', '--schemes-path', schemes, '--store', `sqlite:${file}`]
  words.push('--port', `${port}`, '--listen-addr', '127.0.0.1', '--profile', profile)
  words.push('--allow-unsigned-callbacks')
  const server = serverProcess(words, 'svc server running')
  await server.start()
  let kills = 0
  let up = Promise.resolve()
  const restart = async (meanwhile?: () => Promise<void>): Promise<readonly StoredSession[]> => {
    await server.kill()
    const left = await readDead(file)
    await meanwhile?.()
    await server.start()
    return left
  }
  return {
    url: `http://127.0.0.1:${port}`,
    file,
    kills: () => kills,
    isUp: () => up,
    killAndRestart(meanwhile) {
      kills++
      const restarted = up.then(() => restart(meanwhile)) // kills run one after the other
      up = restarted.then(() => {})
      up.catch(() => {}) // the caller of the kill gets the error
      return restarted
    },
    sessions: () => readSessions(file),
    end: server.kill,
  }
}

/** Reads a copy. Opening a file that no other process has open would recover it, which is the work of the next server. */
async function readDead(file: string): Promise<readonly StoredSession[]> {
  const copy = `${file}.copy`
  await Promise.all(['', '-wal'].map(end => copyFile(file + end, copy + end)))
  try {
    return await readSessions(copy)
  } finally {
    await Promise.all(['', '-wal', '-shm'].map(end => rm(copy + end, { force: true })))
  }
}

const COLUMNS = [
  'id',
  'requestor_token',
  'requestor_token_hash',
  'frontend_token',
  'status',
  'snapshot',
  'claim',
  'progress',
  'deadline_at',
  'request',
  'result',
  'profile',
] as const
type Row = Readonly<Record<(typeof COLUMNS)[number], string | null>>

/** In the order of creation. No statement is prepared: on Node 20 a statement keeps its connection open after `close` until it is collected,
 *  and closing the last connection removes the write-ahead log. */
async function readSessions(file: string): Promise<readonly StoredSession[]> {
  const members = COLUMNS.map(name => `'${name}', ${name}`).join()
  const database = await openSqlite(file)
  let told = '[]'
  database.function('tell', (text: unknown) => {
    told = String(text)
    return null
  })
  try {
    database.exec(
      `select tell(json_group_array(json_object(${members}))) from (select * from sessions order by rowid)`,
    )
  } finally {
    database.close()
  }
  const rows: readonly Row[] = JSON.parse(told)
  const named = rows.flatMap(({ result }) => {
    const { nextSession } = restoreOutcome(result ?? '{}').value
    return nextSession ? [nextSession.requestorToken] : []
  })
  return rows.map(row => sessionOf(row, named))
}

/** @param named requestor tokens in results */
function sessionOf(row: Row, named: readonly string[]): StoredSession {
  const ofChain = named.find(token => hashOfToken(token) === row.requestor_token_hash)
  return {
    id: String(row.id),
    requestorTokenHash: String(row.requestor_token_hash),
    requestorToken: row.requestor_token || (ofChain ?? ''),
    frontendToken: String(row.frontend_token),
    status: String(row.status),
    step: row.snapshot === null ? null : (JSON.parse(row.snapshot).value?.CONNECTED ?? null),
    isClaimed: row.claim !== null,
    hasProgress: row.progress !== null,
    deadlineAt: Number(row.deadline_at),
    request: String(row.request),
    result: row.result,
    profile: row.profile === 'irma' ? 'irma' : 'svc',
  }
}
