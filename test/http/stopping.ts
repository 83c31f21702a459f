/** What tests of a listener that stops are made of: connections to it, and looks at them. @module */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { settle } from '../actors/node.ts'
import { PROJECT } from '../project.ts'
import type { ServerOfTest } from './harness.ts'

const read = (name: string) => readFileSync(join(PROJECT, 'test/vectors/tls', name), 'utf8')
export const tls = { cert: read('cert.pem'), key: read('key.pem') }

export type Connection = { readonly socket: Socket; got(): string; isClosed(): boolean }

export function watched(socket: Socket): Connection {
  let text = ''
  socket.on('error', () => {}).on('data', chunk => (text += chunk))
  return { socket, got: () => text, isClosed: () => socket.closed }
}

export async function connected(port: number, bytes = ''): Promise<Connection> {
  // the second part of a head would wait for the acknowledgement of the first
  const socket = connectSocket({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.write(bytes)
  return watched(socket)
}

/** Looks again after other work has had its turns, and stops looking long before the time limit of a test. */
export async function becomesTrue(is: () => boolean): Promise<boolean> {
  for (let looks = 0; looks < 200 && !is(); looks++) await settle()
  return is()
}

/** @returns whether it is over, on a clock that stands */
export function stop({ server }: ServerOfTest): () => boolean {
  let isOver = false
  void server.close().then(() => {
    isOver = true
  })
  return () => isOver
}

/** What is on its way by now has arrived, and the listener is closed. */
export async function turns(): Promise<void> {
  for (let count = 0; count < 20; count++) await settle()
}

/** What was sent before has arrived then. */
export async function arrived(server: ServerOfTest): Promise<void> {
  await server.call('GET', '/health')
}
