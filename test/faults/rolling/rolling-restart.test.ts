/** Three session servers on one PostgreSQL database behind a load balancer, restarted one after the other under load: no call fails, and every stream is
 *  followed to its end. For a longer run: `ROUNDS=20 node dist/test/faults/rolling/rolling-restart.test.js` after a build. @module */

import * as assert from 'uvu/assert'
import { freePort, type Running, startSvc } from '../../cli/run-svc.ts'
import { clientOf } from '../../http/client.ts'
import { numberGiven } from '../../number-given.ts'
import { pause, until } from '../../patience.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { DEMO_SCHEMES, isMissing } from '../../project.ts'
import { suite, tellAtEnd } from '../../suite.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { clientsOf } from './clients.ts'

const ROUNDS = numberGiven('ROUNDS', 1)
const NODES = 3
const LIVES = 4
/** The pause of each client between two sessions. */
const REST_MS = 100
const FOLLOWED = 20

async function startNode(port: number, store: string, balancer: Balancer): Promise<Running> {
  const where = ['--port', `${port}`, '--listen-addr', '127.0.0.1', '--store', store, '--workers', '1']
  const url = `http://127.0.0.1:${balancer.port}/`
  const running = startSvc([
    'server',
    '--schemes-path',
    DEMO_SCHEMES,
    '--url',
    url,
    '--stop-delay',
    '1s',
    ...where,
  ])
  await running.says('svc server running')
  await until(() => balancer.isReady(port), 'a node that is ready')
  return running
}

async function stopped({ process, finished }: Running): Promise<void> {
  process.kill('SIGTERM')
  const { code, stderr } = await finished
  assert.is(code, 0, stderr)
}

const Rolling = suite('a rolling restart')
const test = isMissing('PostgreSQL', hasPostgres) ? Rolling.skip : Rolling

test(`${NODES} nodes are restarted one after the other, ${ROUNDS} times: no call fails`, async () => {
  const store = await newPostgresDatabase()
  const ports = await Promise.all(Array.from({ length: NODES }, freePort))
  const balancer = await startBalancer(ports)
  const nodes = await Promise.all(ports.map(port => startNode(port, store, balancer)))
  const { live, follow, disclose, counts } = await clientsOf(clientOf(balancer.port))
  const followed = await Promise.all(Array.from({ length: FOLLOWED }, follow))
  let isOver = false
  const again = async (work: () => Promise<void>): Promise<void> => {
    for (; !isOver; await pause(REST_MS)) await work()
  }
  const load = Promise.all([again(disclose), ...Array.from({ length: LIVES }, () => again(live))])
  const restarts = (async () => {
    for (let round = 0; round < ROUNDS; round++)
      for (const [i, port] of ports.entries()) {
        const node = nodes[i]
        if (node) await stopped(node)
        nodes[i] = await startNode(port, store, balancer)
      }
  })()
  await Promise.race([restarts, load.then(() => restarts)])
  isOver = true
  await load
  await Promise.all(followed.map(cancel => cancel()))
  assert.equal(balancer.failures, [])
  assert.is(balancer.answered.size, NODES)
  assert.ok(counts.reconnects >= FOLLOWED, 'expected each followed stream to be opened again at least once')
  await Promise.all(nodes.map(stopped))
  balancer.close()
  const { sessions, proofs, calls, reconnects } = counts
  tellAtEnd(
    `rolling restart: ${ROUNDS * NODES} restarts, ${sessions} sessions, ${proofs} of them with proofs, ${calls} calls, ${reconnects} streams opened again, no call failed`,
  )
})

Rolling.run()
