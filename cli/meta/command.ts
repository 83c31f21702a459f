/** `svc meta`: shows what a metadata attribute says. @module */
import { type Command, Option } from 'commander'
import { ignoreFlags } from '../foreign-flags.ts'

export type MetaFlags = { readonly schemesPath?: string; readonly irmaconf?: string; readonly json?: true }

export function define(command: Command): void {
  command
    .argument('<ATTRIBUTE>', 'metadata attribute, as a decimal number or in Base64')
    .option('-s, --schemes-path <DIR>', "schemes (default: svc_configuration in the user's data directory)")
    .addOption(new Option('-i, --irmaconf <DIR>').hideHelp())
    .option('--json', 'on standard output one line of JSON')
  ignoreFlags(command, ['--irmaconf-assets <DIR>'])
  command.action(async (text: string, flags: MetaFlags) => {
    const { attributeIn, showMetadata } = await import('./show.ts')
    const attribute = attributeIn(text)
    if (typeof attribute === 'string') command.error(`error: ${attribute}`)
    else await showMetadata(attribute, flags)
  })
}
