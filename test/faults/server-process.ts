/** A server as its own process, which is killed, paused, resumed, and restarted with the same command. @module */
import { type Running, startSvc } from '../cli/run-svc.ts'

export type ServerProcess = {
  /** Resolves when the server reports that it runs. */
  readonly start: () => Promise<void>
  /** SIGKILL; resolves when the process is gone. @throws {Error} with its output, if it had ended by itself */
  readonly kill: () => Promise<void>
  /** SIGSTOP */
  readonly pause: () => void
  /** SIGCONT */
  readonly resume: () => void
}

/** The most characters of output in an error. */
const MOST_SHOWN = 4_000

/** @param words of `svc`
 *  @param ready the output of a server that runs
 *  @param main of another build
 *  @param onOutput called with each part of its output */
export function serverProcess(
  words: readonly string[],
  ready: string,
  main?: string,
  onOutput: (text: string) => void = () => {},
): ServerProcess {
  let running: Running | null = null
  return {
    async start() {
      const started = startSvc(words, {}, main)
      for (const output of [started.process.stdout, started.process.stderr])
        output?.on('data', part => onOutput(String(part)))
      await started.says(ready)
      running = started
    },
    async kill() {
      if (running === null) return
      const { process, finished } = running
      running = null
      process.kill('SIGKILL')
      const { code, stdout, stderr } = await finished
      if (code !== null)
        throw new Error(`a server ended by itself with ${code}:\n${(stdout + stderr).slice(-MOST_SHOWN)}`)
    },
    pause: () => void running?.process.kill('SIGSTOP'),
    resume: () => void running?.process.kill('SIGCONT'),
  }
}
