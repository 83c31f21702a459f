/** A neighbour keeps connections to the listeners of metrics and of the inspector open and sends nothing, so that no other caller gets one. @module */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { freePort } from '../../cli/run-svc.ts'
import { until } from '../../patience.ts'
import type { Attack } from '../attack.ts'

/** All connections that such a listener accepts. */
const ALL = 64
/** The most connections that one address should get. */
const SHARE = 16
/** A silent connection ends after 5 s. */
const TOO_LONG_MS = 8_000

export const attack: Attack = {
  name: 'silent-listeners',
  gains:
    'all connections of the listener of metrics or of the inspector, from one address and without a request',
  cites: 'spec/decisions#small-listeners',
  isTimed: true,
  on: 'own servers',
  async run({ start }) {
    const [metrics_port, inspect_port] = [await freePort(), await freePort()]
    await start('server', { metrics_port, inspect: true, inspect_port })
    return (await occupied('metrics', metrics_port)) ?? (await occupied('the inspector', inspect_port))
  },
}

async function occupied(name: string, port: number): Promise<string | null> {
  const sockets = await Promise.all(Array.from({ length: ALL }, () => connected(port)))
  const beganAt = performance.now()
  const open = (): number => sockets.filter(({ closed }) => !closed).length
  // with an answer the server has seen all connections before it
  for (let calls = 0; calls < 3; calls++) await (await fetch(`http://127.0.0.1:${port}/`)).text()
  const kept = open()
  if (kept > SHARE) return `${name}: one address has ${kept} silent connections`
  await until(() => open() === 0, 'the end of all connections')
  const heldMs = performance.now() - beganAt
  return heldMs < TOO_LONG_MS ? null : `${name}: silent connections stay for ${Math.round(heldMs)} ms`
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
    .on('error', () => {})
    .resume()
  await once(socket, 'connect')
  return socket
}
