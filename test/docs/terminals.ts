/** The terminals of a reader. Each runs one block of commands after the other, and keeps the output. @module */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as patience from '../patience.ts'
import { differenceOf } from './output.ts'

/** The file in which the last command of a block saves its output. `tee` prints to the terminal first and then to the file; a reader is slower
 *  than that with the next command. */
const SAVED = /\| tee (\S+)$/
/** The time between two looks at a terminal and that file. */
const LOOK_MS = 10

type Environment = Readonly<Record<string, string>>

export type Terminal = {
  /** Begins a block; the previous block must have ended. */
  run(commands: string): void
  /** Resolves when the lines have been printed, in their order, after all lines that were expected earlier.
   *  @throws {Error} when the block ends without them */
  shows(expected: string): Promise<void>
  isRunning(): boolean
  /** Resolves when the block has ended, or at once if none was started since Ctrl+C.
   *  @throws {Error} if one of its commands failed */
  ends(): Promise<void>
  /** Acts like Ctrl+C. */
  interrupt(): Promise<void>
}

type Block = {
  readonly child: ChildProcess
  output: string
  /** its output without messages */
  printed: string
  /** null if there is no file */
  readonly saved: string | null
  /** undefined while it runs */
  code: number | null | undefined
}

/** @param folder in which each block begins, so that it does not depend on earlier blocks */
export function openTerminal(folder: string, env: Environment): Terminal {
  let block: Block | null = null
  let seen = 0
  const isRunning = (): boolean => block !== null && block.code === undefined
  return {
    run(commands) {
      if (isRunning()) throw new Error('expected a terminal that is free, got one with a running command')
      block = startBlock(commands, folder, env)
      seen = 0
    },
    shows: expected =>
      until(block, `the output\n${expected}\n`, asked => {
        const { output, code } = asked
        const lines = code === undefined ? output : `${output}\n` // the end of the output also ends its last line
        const { end, missing } = differenceOf(expected, lines.slice(seen))
        if (missing === null && isSaved(asked)) {
          seen += end
          return true
        }
        return code === undefined
          ? false
          : `no line ${missing}\nexit status ${code}, in the output\n${output}`
      }),
    isRunning,
    async ends() {
      if (block === null) return
      await until(block, 'exit status 0', ({ code, output }) => {
        if (code === undefined) return false
        return code === 0 || `${code}\n${output}`
      })
    },
    async interrupt() {
      if (block?.child.pid === undefined || !isRunning()) return
      interruptGroup(block.child.pid)
      await until(block, 'an end after Ctrl+C', ({ code }) => code !== undefined)
      block = null
    },
  }
}

/** The last process of a group may end before its output is closed, and `isRunning` depends on the output. In that case nothing is left to interrupt. */
function interruptGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGINT')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function startBlock(commands: string, cwd: string, env: Environment): Block {
  const child = spawn('bash', ['-o', 'pipefail', '-ec', commands], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a separate group, as in a terminal, so that Ctrl+C reaches all of it
  })
  const file = SAVED.exec(commands)?.[1]
  const saved = file === undefined ? null : join(cwd, file)
  const block: Block = { child, output: '', printed: '', saved, code: undefined }
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      block.output += chunk
      if (stream === child.stdout) block.printed += chunk
    })
  child.on('close', code => {
    block.code = code
  })
  return block
}

/** True if the file contains the end of the output. */
function isSaved({ saved, printed, code }: Block): boolean {
  if (saved === null || code !== undefined) return true
  const content = readFileSync(saved, 'utf8')
  return content !== '' && printed.endsWith(content)
}

/** @param question asked repeatedly; returns true or false, or a text with the reason why it will never be true */
async function until(
  block: Block | null,
  what: string,
  question: (block: Block) => string | boolean,
): Promise<void> {
  if (block === null) throw new Error(`expected ${what}, got a terminal in which nothing was started`)
  const find = async (): Promise<string | true | null> => question(block) || null
  const rest = (): Promise<void> => patience.pause(LOOK_MS)
  const answer = await patience.untilThere(find, what, rest).catch(({ message }) => {
    throw new Error(`${message}, until now\n${block.output}`)
  })
  if (answer !== true) throw new Error(`expected ${what}, got: ${answer}`)
}
