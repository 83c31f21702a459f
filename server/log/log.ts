/** The log of a running server, on standard error: lines of text with a full time stamp, or JSON. What may stand in a line is decided
 *  where it is written; nothing secret ever does. @module */
import { Writable } from 'node:stream'
import { type Logger, levels, pino } from 'pino'

export type LogOptions = { readonly verbose: number; readonly quiet: boolean; readonly log_json: boolean }

const LEVELS = ['info', 'debug', 'trace'] as const

export function createLog({ verbose, quiet, log_json: isJson }: LogOptions): Logger {
  const level = quiet ? 'silent' : (LEVELS[verbose] ?? 'trace')
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return pino(options, isJson ? process.stderr : textLines)
}

type Line = { readonly time: string; readonly level: number; readonly msg?: string }

const textLines = new Writable({
  write(chunk, _encoding, done) {
    process.stderr.write(toText(String(chunk)))
    done()
  },
})

function toText(line: string): string {
  const { time, level, msg = '', ...fields }: Line = JSON.parse(line)
  const facts = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  return `${time} ${levels.labels[level]?.toUpperCase() ?? level} ${msg}${facts.join('')}\n`
}
