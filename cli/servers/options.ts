/** Reads the options of a server and creates its log. @module */
import type { Logger } from 'pino'
import { usualFilesElsewhere, usualSettingsFiles } from '../../server/files/directories.ts'
import { createLog, type LogOptions } from '../../server/log/log.ts'
import { FlagError, Refusals, SettingsError } from '../../server/settings/errors.ts'
import { otherNameWarning } from '../../server/settings/existing-file.ts'
import { nearestName } from '../../server/settings/nearest.ts'
import { findFile, readSettingsFile, type SettingsFile } from '../../server/settings/read-file.ts'
import type { OptionList, OptionLookup, Sources } from '../../server/settings/resolve.ts'
import { failureInLines, LoggedError } from '../usage.ts'

export type CommandLineInput = {
  /** text of each flag, by option name */
  readonly flags: Readonly<Record<string, string>>
  readonly config: string | undefined
  /** flags that the server does not have, as they were typed, without their values */
  readonly unknown: readonly string[]
}

type ServerOptions<Values> = OptionList & { readonly look: (sources: Sources) => OptionLookup<Values> }

export type ReadOptions<Values> = {
  readonly options: Values
  readonly log: Logger
  /** undefined: no file was read */
  readonly settingsFile: string | undefined
}

type Work<Values> = {
  /** Reads the files that the options name. If the options are refused anyway, it adds further reasons. */
  readonly read: (read: ReadOptions<Values>) => Promise<unknown>
  readonly run: (read: ReadOptions<Values>) => Promise<void>
}

/** Runs the work with its options. If the options select a JSON log, a failure of the work is written to that log.
 *  @throws {SettingsError} with all refused settings @throws {LoggedError} @throws {Error} of the work */
export async function withOptions<Values extends LogOptions>(
  server: ServerOptions<Values>,
  given: CommandLineInput,
  work: Work<Values>,
): Promise<void> {
  const { refused, unread, ...read } = lookAtOptions(server, given)
  if (refused !== null)
    throw unread === null ? refused : await allRefused(refused, unread, () => work.read(read))
  const { options, log } = read
  try {
    await work.run(read)
  } catch (error) {
    if (!options.log_json || options.quiet) throw error
    for (const line of failureInLines(error)) log.fatal(line)
    throw new LoggedError()
  }
}

/** As `withOptions`, for a check: a person reads its output, so lines and failure are always text.
 *  @throws as `withOptions` */
export async function checkOptions<Values extends LogOptions>(
  server: ServerOptions<Values>,
  given: CommandLineInput,
  work: Work<Values>,
): Promise<void> {
  const inText = { ...server, look: (sources: Sources) => asText(server.look(sources)) }
  return withOptions(inText, given, work)
}

function asText<Values extends LogOptions>(looked: OptionLookup<Values>): OptionLookup<Values> {
  return { ...looked, options: { ...looked.options, log_json: false } }
}

/** @throws {SettingsError} */
export function readOptions<Values extends LogOptions>(
  server: ServerOptions<Values>,
  given: CommandLineInput,
): ReadOptions<Values> {
  const { refused, options, log, settingsFile } = lookAtOptions(server, given)
  if (refused !== null) throw refused
  return { options, log, settingsFile }
}

type LookedAt<Values> = ReadOptions<Values> &
  Pick<OptionLookup<Values>, 'refused'> & {
    /** null: the settings file could not be read, so its settings cannot be checked */
    readonly unread: readonly string[] | null
  }

function lookAtOptions<Values extends LogOptions>(
  server: ServerOptions<Values>,
  { flags, config, unknown }: CommandLineInput,
): LookedAt<Values> {
  const refusals = new Refusals()
  for (const flag of unknown) refusals.of(() => refuseFlag(flag, server))
  let file: SettingsFile | undefined
  let isFileRead = true
  try {
    file =
      readSettingsFile(config, usualSettingsFiles(server.name)) ??
      (isProfileOfExisting(server, flags) ? readUnnamed(server) : undefined)
  } catch (error) {
    refusals.add(error)
    isFileRead = false
  }
  const sources = { flags, variables: process.env, file }
  const { options, warnings, refused, unread } = server.look(sources)
  if (refused !== null) refusals.add(refused)
  const log = createLog(options)
  const ofFile = file === undefined ? unreadFile(server) : otherNameWarning(server, sources)
  for (const warning of [...ofFile, ...warnings]) log.warn(warning)
  return {
    options,
    log,
    settingsFile: file?.name,
    refused: refusals.error,
    unread: isFileRead ? unread : null,
  }
}

/** @throws {FlagError} always, without the value of the flag, which may be secret */
function refuseFlag(flag: string, { names, flagOf }: OptionList): never {
  const nearest = nearestName(flag, names.map(flagOf))
  throw new FlagError(`unknown option '${flag}' (Did you mean ${nearest}?)`)
}

/** @param unread options that were refused before; later reasons about them are left out
 *  @returns the error, with additional reasons from reading the named files */
async function allRefused(
  refused: Error,
  unread: readonly string[],
  read: () => Promise<unknown>,
): Promise<Error> {
  const refusals = new Refusals()
  refusals.add(refused)
  const later = new Refusals()
  await later.ofLater(read)
  const reasons = later.error instanceof SettingsError ? later.error.reasons : [later.error?.message ?? '']
  const others = reasons.filter(reason => reason !== '' && !unread.some(name => isAbout(reason, name)))
  if (others.length > 0) refusals.add(new SettingsError(others))
  return refusals.error ?? refused
}

/** True if a reason is about an option, or names it as the cause.
 *  @param name of the option, or of one of its entries (`requestors.shop`) */
function isAbout(reason: string, name: string): boolean {
  const [option = ''] = name.split('.')
  const startsWith = (place: string) => reason.startsWith(place) && !/\w/.test(reason.charAt(place.length))
  return startsWith(name) || reason.startsWith(`${option}:`) || reason.includes(`"${option}"`)
}

/** True if a flag or a variable chooses the profile of the existing server. */
function isProfileOfExisting({ foreign, variableOf }: OptionList, flags: CommandLineInput['flags']): boolean {
  return (flags.profile ?? process.env[variableOf('profile')]) === foreign.defaults.profile
}

/** The settings file of the existing server, where that server finds it. */
function readUnnamed({ foreign }: Pick<OptionList, 'foreign'>): SettingsFile | undefined {
  return readSettingsFile(undefined, usualFilesElsewhere(foreign.name))
}

/** Warns about an unread settings file of the existing server, which would otherwise be ignored without notice. */
function unreadFile({ foreign }: Pick<OptionList, 'foreign'>): readonly string[] {
  const name = findFile(usualFilesElsewhere(foreign.name))
  return name === undefined
    ? []
    : [`settings file ${name}: not read; name it with --config, or choose --profile irma`]
}
