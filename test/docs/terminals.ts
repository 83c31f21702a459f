/** The terminals of a reader: each runs one block of commands after the other, and remembers what was printed. @module */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as patience from '../patience.ts'
import { differenceOf } from './output.ts'

/** The file in which the last command of a block saves what it prints. A reader takes longer to the next command than `tee` does from the terminal, to which it prints
 *  first, to the file. */
const SAVED = /\| tee (\S+)$/
/** How often a terminal and that file are looked at. */
const LOOK_MS = 10

type Environment = Readonly<Record<string, string>>

export type Terminal = {
  /** Begins a block; the block before must have ended. */
  run(commands: string): void
  /** Resolves when the lines have been printed, in their order, after those that were expected before.
   *  @throws {Error} when the block ends without them */
  shows(expected: string): Promise<void>
  isRunning(): boolean
  /** Resolves when the block has ended, and at once where none was started since Ctrl+C.
   *  @throws {Error} if a command of it failed */
  ends(): Promise<void>
  /** What Ctrl+C does. */
  interrupt(): Promise<void>
}

type Block = {
  readonly child: ChildProcess
  output: string
  /** the part of it that is not messages */
  printed: string
  /** null: no file */
  readonly saved: string | null
  /** undefined while it runs */
  code: number | null | undefined
}

/** @param folder in which each block begins, so that it needs nothing of the blocks before */
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
        const lines = code === undefined ? output : `${output}\n` // what ends the output ends its last line too
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

/** The last process of a group may end before its output is closed, which is what `isRunning` goes by: then nothing is left to interrupt. */
function interruptGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGINT')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function startBlock(commands: string, cwd: string, env: Environment): Block {
  const child = spawn('bash', ['-o', 'pipefail', '-ec', commands], {
    ...{ cwd, env, stdio: ['ignore', 'pipe', 'pipe'] },
    detached: true, // a group of its own, as a terminal gives it: Ctrl+C reaches all of it
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

/** Whether the file holds the end of what was printed. */
function isSaved({ saved, printed, code }: Block): boolean {
  if (saved === null || code !== undefined) return true
  const content = readFileSync(saved, 'utf8')
  return content !== '' && printed.endsWith(content)
}

/** @param question asked again and again: true or false, or a text that says why it will never be true */
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
