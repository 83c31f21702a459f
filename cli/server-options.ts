/** Options and log of a server from where the user gave them. @module */
import type { Logger } from 'pino'
import { usualFilesElsewhere, usualSettingsFiles } from '../server/files/directories.ts'
import { createLog, type LogOptions } from '../server/log/log.ts'
import { findFile, readSettingsFile } from '../server/settings/read-file.ts'
import type { OptionList, Resolved, Sources } from '../server/settings/resolve.ts'
import { failureInOneLine, SaidInLog } from './usage.ts'

export type Given = {
  /** text of each flag, by option name */
  readonly flags: Readonly<Record<string, string>>
  readonly config: string | undefined
}

type ServerOptions<Values> = OptionList & { readonly resolve: (sources: Sources) => Resolved<Values> }

type Read<Values> = {
  readonly options: Values
  readonly log: Logger
  /** undefined: none was read */
  readonly settingsFile: string | undefined
}

/** Once the options say that the log is JSON, what ends the work is a line of it.
 *  @throws {SettingsError} @throws {SaidInLog} @throws {Error} of the work */
export async function withOptions<Values extends LogOptions>(
  server: ServerOptions<Values>,
  given: Given,
  work: (read: Read<Values>) => Promise<void>,
): Promise<void> {
  const read = readOptions(server, given)
  const { options, log } = read
  try {
    await work(read)
  } catch (error) {
    if (!options.log_json || options.quiet) throw error
    log.fatal(failureInOneLine(error))
    throw new SaidInLog()
  }
}

/** @throws {SettingsError} */
export function readOptions<Values extends LogOptions>(
  server: ServerOptions<Values>,
  { flags, config }: Given,
): Read<Values> {
  const file = readSettingsFile(config, usualSettingsFiles(server.name))
  const { options, warnings } = server.resolve({ flags, variables: process.env, file })
  const log = createLog(options)
  const unread = file === undefined ? unreadFile(server) : []
  for (const warning of [...unread, ...warnings]) log.warn(warning)
  return { options, log, settingsFile: file?.name }
}

/** Nobody would see that the settings of the existing server count for nothing. */
function unreadFile({ foreign }: Pick<OptionList, 'foreign'>): readonly string[] {
  const name = findFile(usualFilesElsewhere(foreign.name))
  return name === undefined ? [] : [`settings file ${name}: not read; name it with --config`]
}
