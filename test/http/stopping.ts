/** Steps of the tests of a listener that stops. @module */
import { settle } from '../actors/node.ts'
import { until } from '../patience.ts'
import { tlsPair } from '../tls.ts'
import type { ServerOfTest } from './harness.ts'

export const tls = tlsPair()

/** Looks again after other work has had its turns. */
export async function becomesTrue(is: () => boolean): Promise<boolean> {
  await until(is, 'it to become true', settle)
  return true
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

/** All bytes that were sent before have arrived then. */
export async function arrived(server: ServerOfTest): Promise<void> {
  await server.call('GET', '/health')
}
