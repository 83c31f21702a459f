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

/** Examples of the group, and of each of its commands. */
const EXAMPLES = {
  'svc wallet init --demo --dir wallet --schemes-path demo/schemes':
    'a wallet with the demo credentials of an invented person',
  "svc wallet answer 'POINTER' --dir wallet": 'answers the session of a QR code',
  'svc wallet list --dir wallet': 'its credentials',
  'svc wallet register --dir wallet': 'an account at a keyshare server',
}
const INIT = {
  'svc wallet init --demo --dir wallet --schemes-path demo/schemes':
    'a wallet with the demo credentials of an invented person',
  'svc wallet init --dir wallet': 'an empty wallet, with the installed schemes',
}
const SHOW = {
  'svc wallet show --dir wallet': 'every credential',
  'svc wallet show svc-demo.gov.idcard --dir wallet': 'the credentials of one type',
}
const ANSWER = {
  "svc wallet answer 'POINTER' --dir wallet": 'shows the question, and asks for a choice',
  "svc wallet answer 'POINTER' --dir wallet --yes": 'for a script: discloses the first possible choice',
  "svc wallet answer 'POINTER' --dir wallet --refuse": 'for a script: refuses',
}
const REGISTER = {
  'svc wallet register --dir wallet': 'asks for a PIN',
  'svc wallet register svc-keyshare --dir wallet --pin-file pin.txt --email anna@example.com --language de':
    'for a script: with an e-mail address, and mails in German',
}
const CHANGE_PIN = {
  'svc wallet change-pin --dir wallet': 'asks for both PINs',
  'svc wallet change-pin --dir wallet --pin-file old.txt --new-pin-file new.txt': 'for a script',
}

export function define(command: Command): void {
  addExamples(command, EXAMPLES)
  addInitFlags(addExamples(command.command('init'), INIT))
    .description('make a wallet in a new folder')
    .action(async (flags: InitFlags) => (await import('./folder.ts')).initWallet(flags))
  addFolderFlags(command.command('list'))
    .description('list its credentials')
    .action(async (flags: WalletFlags) => (await import('./folder.ts')).listCredentials(flags))
  addFolderFlags(addExamples(command.command('show'), SHOW))
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
  addRegisterFlags(addExamples(command.command('register'), REGISTER))
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
  addChangePinFlags(addExamples(command.command('change-pin'), CHANGE_PIN))
    .description('change the PIN, at all keyshare servers where the wallet is registered')
    .action(async (flags: ChangePinFlags) => (await import('./keyshare.ts')).changeWalletPin(flags))
}

function defineAnswer(command: Command): void {
  addExamples(command, ANSWER)
  command
    .description('answer a session')
    .argument('<POINTER>', 'what its QR code holds')
    .action(async (pointer: string, flags: AnswerFlags) => {
      if (flags.yes && flags.refuse) command.error('error: --yes: expected no --refuse beside it, got one')
      const { answer } = await import('./answer.ts')
      await answer(pointer, flags)
    })
}
