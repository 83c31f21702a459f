/** Runs a server until a signal stops it. @module */
import type { Logger } from 'pino'
import { pause } from '../../ports/clock.ts'
import { systemWorld } from '../../server/world.ts'
import type { StoreLostError } from '../../stores/store-error.ts'
import { stopSignal } from '../stop-signal.ts'

/** Grace period for a start after the stop signal. A start may take minutes: it may wait for its store, or for other nodes that change its tables. */
const LONGEST_START_MS = 3_000

type Started = {
  readonly inspector: string | null
  readonly readCertificatesAgain: () => void
  readonly close: () => Promise<void>
}

/** Runs until SIGINT or SIGTERM, then lets running requests finish. SIGHUP only reloads the certificate files.
 *  @param name name of the command, for the log */
export async function runUntilStopped(
  name: string,
  log: Logger,
  start: (world: ReturnType<typeof systemWorld>) => Promise<Started>,
): Promise<void> {
  const stopped = stopSignal() // a signal during the start counts too
  let readAgain = (): void => {} // nothing to reload during the start, which reads the files itself
  process.on('SIGHUP', () => readAgain())
  const world = { ...systemWorld(log), lost: endAtOnce(log) }
  const starting = start(world)
  let told: string | null = null
  const late = stopped.then(signal => {
    told = signal
    return pause(world.clock, LONGEST_START_MS).then(() => signal)
  })
  const ended = starting.then(
    () => null,
    () => told, // after the stop signal, the reason of a failed start is not reported
  )
  const given = await Promise.race([ended, late])
  if (given !== null) {
    log.info({ signal: given }, `${name} stopped before it ran`)
    process.exit(0) // no client has received an answer yet
  }
  const server = await starting
  readAgain = server.readCertificatesAgain
  // only on the terminal, because the address gives access to the inspector
  if (server.inspector !== null) process.stdout.write(`Inspector: ${server.inspector}\n`)
  const signal = await stopped
  log.info({ signal }, `${name} stopping`)
  await server.close()
  log.info(`${name} stopped`)
}

/** Exits at once. The store now belongs to another process and would refuse all remaining work. */
export function endAtOnce(log: Logger): (error: StoreLostError) => never {
  return error => {
    log.fatal(error.message)
    process.exit(1)
  }
}
