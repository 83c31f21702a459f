/** A server that runs until it is told to stop. @module */
import type { Logger } from 'pino'
import { pause } from '../ports/clock.ts'
import { systemWorld } from '../server/world.ts'
import type { StoreLost } from '../stores/store-failure.ts'
import { stopSignal } from './stop-signal.ts'

/** The longest time in which a server that is told to stop may start: it may wait for its store, or for others that change its tables, for minutes. */
const LONGEST_START_MS = 3_000

type Started = {
  readonly inspector: string | null
  readonly readCertificatesAgain: () => void
  readonly close: () => Promise<void>
}

/** Runs until SIGINT or SIGTERM, then lets running requests finish. SIGHUP ends nothing: the files of certificates are read again.
 *  @param name of its command, for the log */
export async function runUntilStopped(
  name: string,
  log: Logger,
  start: (world: ReturnType<typeof systemWorld>) => Promise<Started>,
): Promise<void> {
  const stopped = stopSignal() // one that comes while it starts counts too
  let readAgain = (): void => {} // a server that starts reads its files anyway
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
    () => told, // whoever wants it to stop need not hear why it could not start
  )
  const given = await Promise.race([ended, late])
  if (given !== null) {
    log.info({ signal: given }, `${name} stopped before it ran`)
    process.exit(0) // nobody was told anything yet
  }
  const server = await starting
  readAgain = server.readCertificatesAgain
  // on the terminal alone: who has the address may watch
  if (server.inspector !== null) process.stdout.write(`Inspector: ${server.inspector}\n`)
  const signal = await stopped
  log.info({ signal }, `${name} stopping`)
  await server.close()
  log.info(`${name} stopped`)
}

/** Whatever still runs could only be refused by the store, which now is another process's. */
function endAtOnce(log: Logger): (error: StoreLost) => never {
  return error => {
    log.fatal(error.message)
    process.exit(1)
  }
}
