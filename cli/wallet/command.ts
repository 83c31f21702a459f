/** `svc wallet`: a wallet app without a phone. @module */
import type { Command } from 'commander'
import {
  type AnswerFlags,
  addAnswerFlags,
  addFolderFlags,
  addInitFlags,
  type InitFlags,
  type WalletFlags,
} from './flags.ts'

export function define(command: Command): void {
  addInitFlags(command.command('init'))
    .description('make a wallet in a new folder')
    .action(async (flags: InitFlags) => (await import('./folder.ts')).initWallet(flags))
  addFolderFlags(command.command('list'))
    .description('list its credentials')
    .action(async (flags: WalletFlags) => (await import('./folder.ts')).listCredentials(flags))
  addFolderFlags(command.command('show'))
    .description('show credentials with their attributes')
    .argument('[CREDENTIAL]', 'name or type of a credential (default: all)')
    .action(async (wanted: string | undefined, flags: WalletFlags) =>
      (await import('./folder.ts')).showCredentials(flags, wanted),
    )
  addFolderFlags(command.command('update'))
    .description('ask the revocation servers which of its credentials were revoked')
    .action(async (flags: WalletFlags) => (await import('./folder.ts')).updateWallet(flags))
  defineAnswer(addAnswerFlags(command.command('answer')))
}

function defineAnswer(command: Command): void {
  command
    .description('answer a session')
    .argument('<POINTER>', 'what its QR code holds')
    .action(async (pointer: string, flags: AnswerFlags) => {
      if (flags.yes && flags.refuse) command.error("error: --yes can't be combined with --refuse")
      const { answer } = await import('./answer.ts')
      await answer(pointer, flags)
    })
}
