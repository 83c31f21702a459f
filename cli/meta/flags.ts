/** The flags of `svc meta`. @module */
import { type Command, Option } from 'commander'
import { ignoreFlags } from '../foreign-flags.ts'

export type MetaFlags = { readonly schemesPath?: string; readonly irmaconf?: string; readonly json?: true }

export function addMetaFlags(meta: Command): Command {
  return ignoreFlags(meta, ['--irmaconf-assets <DIR>'])
    .option('-s, --schemes-path <DIR>', "schemes (default: svc_configuration in the user's data directory)")
    .addOption(new Option('-i, --irmaconf <DIR>').hideHelp())
    .option('--json', 'on standard output one line of JSON')
}
