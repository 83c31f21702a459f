/** Copies of the built program in which one file at a time is a mutant. A copy consists of links, so that it costs nothing. It is beside `dist`, where packages and
 *  recorded data are found. It is not part of the shipped program. @module */
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PROJECT } from '../project.ts'
import { SERVER_MACHINES } from './chart-mutants.ts'
import { edited, type Mutant } from './mutant.ts'

/** The built program of this project. */
export const DIST = join(PROJECT, 'dist')

/** Folders whose files still import the true charts in a copy for mutants of charts. */
const TRUE_CHARTS = /^(?:test|tools|machines|machines-of-server)\//
const CHART_IMPORT = /(['"](?:\.\.?\/)+)machines\//g

/** A copy of the built program. */
export class Workshop {
  readonly folder: string
  readonly #isOfCharts: boolean

  /** @param isOfCharts true: the server's files import their charts from a separate folder, which gets the mutants of charts */
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

  /** Replaces the text of a file. */
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

  /** The link is removed first: writing through it would change the program itself. */
  #write(file: string, text: string): void {
    this.#remove(file)
    writeFileSync(join(this.folder, file), text)
  }

  #remove(file: string): void {
    rmSync(join(this.folder, file), { force: true })
  }
}

/** Every built file with code, below `dist`. */
export function builtFiles(): string[] {
  return readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js'))
}
