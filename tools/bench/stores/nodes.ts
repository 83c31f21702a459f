/** Runs several session servers, each in a separate process, and whole sessions at them. @module */
import { randomInt } from 'node:crypto'
import { call, dropConnections, forAll } from '../sessions/client.ts'
import {
  APP,
  JSON_BODY,
  type RunningBenchmark,
  type ServedSessions,
  withServer,
} from '../sessions/measure.ts'

export type Nodes = readonly RunningBenchmark[]

/** The store of each node; null: an SQLite file of its own. */
export type StoreOfEach = readonly (string | null)[]

/** @param wanted stores of the nodes of each case
 *  @param work called with the nodes of each case */
export async function withNodes<Result>(
  wanted: readonly StoreOfEach[],
  served: ServedSessions,
  work: (running: readonly Nodes[]) => Promise<Result>,
  running: readonly Nodes[] = [],
): Promise<Result> {
  const next = wanted[running.length]
  if (!next) return work(running)
  const open = (nodes: Nodes): Promise<Result> => {
    const store = next[nodes.length]
    if (store === undefined) return withNodes(wanted, served, work, [...running, nodes])
    const options = store === null ? {} : { store }
    return withServer({ ...served, nonce: NONCE, options }, node => open([...nodes, node]))
  }
  return open([])
}

/** The challenge, which is the same at every node. */
const NONCE = 0x123456789abcdef0123456789abcdefn

/** Routing of a session's calls: all to one node, or each to any node, as a proxy without session affinity does. */
export type Routing = 'one node' | 'any node'

/** @returns CPU ms of all nodes for one of `count` sessions */
export async function wholeSessions(
  nodes: Nodes,
  routing: Routing,
  request: string,
  count: number,
): Promise<number> {
  dropConnections()
  const before = await cpuOf(nodes)
  const to = (path: string, session: number): string => {
    const number = routing === 'any node' ? randomInt(nodes.length) : session % nodes.length
    return `${nodes[number]?.address}${path}`
  }
  const bodies = nodes[0]?.bodies ?? []
  const sessions = Array.from({ length: count }, (_, i) => i)
  const created = await forAll(sessions, async i =>
    JSON.parse(await call('POST', to('/session', i), JSON_BODY, request)),
  )
  await forAll(created, ({ sessionPtr }, i) => call('GET', to(new URL(sessionPtr.u).pathname, i), APP))
  await forAll(created, ({ sessionPtr }, i) =>
    call('POST', to(`${new URL(sessionPtr.u).pathname}/proofs`, i), APP, bodies[i % bodies.length]),
  )
  const results = await forAll(created, ({ token }, i) => call('GET', to(`/session/${token}/result`, i), {}))
  if (!results.every(text => JSON.parse(text).proofStatus === 'VALID'))
    throw new Error('benchmark: expected every session to be VALID')
  return ((await cpuOf(nodes)) - before) / count
}

async function cpuOf(nodes: Nodes): Promise<number> {
  const each = await Promise.all(nodes.map(({ server }) => server.ask({ ask: 'cpu' })))
  return each.reduce((sum, ms) => sum + ms, 0)
}
