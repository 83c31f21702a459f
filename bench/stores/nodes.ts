/** Session servers on one store, each a process of its own, and whole sessions at them: each call goes to the next of them. @module */
import { call, dropConnections, forAll } from '../sessions/client.ts'
import { PROFILE, type Running, type Served, withServer } from '../sessions/measure.ts'

const JSON_BODY = { 'content-type': 'application/json' }
const APP = {
  [PROFILE.minVersionHeader]: '2.4',
  [PROFILE.maxVersionHeader]: '2.8',
  authorization: 'benchmark',
}

export type Nodes = readonly Running[]

type Wanted = { readonly store: string | null; readonly nodes: number }

/** @param wanted a store of null: an SQLite file of its own
 *  @param work is given the nodes of each store */
export async function withNodes<Result>(
  wanted: readonly Wanted[],
  served: Served,
  work: (running: readonly Nodes[]) => Promise<Result>,
  running: readonly Nodes[] = [],
): Promise<Result> {
  const next = wanted[running.length]
  if (!next) return work(running)
  const options = next.store === null ? {} : { store: next.store }
  const open = (nodes: Nodes): Promise<Result> =>
    nodes.length === next.nodes
      ? withNodes(wanted, served, work, [...running, nodes])
      : withServer({ ...served, nonce: NONCE, options }, node => open([...nodes, node]))
  return open([])
}

/** Whichever node answers, the challenge is the same. */
const NONCE = 0x123456789abcdef0123456789abcdefn

/** @returns CPU ms of all nodes for one of so many sessions */
export async function wholeSessions(nodes: Nodes, request: string, count: number): Promise<number> {
  dropConnections()
  const before = await cpuOf(nodes)
  let calls = 0
  const next = (path: string): string => `${nodes[calls++ % nodes.length]?.address}${path}`
  const bodies = nodes[0]?.bodies ?? []
  const created = await forAll(Array.from({ length: count }), async () =>
    JSON.parse(await call('POST', next('/session'), JSON_BODY, request)),
  )
  calls += 1 // else each session would come back to the node that it was at
  await forAll(created, ({ sessionPtr }) => call('GET', next(new URL(sessionPtr.u).pathname), APP))
  calls += 1
  await forAll(created, ({ sessionPtr }, i) =>
    call('POST', next(`${new URL(sessionPtr.u).pathname}/proofs`), APP, bodies[i % bodies.length]),
  )
  calls += 1
  const results = await forAll(created, ({ token }) => call('GET', next(`/session/${token}/result`), {}))
  if (!results.every(text => JSON.parse(text).proofStatus === 'VALID'))
    throw new Error('benchmark: expected every session to be VALID')
  return ((await cpuOf(nodes)) - before) / count
}

async function cpuOf(nodes: Nodes): Promise<number> {
  const each = await Promise.all(nodes.map(({ server }) => server.ask({ ask: 'cpu' })))
  return each.reduce((sum, ms) => sum + ms, 0)
}
