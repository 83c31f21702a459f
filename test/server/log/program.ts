/** A program that logs a line and ends at once, in the way that its argument names. @module */
import { runUntilStopped } from '../../../cli/servers/run-until-stopped.ts'
import { createLog } from '../../../server/log/log.ts'

const log = createLog({ verbose: 0, quiet: false, log_json: process.argv[3] === 'json' })

const ENDS: Readonly<Record<string, () => unknown>> = {
  'by itself': () => {},
  'by process.exit': () => process.exit(3),
  'by an uncaught error': () => {
    throw new Error('the end')
  },
  'by an unhandled rejection': () => Promise.reject(new Error('the end')),
  'by SIGTERM': () =>
    runUntilStopped('program', log, async () => {
      const running = setInterval(() => {}, 1_000)
      process.kill(process.pid, 'SIGTERM')
      const close = async (): Promise<void> => {
        clearInterval(running)
        log.info('closed')
      }
      return { inspector: null, readCertificatesAgain() {}, close }
    }),
}

log.info({ number: 1 }, 'the last line')
ENDS[process.argv[2] ?? '']?.()
