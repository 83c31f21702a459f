/** The flags of `svc deliveries`. @module */
import type { Command } from 'commander'

export type DeliveriesFlags = {
  readonly store?: string
  readonly storeFile?: string
  readonly config?: string
  readonly keyshare?: true
  readonly json?: true
}

export function addDeliveriesFlags(command: Command): void {
  command
    .option('--store <STORE>', 'store of the server, as its option names it (default: as its settings say)')
    .option('--store-file <FILE>', 'file with the address of that store, in place of --store')
    .option('-c, --config <FILE>', 'settings file of the server: JSON, YAML or TOML')
    .option(
      '--keyshare',
      'deliveries of svc keyshare, which are mails, by its settings and its default store',
    )
    .option('--json', 'lines of JSON')
}
