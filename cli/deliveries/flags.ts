/** The flags of `svc deliveries`. @module */
import type { Command } from 'commander'

export type DeliveriesFlags = { readonly store?: string; readonly config?: string; readonly json?: true }

export function addDeliveriesFlags(command: Command): void {
  command
    .option('--store <sqlite:FILE>', 'store of the server (default: as its settings say)')
    .option('-c, --config <FILE>', 'settings file of the server: JSON, YAML or TOML')
    .option('--json', 'lines of JSON')
}
