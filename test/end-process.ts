/** Ends the processes that tests start. @module */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { blockUntil, inTime } from './patience.ts'

/** Sends the signal, and waits for the end. Returns at once if the process has ended before. */
export async function endProcess(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.ref()
  child.kill(signal)
  await inTime(ended, `the end of process ${child.spawnfile}`)
}

/** The shared servers that run, each with the signal that ends it. */
const shared = new Map<ChildProcess, NodeJS.Signals>()

process.prependOnceListener('exit', () => {
  for (const [child, signal] of shared) {
    child.kill(signal)
    child.kill('SIGCONT') // if a test has paused it
  }
  for (const child of shared.keys())
    blockUntil(() => !isRunning(child.pid), `the end of process ${child.spawnfile}`)
})

/** For a server that the tests of this process share. The server does not keep this process alive. It ends before the folders of tests are removed
 *  (`test/temporary-folder.ts`): a server that still writes there would make the removal fail. */
export function endWithTests(child: ChildProcess, signal: NodeJS.Signals): void {
  child.unref()
  shared.set(child, signal)
  child.once('exit', () => shared.delete(child))
}

/** An ended process keeps its number until its parent asks for its status. Its state tells that it has ended. On a system without `/proc`, every process counts as
 *  ended. */
function isRunning(pid: number | undefined): boolean {
  try {
    return !/\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    if (Object(error).code === 'ENOENT' || Object(error).code === 'ESRCH') return false
    throw error
  }
}

/** Starts a server as `endWithTests` ends it. The kernel kills the server even if this process is killed.
 *  @param command options of `setpriv`, if any, and the program with its arguments */
export function spawnUntilTestsEnd(
  command: readonly string[],
  cwd: string,
  signal: NodeJS.Signals,
): ChildProcess {
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], { cwd, stdio: 'ignore' })
  endWithTests(child, signal)
  return child
}
