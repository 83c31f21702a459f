/** Many calls through a proxy of `deploy/`, while one node after the other fails. @module */
import { TOKEN } from '../../deploy/node-settings.ts'
import { pause, until } from '../../patience.ts'
import { clientsOf } from '../rolling/clients.ts'
import { type Counted, countedClient } from './counted.ts'
import { PROXIES, type ProxyName } from './proxies.ts'
import { endNodes, FAULTS, newNodes } from './service.ts'

const LIVES = 8
const WALLETS = 1
export const CLIENTS = LIVES + WALLETS
/** The pause of each client between two sessions. */
const REST_MS = 20

export type PlayOptions = {
  readonly proxy: ProxyName
  readonly rounds: number
  /** the duration of a freeze or a cut */
  readonly lastsMs: number
  /** the least number of calls from the beginning of a fault on */
  readonly calls: number
  /** names of `FAULTS` */
  readonly faults: readonly string[]
}

export type Played = {
  readonly fault: string
  readonly rounds: number
  calls: number
  readonly failures: string[]
  readonly lost: string[]
}

/** @returns the counts for each fault */
export async function play(options: PlayOptions): Promise<readonly Played[]> {
  const { proxy: name, rounds, lastsMs, calls: least, faults } = options
  const nodes = await newNodes()
  const proxy = await PROXIES[name](nodes.map(({ port }) => port))
  const url = `http://127.0.0.1:${proxy.port}/`
  await Promise.all(nodes.map(node => node.start(url)))
  const counted = countedClient(proxy.port)
  const endLoad = await load(counted)
  const played = faults.map((fault): Played => ({ fault, rounds, calls: 0, failures: [], lost: [] }))
  for (let round = 0; round < rounds; round++)
    for (const [i, each] of played.entries()) {
      const { calls, failures, lost, settled } = counted
      const begun = { calls: calls(), failures: failures.length, lost: lost.length }
      await FAULTS[each.fault]?.(nodes[(round + i) % 2 === 0 ? 0 : 1], url, lastsMs)
      await until(() => calls() - begun.calls >= least, `${least} calls`)
      await settled()
      each.calls += calls() - begun.calls
      each.failures.push(...failures.slice(begun.failures))
      each.lost.push(...lost.slice(begun.lost))
    }
  await endLoad()
  await endNodes(nodes)
  await proxy.close()
  return played
}

/** @returns a function that ends the load. @throws {Error} at that time, if more sessions went wrong than calls failed */
async function load({ client, fetch, failures }: Counted): Promise<() => Promise<void>> {
  const { live, disclose } = await clientsOf(client, { token: TOKEN, fetch })
  const wrong: string[] = []
  let isOver = false
  const again = async (work: () => Promise<void>): Promise<void> => {
    for (; !isOver; await pause(REST_MS)) await work().catch(error => void wrong.push(String(error)))
  }
  const clients = Promise.all([
    ...Array.from({ length: WALLETS }, () => again(disclose)),
    ...Array.from({ length: LIVES }, () => again(live)),
  ])
  return async () => {
    isOver = true
    await clients
    if (wrong.length > failures.length)
      throw new Error(`expected sessions that go wrong by failed calls alone, got:\n${wrong.join('\n')}`)
  }
}
