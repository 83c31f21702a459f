/** Runs the built `svc` as users do: its own process, with its output and exit code. @module */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { allowUnreadInput } from '../unread-input.ts'

export const MAIN = fileURLToPath(new URL(`../../cli/main${import.meta.url.slice(-3)}`, import.meta.url))

export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type Running = {
  readonly process: ChildProcess
  /** Resolves with the output so far once `text` has appeared in standard output or error; rejects if the process ends without it. */
  says(text: string): Promise<string>
  readonly finished: Promise<Finished>
}

/** @param words arguments; environment variables of the surrounding process are not passed on
 *  @param main of another build */
export function startSvc(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  main = MAIN,
): Running {
  return startProgram(process.execPath, [main, ...words], env)
}

/** Removed from the output, because it depends on the processor of the tests. `test/server/create-node.test.ts` checks this warning. */
const WARNING_OF_PROCESSOR = /^.*this processor has AVX-512 IFMA, .*\n/gm

/** Runs any program in the same way.
 *  @param cwd of the process; by default that of the tests */
export function startProgram(
  command: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
): Running {
  const child = spawn(command, words, { env: { PATH: process.env.PATH ?? '', ...env }, cwd })
  let stdout = ''
  let stderr = ''
  const waiting = new Set<() => void>()
  child.stdout.on('data', chunk => {
    stdout += chunk
    for (const look of waiting) look()
  })
  child.stderr.on('data', chunk => {
    stderr = (stderr + chunk).replace(WARNING_OF_PROCESSOR, '')
    for (const look of waiting) look()
  })
  allowUnreadInput(child)
  const finished = new Promise<Finished>(resolve =>
    child.on('close', code => resolve({ code, stdout, stderr })),
  )
  const says = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (stdout.includes(text) || stderr.includes(text)) resolve(stdout + stderr)
      }
      waiting.add(look)
      look()
      void finished.then(() =>
        reject(new Error(`expected ${JSON.stringify(text)}, got the end of:\n${stdout}${stderr}`)),
      )
    })
  return { process: child, says, finished }
}

/** Always ends the process after its use: a running server would keep the tests from ending.
 *  @param use may end it too */
export async function withSvc<Result>(
  running: Running,
  use: (running: Running) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(running)
  } finally {
    running.process.kill('SIGTERM')
    await running.finished
  }
}

export function runSvc(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished> {
  const running = startSvc(words, env)
  running.process.stdin?.end()
  return running.finished
}

/** Below the ports that systems assign to clients, so that no other process gets the same one. */
const [LEAST_PORT, MOST_PORT] = [15_000, 32_000]

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LEAST_PORT, MOST_PORT)
    if (await isFree(port)) return port
  }
}

/** True if a process may listen there now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
