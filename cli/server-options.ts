/** Reads the options of a server and creates its log. @module */
import type { Logger } from 'pino'
import { usualFilesElsewhere, usualSettingsFiles } from '../server/files/directories.ts'
import { createLog, type LogOptions } from '../server/log/log.ts'
import { Refusals } from '../server/settings/errors.ts'
import { otherNameWarning } from '../server/settings/existing-file.ts'
import { findFile, readSettingsFile } from '../server/settings/read-file.ts'
import type { Looked, OptionList, Sources } from '../server/settings/resolve.ts'
import { failureInLines, SaidInLog } from './usage.ts'

export type Given = {
  /** text of each flag, by option name */
  readonly flags: Readonly<Record<string, string>>
  readonly config: string | undefined
}

type ServerOptions<Values> = OptionList & { readonly look: (sources: Sources) => Looked<Values> }

export type Read<Values> = {
  readonly options: Values
  readonly log: Logger
  /** undefined: no file was read */
  readonly settingsFile: string | undefined
}

type Work<Values> = {
  /** Reads the files that the options name. If the options are refused anyway, it adds further reasons. */
  readonly read: (read: Read<Values>) => Promise<unknown>
  readonly run: (read: Read<Values>) => Promise<void>
}

/** Runs the work with its options. If the options select a JSON log, a failure of the work is written to that log.
 *  @throws {SettingsError} with all refused settings @throws {SaidInLog} @throws {Error} of the work */
export async function withOptions<Values extends LogOptions>(
  server: ServerOptions<Values>,
  given: Given,
  work: Work<Values>,
): Promise<void> {
  const { refused, ...read } = lookAtOptions(server, given)
  if (refused !== null) throw await allRefused(refused, () => work.read(read))
  const { options, log } = read
  try {
    await work.run(read)
  } catch (error) {
    if (!options.log_json || options.quiet) throw error
    for (const line of failureInLines(error)) log.fatal(line)
    throw new SaidInLog()
  }
}

/** As `withOptions`, for a check: a person reads its output, so lines and failure are always text.
 *  @throws as `withOptions` */
export async function checkOptions<Values extends LogOptions>(
  server: ServerOptions<Values>,
  given: Given,
  work: Work<Values>,
): Promise<void> {
  const inText = { ...server, look: (sources: Sources) => asText(server.look(sources)) }
  return withOptions(inText, given, work)
}

function asText<Values extends LogOptions>(looked: Looked<Values>): Looked<Values> {
  return { ...looked, options: { ...looked.options, log_json: false } }
}

/** @throws {SettingsError} */
export function readOptions<Values extends LogOptions>(
  server: ServerOptions<Values>,
  given: Given,
): Read<Values> {
  const { refused, ...read } = lookAtOptions(server, given)
  if (refused !== null) throw refused
  return read
}

function lookAtOptions<Values extends LogOptions>(
  server: ServerOptions<Values>,
  { flags, config }: Given,
): Read<Values> & Pick<Looked<Values>, 'refused'> {
  const file = readSettingsFile(config, usualSettingsFiles(server.name))
  const sources = { flags, variables: process.env, file }
  const { options, warnings, refused } = server.look(sources)
  const log = createLog(options)
  const ofFile = file === undefined ? unreadFile(server) : otherNameWarning(server, sources)
  for (const warning of [...ofFile, ...warnings]) log.warn(warning)
  return { options, log, settingsFile: file?.name, refused }
}

/** @returns the error, with additional reasons from reading the named files */
async function allRefused(refused: Error, read: () => Promise<unknown>): Promise<Error> {
  const refusals = new Refusals()
  refusals.add(refused)
  await refusals.ofLater(read)
  return refusals.error ?? refused
}

/** Warns about an unread settings file of the existing server, which would otherwise be ignored without notice. */
function unreadFile({ foreign }: Pick<OptionList, 'foreign'>): readonly string[] {
  const name = findFile(usualFilesElsewhere(foreign.name))
  return name === undefined ? [] : [`settings file ${name}: not read; name it with --config`]
}
