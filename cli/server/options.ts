/** Options and log of a server from where the user gave them. @module */
import type { Logger } from 'pino'
import { usualSettingsFiles } from '../../server/files/directories.ts'
import { createLog } from '../../server/log/log.ts'
import { readSettingsFile } from '../../server/settings/read-file.ts'
import type { OptionValues } from '../../server/settings/session-server.ts'
import { sessionServer } from '../../server/settings/session-server.ts'

export type Given = {
  /** text of each flag, by option name */
  readonly flags: Readonly<Record<string, string>>
  readonly config: string | undefined
}

/** @throws {SettingsError} */
export function readOptions({ flags, config }: Given): {
  readonly options: OptionValues
  readonly log: Logger
  /** undefined: none was read */
  readonly settingsFile: string | undefined
} {
  const file = readSettingsFile(config, usualSettingsFiles(sessionServer.name))
  const { options, warnings } = sessionServer.resolve({ flags, variables: process.env, file })
  const log = createLog(options)
  for (const warning of warnings) log.warn(warning)
  return { options, log, settingsFile: file?.name }
}
