/** The flags of `svc signature verify`. @module */
import type { Command } from 'commander'
import { repeatable } from '../repeatable.ts'

export type VerifyFlags = {
  /** Base64 */
  readonly timestampKey: readonly string[]
  readonly schemesPath?: string
  readonly json?: true
}

export function addVerifyFlags(verify: Command): Command {
  return verify
    .addOption(
      repeatable('--timestamp-key <BASE64>', 'Ed25519 key of a timestamp server that is trusted; repeatable'),
    )
    .option('-s, --schemes-path <DIR>', "schemes (default: svc_configuration in the user's data directory)")
    .option('--json', 'on standard output one line of JSON')
}
