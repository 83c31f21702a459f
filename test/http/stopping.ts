/** Steps of the tests of a listener that stops. @module */
import { settle } from '../actors/node.ts'
import { until } from '../patience.ts'
import { tlsPair } from '../tls.ts'
import type { ServerOfTest } from './harness.ts'

export const tls = tlsPair()

/** Waits until the condition is true. Other work runs between two checks. */
export async function becomesTrue(is: () => boolean): Promise<boolean> {
  await until(is, 'it to become true', settle)
  return true
}

/** Stops the server; the clock does not move. @returns a function that returns true once the server has stopped */
export function stop({ server }: ServerOfTest): () => boolean {
  let isOver = false
  void server.close().then(() => {
    isOver = true
  })
  return () => isOver
}

/** Waits until all sent bytes have arrived and the listener is closed. */
export async function turns(): Promise<void> {
  for (let count = 0; count < 20; count++) await settle()
}

/** Waits until all bytes that were sent before have arrived. */
export async function arrived(server: ServerOfTest): Promise<void> {
  await server.call('GET', '/health')
}
