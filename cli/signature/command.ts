/** `svc signature verify`: verifies a stored attribute-based signature, without a server. @module */
import type { Command } from 'commander'
import { addVerifyFlags, type VerifyFlags } from './flags.ts'

export function define(command: Command): void {
  addVerifyFlags(
    command
      .command('verify')
      .description('check an attribute-based signature against the installed schemes, offline')
      .argument(
        '[FILE]',
        'signed message, or session result that holds one, in JSON (default: standard input)',
      ),
  ).action(async (file: string | undefined, flags: VerifyFlags) => {
    const { verifySignature } = await import('./verify.ts')
    await verifySignature(file, flags)
  })
}
