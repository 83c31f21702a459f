/** The process of a server that is measured: its parent asks it for its CPU time, and gives it what to do. @module */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'

/** The number of calls that a server answers before it is measured. The threads of its compiler count, too: they take 0.6 ms of each disclosure session after 16,000 calls, 0.1 ms
 *  after 32,000, and nothing that can be seen after 64,000. */
export const CALLS_UNTIL_SETTLED = 64_000

/** The option that Node is given where servers are deployed (`deploy/`, docs/operating.md): the young generation does not grow with the memory of the machine. */
export const DEPLOYED_WITH = '--max-semi-space-size=16'

/** @template Task what it may be asked, each answered with a number */
export type ServerProcess<Task> = { ask(task: Task): Promise<number>; stop(): Promise<void> }

/** @param file of the process
 *  @param log file for what the server logs, one line per call */
export function startProcess<Task extends object>(file: URL, log: string): ServerProcess<Task> {
  const output = openSync(log, 'w')
  const child = fork(file, {
    execArgv: [DEPLOYED_WITH, '--expose-gc'], // nothing collects but the task that says so
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', output, 'ipc'],
  })
  closeSync(output)
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', () =>
      reject(new Error(`benchmark: the server ended: ${readFileSync(log, 'utf8').slice(-2_000)}`)),
    )
  })
  ended.catch(() => undefined) // whoever asks gets it
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
