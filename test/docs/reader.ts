/** Follows a page like its reader, from top to bottom: it saves the files, runs the commands, opens the web pages, and compares the results.
 *
 *  The marks after the language of a fence are invisible for a reader. Each one needs a counterpart in the prose before it, which is visible:
 *  * `sh` runs in the current terminal, and `sh terminal=NAME` in the one with that name ("terminal").
 *  * `sh example` names other hosts and is not run ("example").
 *  * `text` is the output of the commands above, with `…` for parts that differ each time. `text terminal=NAME` is the output of another terminal meanwhile.
 *  * `LANGUAGE file=PATH` is saved there (the path).
 *  * `json page=URL` is the final content of the web page (the address).
 *  Other fences only show something, such as `diagram`, which is drawn in characters. @module */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Checkout } from './checkout.ts'
import type { Fence, Page } from './markdown.ts'
import { openTerminal, type Terminal } from './terminals.ts'

/** Opens the address, and runs the command that the page shows.
 *  @throws {Error} if the page does not show the expected text in the end */
export type Visit = (
  address: string,
  expected: string,
  run: (command: string) => Promise<void>,
) => Promise<void>

const MAIN = 'main'
const MARKS = new Set(['terminal', 'example', 'file', 'page'])
const LANGUAGES = new Set(['sh', 'text', 'json', 'yaml', 'html', 'js', 'xml', 'diagram'])
/** npm fetches packages and runs this very test, so only CI runs these lines. */
const BY_CI = /^npm ci && npm (start|test)\b.*$/gm

export type Reader = {
  /** @throws {Error} with file and line of the first difference from the page */
  follow(page: Page): Promise<void>
  /** Ends all running processes. */
  close(): Promise<void>
}

type Desk = {
  readonly checkout: Checkout
  readonly visit: Visit | null
  readonly terminals: Map<string, Terminal>
  /** the terminal of the last commands */
  last: string
}

/** @param visit null if there is no browser; web pages are then skipped */
export function newReader(checkout: Checkout, visit: Visit | null): Reader {
  const desk: Desk = { checkout, visit, terminals: new Map(), last: MAIN }
  return {
    async follow({ fences, after }) {
      for (const [index, fence] of fences.entries())
        await take(desk, fence, fences[index + 1]).catch(async (error: unknown) => {
          await closeAll(desk) // the following pages need the terminals
          throw new Error(`${fence.at}: ${error instanceof Error ? error.message : error}`, { cause: error })
        })
      await interruptAll(desk)
      for (const terminal of desk.terminals.values()) await terminal.ends()
      const isApart = fences.some(({ marks }) => marks.has('terminal'))
      if (isApart && !after.includes('Ctrl+C'))
        throw new Error('expected "Ctrl+C" at the end of a page that uses several terminals')
    },
    close: () => closeAll(desk),
  }
}

async function take(desk: Desk, fence: Fence, next: Fence | undefined): Promise<void> {
  const { language, marks, content } = fence
  requireMarks(fence)
  const { asHere, folder } = desk.checkout
  const [file, address] = [marks.get('file'), marks.get('page')]
  if (file !== undefined) save(join(folder, file), asHere(content))
  else if (address !== undefined) await open(desk, asHere(address), asHere(content))
  else if (language === 'sh' && !marks.has('example')) await run(desk, fence, isOutputOf(fence, next))
  else if (language === 'text') await show(desk, fence)
}

function terminalOf({ terminals, checkout }: Desk, name: string): Terminal {
  const terminal = terminals.get(name) ?? openTerminal(checkout.folder, checkout.env)
  terminals.set(name, terminal)
  return terminal
}

async function run(desk: Desk, { content, marks, before }: Fence, isShown: boolean): Promise<void> {
  const commands = desk.checkout.asHere(content).replace(BY_CI, '').trim()
  if (commands === '') return
  if (/^\s*cd /m.test(commands)) throw new Error('expected commands that stay in the folder, got cd')
  desk.last = marks.get('terminal') ?? MAIN
  const terminal = terminalOf(desk, desk.last)
  if (before.includes('Ctrl+C')) await terminal.interrupt()
  await terminal.ends()
  terminal.run(commands)
  if (!isShown) await terminal.ends()
}

async function show(desk: Desk, { content, marks }: Fence): Promise<void> {
  const name = marks.get('terminal') ?? desk.last
  const terminal = terminalOf(desk, name)
  await terminal.shows(desk.checkout.asHere(content))
  if (name === MAIN) await terminal.ends()
}

async function open(desk: Desk, address: string, expected: string): Promise<void> {
  await desk.visit?.(address, expected, async command => {
    const terminal = terminalOf(desk, MAIN)
    terminal.run(command)
    await terminal.ends()
  })
}

async function interruptAll({ terminals }: Desk): Promise<void> {
  for (const terminal of terminals.values()) await terminal.interrupt()
}

async function closeAll(desk: Desk): Promise<void> {
  await interruptAll(desk)
  desk.terminals.clear()
}

function save(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${content}\n`)
}

/** Commands with a shown output may still run when the reader continues, such as a server. */
function isOutputOf(commands: Fence, next: Fence | undefined): boolean {
  if (next?.language !== 'text') return false
  const name = next.marks.get('terminal')
  return name === undefined || name === commands.marks.get('terminal')
}

/** @throws {Error} for an unknown mark, or one without its counterpart in the prose */
export function requireMarks({ language, marks, before }: Fence): void {
  if (!LANGUAGES.has(language)) throw new Error(`expected ${[...LANGUAGES].join(', ')}, got ${language}`)
  for (const [mark, value] of marks) {
    if (!MARKS.has(mark)) throw new Error(`expected the marks ${[...MARKS].join(', ')}, got ${mark}`)
    const told = mark === 'file' || mark === 'page' ? value : mark
    if (!before.toLowerCase().includes(told.toLowerCase()))
      throw new Error(`expected "${told}" in the prose before, for a reader who does not see the mark`)
  }
}
