/** Ends a process of a test. @module */
import type { ChildProcess } from 'node:child_process'
import { inTime } from './patience.ts'

/** Sends the signal, and waits for the end. Returns at once if the process has ended before. */
export async function endProcess(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.ref()
  child.kill(signal)
  await inTime(ended, `the end of process ${child.spawnfile}`)
}
