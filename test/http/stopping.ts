/** Steps of the tests of a listener that stops. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settle } from '../actors/node.ts'
import { until } from '../patience.ts'
import { PROJECT } from '../project.ts'
import type { ServerOfTest } from './harness.ts'

const read = (name: string) => readFileSync(join(PROJECT, 'test/vectors/tls', name), 'utf8')
export const tls = { cert: read('cert.pem'), key: read('key.pem') }

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

/** What was sent before has arrived then. */
export async function arrived(server: ServerOfTest): Promise<void> {
  await server.call('GET', '/health')
}
