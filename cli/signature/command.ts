/** `svc signature verify`: checks an attribute-based signature that was kept, without a server. @module */
import type { Command } from 'commander'
import { repeatable } from '../repeatable.ts'

export type VerifyFlags = {
  /** Base64 */
  readonly timestampKey: readonly string[]
  readonly schemesPath?: string
  readonly json?: true
}

export function define(command: Command): void {
  command
    .command('verify')
    .description('check an attribute-based signature against the installed schemes, offline')
    .argument('[FILE]', 'signed message, or session result that holds one, in JSON (default: standard input)')
    .addOption(
      repeatable('--timestamp-key <BASE64>', 'Ed25519 key of a timestamp server that is trusted; repeatable'),
    )
    .option('-s, --schemes-path <DIR>', "schemes (default: svc_configuration in the user's data directory)")
    .option('--json', 'on standard output one line of JSON')
    .action(async (file: string | undefined, flags: VerifyFlags) => {
      const { verifySignature } = await import('./verify.ts')
      await verifySignature(file, flags)
    })
}
