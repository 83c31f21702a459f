/** A server that receives a stop signal while calls are in transit: it answers each call whose connection it had accepted. With more servers that stop, the counts, and the
 *  default of `stop_idle`: `ROUNDS=20 CALLERS=30 AWAY_MS=100 STOP_IDLE=200ms node dist/test/faults/stopping/stopping.test.js` after a build. @module */
import * as assert from 'uvu/assert'
import { freePort, startSvc } from '../../cli/run-svc.ts'
import { numberGiven } from '../../number-given.ts'
import { pause } from '../../patience.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { suite, tellAtEnd } from '../../suite.ts'
import { callersOf } from './callers.ts'

const ROUNDS = numberGiven('ROUNDS', 1)
const CALLERS = numberGiven('CALLERS', 10)
const AWAY_MS = numberGiven('AWAY_MS', 100)
/** Fifty times the transit time of a call, because a machine may be slow. */
const STOP_IDLE = process.env.STOP_IDLE ?? '5s'
const LOAD_MS = 500

const Stopping = suite('a server that gets a stop signal under load')

Stopping(`${ROUNDS} servers stop: no call in transit is lost`, async () => {
  const total = { answered: 0, refused: 0, lost: 0 }
  const losses: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const port = await freePort()
    const where = ['--port', `${port}`, '--listen-addr', '127.0.0.1', '--store', 'memory', '--workers', '1']
    const idle = STOP_IDLE === '' ? [] : ['--stop-idle', STOP_IDLE]
    const running = startSvc(['server', '--schemes-path', DEMO_SCHEMES, ...where, ...idle])
    await running.says('svc server running')
    const callers = callersOf(port, CALLERS, AWAY_MS)
    await pause(LOAD_MS + round) // a different moment of the load in each round
    running.process.kill('SIGTERM')
    await callers.end()
    const { code, stderr } = await running.finished
    assert.is(code, 0, stderr)
    for (const name of ['answered', 'refused', 'lost'] as const) total[name] += callers.counts[name]
    losses.push(...callers.counts.losses)
  }
  const { answered, refused, lost } = total
  tellAtEnd(
    `stop under load: ${ROUNDS} servers, ${answered} calls answered, ${refused} connections refused, ${lost} calls lost`,
  )
  assert.equal(losses, [])
})

Stopping.run()
