/** CPU of the servers for a whole disclosure session, in several cases, round by round in one run, each compared with another case. The database engines are
 *  separate processes, whose CPU does not count. @module */
import { median, rounded } from '../cpu.ts'
import { makeBodies, REQUEST } from '../sessions.ts'
import { type Nodes, type Routing, type StoreOfEach, wholeSessions, withNodes } from './nodes.ts'

const WARM_UP_ROUNDS = 20
const ROUNDS = 15
/** Sessions of each node per round, for any number of nodes: the warm-up of the compiler depends on the work of a process. */
const SESSIONS_PER_NODE = 200

/** @template Name name of the case */
export type Case<Name extends string = string> = {
  readonly name: Name
  readonly stores: StoreOfEach
  /** left out: all calls of a session go to one node */
  readonly routing?: Routing
  /** name of the case to compare with; left out: itself */
  readonly besides?: Name
}

export type StoreMeasurement = {
  readonly sessionsPerNode: number
  /** by name: CPU ms of one session, and its median ratio to the compared case */
  readonly cases: Readonly<Record<string, { readonly wholeMs: number; readonly ratio: number }>>
}

/** @returns CPU ms of one session: a list for each case, with a number for each round */
async function measure(cases: readonly Case[], running: readonly Nodes[]): Promise<number[][]> {
  const rounds: number[][] = running.map(() => [])
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
    for (const [i, nodes] of running.entries()) {
      const routing = cases[i]?.routing ?? 'one node'
      const ms = await wholeSessions(nodes, routing, REQUEST, SESSIONS_PER_NODE * nodes.length)
      if (round >= WARM_UP_ROUNDS) rounds[i]?.push(ms)
    }
  return rounds
}

export async function compareCases<Name extends string>(
  cases: readonly Case<Name>[],
): Promise<StoreMeasurement> {
  const stores = cases.map(each => each.stores)
  const served = { request: REQUEST, makeBodies }
  const rounds = await withNodes(stores, served, running => measure(cases, running))
  const roundsOf = (wanted: Name): readonly number[] =>
    rounds[cases.findIndex(({ name }) => name === wanted)] ?? []
  const measured = cases.map(({ name, besides = name }) => {
    const [own, others] = [roundsOf(name), roundsOf(besides)]
    const ratio = median(own.map((ms, round) => ms / (others[round] ?? Number.NaN)))
    return [name, { wholeMs: rounded(median(own)), ratio: rounded(ratio) }] as const
  })
  return { sessionsPerNode: ROUNDS * SESSIONS_PER_NODE, cases: Object.fromEntries(measured) }
}

/** Prints a table, or one line of JSON. */
export function printMeasured(name: string, measured: StoreMeasurement, json: boolean): void {
  if (json) console.log(JSON.stringify({ name, node: process.version, ...measured }))
  else console.table(measured.cases)
}
