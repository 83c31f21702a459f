/** The flags of `svc wallet`. @module */
import type { Command } from 'commander'

export type WalletFlags = { readonly dir?: string; readonly schemesPath?: string }
export type InitFlags = WalletFlags & { readonly demo?: true; readonly developerMode?: true }
export type AnswerFlags = WalletFlags & { readonly yes?: true; readonly refuse?: true }

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
}
