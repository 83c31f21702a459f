/** Runs the tour until it is told to stop. @module */
import { startDemo } from '../../demo/demo.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { DEMO_SCHEMES } from '../../server/files/demo-schemes.ts'
import { makeFolder } from '../../server/files/paths.ts'
import { createLog } from '../../server/log/log.ts'
import { stopSignal } from '../stop-signal.ts'

/** @param keepIn folder of the phone's wallet; undefined: a new one that goes at the end */
export async function runDemo(port: number, keepIn: string | undefined, isVerbose: boolean): Promise<void> {
  if (keepIn !== undefined) makeFolder('--keep', keepIn)
  const log = createLog({ verbose: 0, quiet: false, log_json: false })
  if (!isVerbose) log.level = 'warn'
  const clock = createSystemClock()
  const stopped = stopSignal()
  const demo = await startDemo({
    port,
    schemesPath: DEMO_SCHEMES,
    log,
    clock,
    random: systemRandomness,
    ...(keepIn !== undefined && { keepIn }),
  })
  process.stdout.write(`Open ${demo.address}\n`)
  await stopped
  await demo.close()
}
