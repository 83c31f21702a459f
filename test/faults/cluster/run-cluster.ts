/** A run of the cluster: nodes on one store, clients that play sessions and logins, faults by a seed, and finally the checker on the history of all clients. @module */
import { writeFileSync } from 'node:fs'
import { PROFILES } from '../../../protocol/profiles.ts'
import { freePort } from '../../cli/run-svc.ts'
import { judge, type Verdict } from '../../history/checker.ts'
import type { HistoryLine } from '../../history/lines.ts'
import { pause, until } from '../../patience.ts'
import { startServers } from '../keyshare/servers.ts'
import type { KillFacts } from '../kill-facts.ts'
import { randomFrom } from '../seeded-random.ts'
import { serverProcess } from '../server-process.ts'
import { storeDelayIn, watchDelays } from './delays.ts'
import { causeFaults, type FaultyNode } from './faults.ts'
import { type Field, fieldOf, UNAVAILABLE } from './field.ts'
import { newAccount, playLogin } from './play-login.ts'
import { playSession, type Stage } from './play-session.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { planFrom } from './requests.ts'
import { CLUSTER_STORES, type StoreName } from './stores.ts'

export type ClusterRun = {
  readonly facts: KillFacts
  readonly store: StoreName
  readonly seed: number
  readonly lastsMs: number
  readonly clients: number
  /** of another build */
  readonly main?: string
  /** the file of the history, one line each, also written when the run fails */
  readonly file?: string | undefined
}

const PROFILE = PROFILES.svc
const ONE_ADDRESS = 'http://cluster.example/'
/** One of this many clients logs in at keyshare servers. */
const LOGINS_IN = 5
/** The longest time between two faults. */
const CALM_MS = 5_000
/** The pause of a client between two sessions. */
const REST_MS = 700
const MOST_KEPT = 100
const FINAL = ['DONE', 'CANCELLED', 'TIMEOUT']
/** After this time without a fault, all nodes work again. */
const SETTLE_MS = 4_000

export async function runCluster(run: ClusterRun): Promise<Verdict> {
  const { facts, seed, lastsMs } = run
  const history: HistoryLine[] = []
  const record = (line: HistoryLine): void => void history.push(line)
  const { hasAccounts, begin } = CLUSTER_STORES[run.store]
  const { seats, direct } = await begin()
  const nodes = await Promise.all(seats.map((seat, index) => startNode(run, { ...seat, record }, index)))
  const receiver = await startReceiver(record, randomFrom(seed + 1))
  const untilAt = Date.now() + lastsMs
  const isOver = (): boolean => Date.now() >= untilAt
  const endWatch = watchDelays(record)
  try {
    for (const { name } of nodes)
      record({ what: 'node', node: name, at: Date.now(), isWell: true, why: 'starts' })
    const urls = Object.fromEntries(nodes.map(({ name, url }) => [name, url]))
    let answers = 0
    const counted = (line: HistoryLine): void => {
      record(line)
      if (line.what === 'call' && ![undefined, UNAVAILABLE].includes(line.answer?.status)) answers++
    }
    const field = fieldOf(urls, counted, randomFrom(seed + 2))
    let kept = 0
    const mayKeep = (): boolean => kept++ < MOST_KEPT
    const stage = { field, wallet: facts.wallet, profile: PROFILE, receiver, mayKeep }
    const loginClients = hasAccounts ? Math.floor(run.clients / LOGINS_IN) : 0
    await Promise.all([
      causeFaults({ nodes, record, random: randomFrom(seed), isOver, answered: () => answers }, CALM_MS),
      ...Array.from({ length: run.clients - loginClients }, (_, i) => client(stage, `${i}`, isOver)),
      logins({ ...field, record }, direct, loginClients, isOver),
    ])
    await pause(SETTLE_MS)
    await settle(receiver, history)
  } finally {
    endWatch()
    receiver.close()
    await Promise.all(nodes.map(({ process }) => process.kill()))
    for (const { proxy } of nodes) proxy?.close()
    if (run.file !== undefined) writeFileSync(run.file, history.map(line => JSON.stringify(line)).join('\n'))
  }
  return judge(history)
}

type Seat = Pick<FaultyNode, 'proxy'> & {
  readonly address: string
  readonly record: (line: HistoryLine) => void
}

async function startNode(
  { facts, main }: ClusterRun,
  { address, proxy, record }: Seat,
  index: number,
): Promise<FaultyNode & { readonly url: string }> {
  const port = await freePort()
  const words = ['server', '--schemes-path', facts.schemes, '--store', address, '--workers', '1']
  words.push('--port', `${port}`, '--listen-addr', '127.0.0.1', '--profile', PROFILE.name)
  words.push('--url', ONE_ADDRESS) // as behind a balancer: pointers do not depend on the node that writes them
  words.push('--callback-backoff', '300ms', '--allow-unsigned-callbacks')
  const process = serverProcess(words, 'svc server running', main, text => storeDelayIn(text).map(record))
  await process.start()
  return { name: `N${index}`, process, proxy, url: `http://127.0.0.1:${port}` }
}

async function client(stage: Stage, name: string, isOver: () => boolean): Promise<void> {
  const { random } = stage.field
  for (let count = 0; !isOver(); count++) {
    await playSession(stage, `${name}-${count}`, planFrom(random))
    await pause(REST_MS * random())
  }
}

/** Keyshare servers on the same store, one of which is killed now and then. */
async function logins(field: Field, store: string, clients: number, isOver: () => boolean): Promise<void> {
  if (clients === 0) return
  const servers = await startServers(store, 2)
  try {
    const urls = Object.fromEntries(servers.urls.map((url, i) => [`K${i}`, url]))
    const atServers = fieldOf(urls, field.record, field.random)
    const play = async (name: string): Promise<void> => {
      for (let count = 0; !isOver(); count++) {
        const account = await newAccount(servers, `${name}-${count}`)
        while (!isOver() && (await playLogin(atServers, account)) === 'goes on')
          await pause(REST_MS * field.random())
      }
    }
    await Promise.all([
      killNowAndThen(servers, field, isOver),
      ...Array.from({ length: clients }, (_, i) => play(`L${i}`)),
    ])
  } finally {
    await servers.end()
  }
}

async function killNowAndThen(
  { killAndRestart }: Awaited<ReturnType<typeof startServers>>,
  { random }: Field,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await pause(2 * CALM_MS * random())
    if (!isOver()) await killAndRestart()
  }
}

/** Resolves when every callback that is known to be due has arrived. */
async function settle({ accepted }: Receiver, history: readonly HistoryLine[]): Promise<void> {
  const owing = new Set<string>()
  for (const line of history) if (line.what === 'session' && line.facts.hasCallback) owing.add(line.session)
  const ended = history.flatMap(line =>
    line.what === 'call' && FINAL.includes(line.answer?.says.status ?? '') ? [line.session] : [],
  )
  const owed = ended.filter(session => owing.has(session))
  const isOwed = (): boolean => owed.some(session => !accepted.has(session))
  await until(() => !isOwed(), 'every callback that is owed').catch(() => {}) // the checker names the missing ones
}
