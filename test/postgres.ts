/** A real PostgreSQL server for the tests of one process. It starts when the first test needs it, without a port, and ends with the process in every case.
 *  Each test has its own database. @module */
import { type ChildProcess, execFileSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { endProcess, spawnUntilTestsEnd } from './end-process.ts'
import { pause } from './patience.ts'
import { temporaryFolder } from './temporary-folder.ts'

const VERSIONS = '/usr/lib/postgresql'
/** The user and group without a login: the server refuses root. */
const NOBODY = 65_534

/** The pause between two checks of its readiness. */
const LOOK_MS = 20

/** The newest version in Debian's usual folder; null if there is none */
const PROGRAMS = newest()

function newest(): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : []
  const [version] = versions.sort((a, b) => Number(b) - Number(a))
  return version === undefined ? null : join(VERSIONS, version, 'bin')
}

/** True if PostgreSQL is installed; the second argument of `isMissing`. */
export const hasPostgres = PROGRAMS !== null

export type PostgresServer = {
  /** Creates a new, empty database. @param options of the command that creates it @returns its address */
  readonly newDatabase: (options?: string) => Promise<string>
  /** Stops it at once, like a crash. */
  readonly stop: () => Promise<void>
  /** Starts it again, with everything that was committed. */
  readonly start: () => Promise<void>
  /** Pauses all its processes: connections stay open, and no client gets an answer. */
  readonly freeze: () => void
  readonly thaw: () => void
}

let shared: Promise<PostgresServer> | null = null

/** The server that the tests of this process share. @returns the address of a new, empty database */
export async function newPostgresDatabase(options = ''): Promise<string> {
  shared ??= startPostgres()
  return (await shared).newDatabase(options)
}

let reused: Promise<string> | null = null

/** Reused by many tests, one after the other, because creating a database is slow. @returns the address of a database whose tables, if any, are empty */
export async function emptyPostgresDatabase(): Promise<string> {
  reused ??= newPostgresDatabase()
  const address = await reused
  const client = new pg.Client(address)
  await client.connect()
  const { rows } = await client.query(
    `select string_agg(tablename, ',') as names from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
  )
  const { names } = rows[0]
  if (names !== null) await client.query(`truncate ${names}`)
  await client.end()
  return address
}

/** @param folder of its data and its socket */
export async function startPostgres(folder = temporaryFolder()): Promise<PostgresServer> {
  if (PROGRAMS === null) throw new Error(`PostgreSQL: expected a version in ${VERSIONS}, got none`)
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const data = join(folder, 'data')
  const options = ['-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions']
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const initdb = [join(PROGRAMS, 'initdb'), '-D', data, '-U', 'svc', ...options] as const
  execFileSync(initdb[0], initdb.slice(1), { ...user, cwd: folder, stdio: 'ignore' })
  const asUser = isRoot ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
  const settings = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=200']
  let child: ChildProcess | null = null
  let databases = 0
  const start = async (): Promise<void> => {
    const begun = [...asUser, join(PROGRAMS, 'postgres'), '-D', data, '-k', folder, ...settings]
    child = spawnUntilTestsEnd(begun, folder, 'SIGQUIT')
    await untilReady(folder, child)
  }
  await start()
  return {
    start,
    freeze: () => signalAll(child, 'SIGSTOP'),
    thaw: () => signalAll(child, 'SIGCONT'),
    stop: () => endProcess(child, 'SIGQUIT'),
    async newDatabase(options = '') {
      const name = `test_${++databases}`
      const client = new pg.Client({ host: folder, user: 'svc', database: 'postgres' })
      await client.connect()
      await client.query(`create database ${name} ${options}`)
      await client.end()
      return `postgres://svc@/${name}?host=${encodeURIComponent(folder)}`
    },
  }
}

/** The server, and its process for each connection. */
function signalAll(child: ChildProcess | null, signal: 'SIGSTOP' | 'SIGCONT'): void {
  child?.kill(signal) // afterwards it creates no further process
  for (const pid of readFileSync(`/proc/${child?.pid}/task/${child?.pid}/children`, 'utf8').split(' '))
    if (pid !== '') signalOne(Number(pid), signal)
}

/** A process that has ended since it was listed needs no signal. */
function signalOne(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (Object(error).code !== 'ESRCH') throw error
  }
}

async function untilReady(host: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const client = new pg.Client({ host, user: 'svc', database: 'postgres' })
    client.on('error', () => {}) // it is not ready
    try {
      await client.connect()
      return await client.end()
    } catch {
      await pause(LOOK_MS)
    }
  }
  throw new Error(`PostgreSQL: expected a server that runs, got its end with ${child.exitCode}`)
}
