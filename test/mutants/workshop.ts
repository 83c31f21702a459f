/** Copies of the built program in which one file at a time is a mutant. A copy is made of links, so that it costs nothing, and stands beside `dist`, so that packages and
 *  recorded data are found from it. Nothing of it is in the program that is shipped. @module */
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PROJECT } from '../project.ts'
import { SERVER_MACHINES } from './chart-mutants.ts'
import { edited, type Mutant } from './mutant.ts'

/** The built program of this project. */
export const DIST = join(PROJECT, 'dist')

/** Rooms whose files go on to import the true charts in a copy for mutants of charts. */
const TRUE_CHARTS = /^(?:test|bench|machines|machines-of-server)\//
const CHART_IMPORT = /(['"](?:\.\.?\/)+)machines\//g

/** A copy of the built program. */
export class Workshop {
  readonly folder: string
  readonly #isOfCharts: boolean

  /** @param isOfCharts the server's files import their charts from a folder of their own, where mutants of charts are put */
  constructor(isOfCharts: boolean) {
    this.#isOfCharts = isOfCharts
    this.folder = mkdtempSync(join(PROJECT, 'dist.mutants-'))
    for (const file of builtFiles()) {
      this.#link(file, file)
      if (isOfCharts && file.startsWith('machines/'))
        this.#link(file, file.replace('machines', SERVER_MACHINES))
      if (isOfCharts && !TRUE_CHARTS.test(file)) this.#importOtherCharts(file)
    }
  }

  put({ file, edits }: Mutant): void {
    this.#write(file, edited(readFileSync(join(this.folder, file), 'utf8'), edits))
  }

  restore({ file }: Mutant): void {
    this.#remove(file)
    this.#link(file.replace(SERVER_MACHINES, 'machines'), file)
    if (this.#isOfCharts && !TRUE_CHARTS.test(file)) this.#importOtherCharts(file)
  }

  /** Writes another text for a file. */
  replace(file: string, text: string): void {
    this.#write(file, text)
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #importOtherCharts(file: string): void {
    const text = readFileSync(join(DIST, file), 'utf8')
    const other = text.replaceAll(CHART_IMPORT, `$1${SERVER_MACHINES}/`)
    if (other !== text) this.#write(file, other)
  }

  #link(from: string, to: string): void {
    mkdirSync(dirname(join(this.folder, to)), { recursive: true })
    linkSync(join(DIST, from), join(this.folder, to))
  }

  /** A link is taken away first: what is written through it would change the program itself. */
  #write(file: string, text: string): void {
    this.#remove(file)
    writeFileSync(join(this.folder, file), text)
  }

  #remove(file: string): void {
    rmSync(join(this.folder, file), { force: true })
  }
}

/** Every built file that runs, below `dist`. */
export function builtFiles(): string[] {
  return readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js'))
}
