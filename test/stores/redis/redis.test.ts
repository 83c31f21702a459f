/** The store in a Redis or Valkey server: the shared suites. @module */
import { type Clock, createSystemClock } from '../../../ports/clock.ts'
import { isMissing } from '../../project.ts'
import { ENGINES, emptyRedis } from '../../redis.ts'
import { runKeptRowsSuite } from '../kept-rows-suite.ts'
import { runLeaseSuite } from '../lease-suite.ts'
import { runOidcNodesSuite, runOidcSuite } from '../oidc-suite.ts'
import { runRevocationSuite } from '../revocation-suite.ts'
import { runStoreSuite } from '../store-suite.ts'
import { openRedis } from './open.ts'

for (const engine of ['Redis', 'Valkey'] as const) {
  const isSkipped = isMissing(engine, ENGINES[engine] !== null)
  const open = async () => openRedis(await emptyRedis(engine))
  runStoreSuite(engine, open, isSkipped)
  runRevocationSuite(engine, open, isSkipped)
  runOidcSuite(engine, open, isSkipped)
  const openTwo = async () => {
    const server = await emptyRedis(engine)
    return { a: await openRedis(server), b: await openRedis(server, { bootId: 'boot B' }) }
  }
  runKeptRowsSuite(engine, openTwo, isSkipped)
  runOidcNodesSuite(engine, openTwo, isSkipped)
  const start = async () => {
    const server = await emptyRedis(engine)
    return {
      open: (bootId: string, clock: Clock = createSystemClock()) => openRedis(server, { bootId, clock }),
      endLease: async (bootId: string) => void (await server.ask('DEL', `svc:node:${bootId}`)),
    }
  }
  runLeaseSuite(engine, start, isSkipped)
}
