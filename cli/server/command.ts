/** `svc server`, `svc server run`, `svc server check` and `svc server options`. @module */
import type { Command } from 'commander'
import { FlagError } from '../../server/settings/errors.ts'
import { optionsReference } from '../../server/settings/reference.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { addServerFlags, givenFlags } from '../flags.ts'
import type { Given } from './options.ts'

type Flags = Readonly<Record<string, unknown>> & { readonly config?: string }

export function define(command: Command): void {
  addServerFlags(command, sessionServer)
  command.action(run)
  command.command('run').description('the same as svc server').action(run)
  command.command('check').description('read the settings, build everything, listen to nothing').action(check)
  command
    .command('options')
    .description('print what every option means, as Markdown')
    .action(() => void process.stdout.write(optionsReference(sessionServer)))
}

async function run(_flags: Flags, command: Command): Promise<void> {
  const { runServer } = await import('./run.ts')
  await runServer(givenTo(command)).catch(wrongUsageOf(command))
}

async function check(_flags: Flags, command: Command): Promise<void> {
  const { checkServer } = await import('./run.ts')
  await checkServer(givenTo(command)).catch(wrongUsageOf(command))
}

function wrongUsageOf(command: Command): (error: unknown) => never {
  return error => {
    if (error instanceof FlagError) command.error(`error: ${error.message}`)
    throw error
  }
}

/** The flags stand on `server`, whichever of its commands was named. */
function givenTo(command: Command): Given {
  const { config, ...values } = command.optsWithGlobals<Flags>()
  return { flags: givenFlags(values, sessionServer), config }
}
