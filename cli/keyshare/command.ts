/** `svc keyshare`: runs a keyshare server, and creates its keys. @module */
import type { Command } from 'commander'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { addExamples } from '../examples.ts'
import { addSourceFlags } from '../imports/source-address.ts'
import { repeatable } from '../repeatable.ts'
import { defineServer } from '../servers/commands.ts'
import { givenFlags } from '../servers/flags.ts'
import { defineOtherWord } from '../usage.ts'
import type { ImportFlags } from './import.ts'
import type { SigningKeyFlags, StorageKeyFlags } from './keygen.ts'

const EXAMPLES = {
  'svc keyshare keygen storage': 'the key that encrypts the secrets of accounts',
  'svc keyshare --config svckeyshare.yml': 'a keyshare server',
  'svc keyshare import --config svckeyshare.yml --from postgres://svc@db.example/irma --dry-run':
    'what an import of the accounts of an existing server would copy',
  'svc keyshare options --format yaml': 'a settings file with every option in it',
}

export function define(command: Command): void {
  addExamples(command, EXAMPLES)
  defineServer(command, keyshareServer, () => import('./run.ts'))
  defineOtherWord(command, 'server', 'svc keyshare')
  defineOtherWord(command, 'tasks', 'svc keyshare, which does this work itself')
  defineOtherWord(command, 'myirmaserver', 'svc keyshare, which has an account page of its own')
  defineImport(command)
  const keygen = command
    .command('keygen')
    .description('make a key of the server; existing files stay as they are')
    .action(() => {
      refuseFlagsOf(command, keygen)
      keygen.help()
    })
  keygen
    .command('storage')
    .description('the key that encrypts the secrets of accounts')
    .option('--key-file <FILE>', 'its file', 'storagekey.aes')
    .option('--counter <N>', 'its number, by which records name it: another one for each key', '0')
    .action(async (flags: StorageKeyFlags, storage: Command) => {
      refuseFlagsOf(command, storage)
      const { makeStorageKey } = await import('./keygen.ts')
      endOn(makeStorageKey(flags), storage)
    })
  keygen
    .command('jwt')
    .description(
      'the pair that signs logins and answers: the public key belongs into the scheme, as kss-N.pem',
    )
    .option('--private-key <FILE>', 'file of the private key (default: kss-N.private.pem)')
    .option('--public-key <FILE>', 'file of the public key (default: kss-N.pem)')
    .option('--counter <N>', 'the number N', '0')
    .action(async (flags: SigningKeyFlags, jwt: Command) => {
      refuseFlagsOf(command, jwt)
      const { makeSigningKey } = await import('./keygen.ts')
      endOn(makeSigningKey(flags), jwt)
    })
}

/** The target, its keys and its settings are those of the server, by the flags of the group. */
function defineImport(group: Command): void {
  const command = group.command('import')
  addSourceFlags(
    command.description(
      'take over the accounts of an existing keyshare server, into the store of the settings',
    ),
  )
    .addOption(
      repeatable(
        '--storage-key-file <FILE>',
        'a storage key of the existing server, besides those of the settings',
      ),
    )
    .option('--dry-run', 'read and count everything, write nothing')
    .option('--follow', 'repeat the import until a signal, such as Ctrl+C; then a last pass ends it')
    .option('--every <SECONDS>', 'the time between two passes of --follow', '10')
    .action(async (_flags: ImportFlags, named: Command) => {
      const { config, ...values } = named.optsWithGlobals<ImportFlags & { readonly config?: string }>()
      const { importAccounts } = await import('./import.ts')
      await importAccounts(values, { flags: givenFlags(values, keyshareServer), config, unknown: [] })
    })
}

/** Refuses flags of the server after the name of a command. Commander accepts them there: `keygen -c 2` would name a settings file and set no counter. */
function refuseFlagsOf(server: Command, command: Command): void {
  const flag = server.options.find(option => server.getOptionValueSource(option.attributeName()) === 'cli')
  if (flag === undefined) return
  const own = [...command.options.map(({ long }) => long), ...command.commands.map(each => each.name())]
  command.error(
    `error: expected flags of this command (${own.join(', ')}), got ${flag.flags}, a flag of the server`,
  )
}

function endOn(mistake: string | undefined, command: Command): void {
  if (mistake) command.error(`error: ${mistake}`)
}
