/** The stores of the cluster: how each starts, how many nodes share it, and how each node connects to it. @module */
import { join } from 'node:path'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { ENGINES, type EngineName, emptyRedis } from '../../redis.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { type StoreProxy, storeProxy } from './store-proxy.ts'

/** The access of one node to the store. */
export type StoreSeat = {
  /** value of the option `store` */
  readonly address: string
  /** null if the node reaches its store directly */
  readonly proxy: StoreProxy | null
}

export type ClusterStore = {
  /** the missing program, if it is not installed */
  readonly needs: string
  readonly isThere: boolean
  readonly nodes: number
  /** true if a keyshare server can use it */
  readonly hasAccounts: boolean
  /** Starts an empty one, and gives each node its seat, and one address without a proxy for other users. */
  readonly begin: () => Promise<{ readonly seats: readonly StoreSeat[]; readonly direct: string }>
}

export const NODES = 3

/** A proxy for each node. @param addressAt the address of the store behind that port */
function seatsBehind(path: string, addressAt: (port: number) => string): Promise<StoreSeat[]> {
  return Promise.all(
    Array.from({ length: NODES }, async () => {
      const proxy = await storeProxy({ path })
      return { proxy, address: addressAt(proxy.port) }
    }),
  )
}

async function seatsAtPostgres() {
  const direct = await newPostgresDatabase()
  const { pathname, searchParams, username } = new URL(direct.replace('@/', '@socket/'))
  const path = join(searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const seats = await seatsBehind(path, port => `postgres://${username}@127.0.0.1:${port}${pathname}`)
  return { seats, direct }
}

async function seatsAtRedis(engine: EngineName) {
  const { address: direct } = await emptyRedis(engine)
  const path = new URL(direct).searchParams.get('socket') ?? ''
  const seats = await seatsBehind(path, port => `redis://127.0.0.1:${port}`)
  return { seats, direct }
}

async function seatAtSqlite() {
  const direct = `sqlite:${join(temporaryFolder(), 'cluster.sqlite')}`
  return { seats: [{ address: direct, proxy: null }], direct }
}

export const CLUSTER_STORES = {
  sqlite: { needs: 'SQLite', isThere: true, nodes: 1, hasAccounts: false, begin: seatAtSqlite },
  postgres: {
    needs: 'PostgreSQL',
    isThere: hasPostgres,
    nodes: NODES,
    hasAccounts: true,
    begin: seatsAtPostgres,
  },
  redis: {
    needs: 'Redis',
    isThere: ENGINES.Redis !== null,
    nodes: NODES,
    hasAccounts: false,
    begin: () => seatsAtRedis('Redis'),
  },
  valkey: {
    needs: 'Valkey',
    isThere: ENGINES.Valkey !== null,
    nodes: NODES,
    hasAccounts: false,
    begin: () => seatsAtRedis('Valkey'),
  },
} as const satisfies Readonly<Record<string, ClusterStore>>

export type StoreName = keyof typeof CLUSTER_STORES
