/** The flags of `svc wallet`. @module */
import type { Command } from 'commander'

export type WalletFlags = { readonly dir?: string; readonly schemesPath?: string }
export type InitFlags = WalletFlags & { readonly demo?: true; readonly developerMode?: true }
export type PinFlags = WalletFlags & { readonly pinFile?: string }
export type AnswerFlags = PinFlags & {
  readonly yes?: true
  readonly refuse?: true
  readonly sdJwtRoots?: string
}
export type RegisterFlags = PinFlags & { readonly email?: string; readonly language?: string }
export type ChangePinFlags = PinFlags & { readonly newPinFile?: string }

const PIN_FILE = ['--pin-file <FILE>', 'file with the PIN in its first line (default: ask for it)'] as const

export function addFolderFlags(command: Command): Command {
  return command
    .option('-d, --dir <DIR>', "folder of the wallet (default: wallet in the user's data directory)")
    .option('-s, --schemes-path <DIR>', "schemes (default: svc_configuration in the user's data directory)")
}

export function addInitFlags(init: Command): Command {
  return addFolderFlags(init)
    .option('--demo', 'with demo credentials, developer mode on')
    .option('--developer-mode', 'accept plain HTTP, and servers that are not in production mode')
}

export function addAnswerFlags(answer: Command): Command {
  return addFolderFlags(answer)
    .option('-y, --yes', 'disclose the first possible choice without asking')
    .option('--refuse', 'refuse without asking')
    .option(
      '--sd-jwt-roots <FILE>',
      'CAs in PEM whose issuers may issue SD-JWTs (default: none; in developer mode all)',
    )
    .option(...PIN_FILE)
}

export function addPinFlags(command: Command): Command {
  return addFolderFlags(command).option(...PIN_FILE)
}

export function addRegisterFlags(register: Command): Command {
  return addPinFlags(register)
    .option('--email <ADDRESS>', 'where the keyshare server sends what you must know (default: nowhere)')
    .option('--language <CODE>', 'of these mails: en, nl, de or fr (default: en)')
}

export function addChangePinFlags(changePin: Command): Command {
  return addPinFlags(changePin).option(
    '--new-pin-file <FILE>',
    'file with the new PIN in its first line (default: ask for it)',
  )
}
