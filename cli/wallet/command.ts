/** `svc wallet`: a wallet app without a phone. @module */
import type { Command } from 'commander'
import { addExamples } from '../examples.ts'
import {
  type AnswerFlags,
  addAnswerFlags,
  addChangePinFlags,
  addFolderFlags,
  addInitFlags,
  addPinFlags,
  addRegisterFlags,
  type ChangePinFlags,
  type InitFlags,
  type PinFlags,
  type RegisterFlags,
  type WalletFlags,
} from './flags.ts'

const EXAMPLES = {
  'svc wallet init --demo --dir wallet --schemes-path demo/schemes':
    'a wallet with the demo credentials of an invented person',
  "svc wallet answer 'POINTER' --dir wallet": 'answers the session of a QR code',
  'svc wallet list --dir wallet': 'its credentials',
  'svc wallet register --dir wallet': 'an account at a keyshare server',
}

export function define(command: Command): void {
  addExamples(command, EXAMPLES)
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
  defineAccounts(command)
}

function defineAccounts(command: Command): void {
  addRegisterFlags(command.command('register'))
    .description('register at the keyshare server of a scheme, and choose a PIN')
    .argument('[SCHEME]', 'id of the scheme (default: the only one with a keyshare server)')
    .action(async (scheme: string | undefined, flags: RegisterFlags) =>
      (await import('./keyshare.ts')).registerWallet(scheme, flags),
    )
  addPinFlags(command.command('unlock'))
    .description('check the PIN, and renew a login credential that expires soon')
    .argument('[SCHEME]', 'id of the scheme (default: the only one with a keyshare server)')
    .action(async (scheme: string | undefined, flags: PinFlags) =>
      (await import('./keyshare.ts')).unlockWallet(scheme, flags),
    )
  addChangePinFlags(command.command('change-pin'))
    .description('change the PIN, at all keyshare servers where the wallet is registered')
    .action(async (flags: ChangePinFlags) => (await import('./keyshare.ts')).changeWalletPin(flags))
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
