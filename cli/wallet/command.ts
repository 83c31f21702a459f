/** `svc wallet`: a wallet app without a phone. @module */
import type { Command } from 'commander'

export type WalletFlags = { readonly dir?: string; readonly schemesPath?: string }
export type InitFlags = WalletFlags & { readonly demo?: true; readonly developerMode?: true }
export type AnswerFlags = WalletFlags & { readonly yes?: true; readonly refuse?: true }

export function define(command: Command): void {
  withFolders(command.command('init'))
    .description('make a wallet in a new folder')
    .option('--demo', 'with demo credentials, developer mode on')
    .option('--developer-mode', 'accept plain HTTP, and servers that are not in production mode')
    .action(async (flags: InitFlags) => (await import('./folder.ts')).initWallet(flags))
  withFolders(command.command('list'))
    .description('list its credentials')
    .action(async (flags: WalletFlags) => (await import('./folder.ts')).listCredentials(flags))
  withFolders(command.command('show'))
    .description('show credentials with their attributes')
    .argument('[CREDENTIAL]', 'name or type of a credential (default: all)')
    .action(async (wanted: string | undefined, flags: WalletFlags) =>
      (await import('./folder.ts')).showCredentials(flags, wanted),
    )
  withFolders(command.command('update'))
    .description('ask the revocation servers which of its credentials were revoked')
    .action(async (flags: WalletFlags) => (await import('./folder.ts')).updateWallet(flags))
  defineAnswer(withFolders(command.command('answer')))
}

function withFolders(command: Command): Command {
  return command
    .option('-d, --dir <DIR>', "folder of the wallet (default: wallet in the user's data directory)")
    .option('-s, --schemes-path <DIR>', "schemes (default: svc_configuration in the user's data directory)")
}

function defineAnswer(command: Command): void {
  command
    .description('answer a session')
    .argument('<POINTER>', 'what its QR code holds')
    .option('-y, --yes', 'disclose the first possible choice without asking')
    .option('--refuse', 'refuse without asking')
    .action(async (pointer: string, flags: AnswerFlags) => {
      if (flags.yes && flags.refuse) command.error("error: --yes can't be combined with --refuse")
      const { answer } = await import('./answer.ts')
      await answer(pointer, flags)
    })
}
