/** Input for programs that may end before they have read it. @module */
import type { ChildProcess } from 'node:child_process'

/** Lets a program close its input unread. A write then fails with EPIPE, which would end the process of the tests. The status of the program shows whether it failed. */
export function allowUnreadInput({ stdin }: Pick<ChildProcess, 'stdin'>): void {
  stdin?.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
