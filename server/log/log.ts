/** The log of a running server, on standard error: lines of text with a full time stamp, or JSON. The code that writes a line decides
 *  its fields, and none is secret. @module */
import { type DestinationStream, type Logger, levels, pino } from 'pino'
import { createSystemClock } from '../../ports/clock.ts'
import { LineWriter } from './line-writer.ts'

export type LogOptions = { readonly verbose: number; readonly quiet: boolean; readonly log_json: boolean }

const LEVELS = ['info', 'debug', 'trace'] as const

export function createLog({ verbose, quiet, log_json: isJson }: LogOptions): Logger {
  const level = quiet ? 'silent' : (LEVELS[verbose] ?? 'trace')
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return pino(options, streamOf(linesOfProcess(), isJson ? line => line : toText))
}

let ofProcess: LineWriter | null = null

/** All logs of a process share one writer, so that their lines stay in order. */
function linesOfProcess(): LineWriter {
  if (ofProcess !== null) return ofProcess
  const lines = new LineWriter(text => process.stderr.write(text), createSystemClock())
  process.on('exit', () => lines.flush()) // also after an uncaught error
  ofProcess = lines
  return lines
}

function streamOf(lines: LineWriter, form: (line: string) => string): DestinationStream {
  const stream = {
    [Symbol.for('pino.metadata')]: true, // pino then stores the level of each line in `lastLevel`
    lastLevel: 0,
    write: (line: string) => lines.write(form(line), stream.lastLevel),
  }
  return stream
}

type Line = { readonly time: string; readonly level: number; readonly msg?: string }

function toText(line: string): string {
  const { time, level, msg = '', ...fields }: Line = JSON.parse(line)
  const facts = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  return `${time} ${levels.labels[level]?.toUpperCase() ?? level} ${msg}${facts.join('')}\n`
}
