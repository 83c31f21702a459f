/** The commands of every kind of server: run, check the settings, print the options. @module */
import { type Command, Option } from 'commander'
import { FlagError } from '../../server/settings/errors.ts'
import { exampleFile } from '../../server/settings/example-file.ts'
import { optionsReference } from '../../server/settings/reference.ts'
import type { OptionList } from '../../server/settings/resolve.ts'
import { addServerFlags, givenFlags } from './flags.ts'
import type { CommandLineInput } from './options.ts'
import { collectUnknownFlags } from './unknown-flags.ts'

type Flags = Readonly<Record<string, unknown>> & { readonly config?: string }

/** The functions that run and check a server. They are loaded only when needed. */
type Runs = {
  readonly run: (given: CommandLineInput) => Promise<void>
  readonly check: (given: CommandLineInput) => Promise<void>
}

/** The formats of `options --format`. */
const FORMS = { markdown: optionsReference, yaml: exampleFile } as const

/** @param command the server's group, which has the flags for all its commands */
export function defineServer(command: Command, list: OptionList, load: () => Promise<Runs>): void {
  const unknown = collectUnknownFlags(command)
  const given = (named: Command): CommandLineInput => {
    const { config, ...values } = named.optsWithGlobals<Flags>()
    return { flags: givenFlags(values, list), config, unknown }
  }
  const run = async (_flags: Flags, named: Command): Promise<void> => {
    const { run: start } = await load()
    await start(given(named)).catch(wrongUsageOf(named))
  }
  const check = async (_flags: Flags, named: Command): Promise<void> => {
    const { check: look } = await load()
    await look(given(named)).catch(wrongUsageOf(named))
  }
  addServerFlags(command, list)
  command.action(run)
  command.command('run').description(`the same as ${list.command}`).action(run)
  command.command('check').description('read the settings, build everything, listen to nothing').action(check)
  command
    .command('options')
    .description('print what every option means: a page, or a settings file with every option in it')
    .addOption(
      new Option('--format <FORM>', 'form of the page').choices(Object.keys(FORMS)).default('markdown'),
    )
    .action(({ format }: { readonly format: keyof typeof FORMS }) => {
      process.stdout.write(FORMS[format](list))
    })
}

function wrongUsageOf(command: Command): (error: unknown) => never {
  return error => {
    if (error instanceof FlagError) command.error(`error: ${error.message}`)
    throw error
  }
}
