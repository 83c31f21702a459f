/** Starts the process of a measured server. Its parent sends it tasks and requests its CPU time. @module */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'

/** Number of warm-up calls. The CPU of the compiler's threads counts too. It is 0.6 ms of each disclosure session after 16,000 calls, 0.1 ms after 32,000, and nothing
 *  measurable after 64,000. */
export const CALLS_UNTIL_SETTLED = 64_000

/** The Node option of deployed servers (`deploy/`, docs/operating.md): the young generation does not grow with the memory of the machine. */
export const DEPLOYED_WITH = '--max-semi-space-size=16'

/** @template Task the tasks, each answered with a number */
export type ServerProcess<Task> = { ask(task: Task): Promise<number>; stop(): Promise<void> }

/** @param file module of the process
 *  @param log file for the server's log, one line per call */
export function startProcess<Task extends object>(file: URL, log: string): ServerProcess<Task> {
  const output = openSync(log, 'w')
  const child = fork(file, {
    execArgv: [DEPLOYED_WITH, '--expose-gc'], // collections run only for the tasks that request one
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', output, 'ipc'],
  })
  closeSync(output)
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', () =>
      reject(new Error(`benchmark: the server ended: ${readFileSync(log, 'utf8').slice(-2_000)}`)),
    )
  })
  ended.catch(() => undefined) // a rejection is reported to the caller of `ask`
  return {
    ask(task) {
      const answer = new Promise<number>(resolve => child.once('message', resolve))
      child.send(task)
      return Promise.race([answer, ended])
    },
    async stop() {
      child.removeAllListeners('exit').disconnect()
      await once(child, 'exit')
    },
  }
}
