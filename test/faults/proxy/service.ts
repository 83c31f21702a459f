/** Two nodes with the settings of `deploy/server.yml` on one PostgreSQL, each behind a relay to it, and their faults. @module */
import { join } from 'node:path'
import { freePort, type Running, startSvc } from '../../cli/run-svc.ts'
import { nodeSettings } from '../../deploy/node-settings.ts'
import { clientOf } from '../../http/client.ts'
import { pause, until } from '../../patience.ts'
import { newPostgresDatabase } from '../../postgres.ts'
import { type StoreProxy, storeProxy } from '../cluster/store-proxy.ts'

export type ServiceNode = {
  readonly port: number
  readonly relay: StoreProxy
  running: Running | null
  readonly start: (url: string) => Promise<void>
}

export async function newNodes(): Promise<readonly [ServiceNode, ServiceNode]> {
  const direct = await newPostgresDatabase()
  return [await newNode(direct), await newNode(direct)]
}

async function newNode(direct: string): Promise<ServiceNode> {
  const { pathname, searchParams, username } = new URL(direct.replace('@/', '@socket/'))
  const relay = await storeProxy({ path: join(searchParams.get('host') ?? '', '.s.PGSQL.5432') })
  const store = `postgres://${username}@127.0.0.1:${relay.port}${pathname}`
  const port = await freePort()
  const node: ServiceNode = {
    port,
    relay,
    running: null,
    async start(url) {
      const { words, env } = nodeSettings({ url, store, port, metricsPort: await freePort() })
      node.running = startSvc(words, env)
      await node.running.says('svc server running')
      await untilReady(node)
    },
  }
  return node
}

async function untilReady({ port }: ServiceNode): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    const answer = await clientOf(port)
      .call('GET', '/health/ready')
      .catch(() => null)
    return answer?.status === 200
  }
  await until(isReady, 'a node that is ready')
}

async function signalled({ running }: ServiceNode, signal: NodeJS.Signals): Promise<void> {
  running?.process.kill(signal)
  await running?.finished
}

/** @param lastsMs the duration, for faults that last */
export type Fault = (node: ServiceNode, url: string, lastsMs: number) => Promise<void>

/** Each fault ends with a node that is well. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  async 'stopped and started again'(node, url) {
    await signalled(node, 'SIGTERM')
    await node.start(url)
  },
  async 'killed and started again'(node, url) {
    await signalled(node, 'SIGKILL')
    await node.start(url)
  },
  async frozen(node, _url, lastsMs) {
    node.running?.process.kill('SIGSTOP')
    await pause(lastsMs)
    node.running?.process.kill('SIGCONT')
    await untilReady(node)
  },
  async 'cut off from its store'(node, _url, lastsMs) {
    node.relay.set('cut')
    await pause(lastsMs)
    node.relay.set('open')
    await untilReady(node)
  },
  async 'without an answer of its store'(node, _url, lastsMs) {
    node.relay.set('half-open')
    await pause(lastsMs)
    node.relay.set('open')
    await untilReady(node)
  },
}

export async function endNodes(nodes: readonly ServiceNode[]): Promise<void> {
  await Promise.all(nodes.map(node => signalled(node, 'SIGTERM')))
  for (const { relay } of nodes) relay.close()
}
