/** The flags of `svc scheme keygen`. @module */
import type { Command } from 'commander'

export type KeyFlags = { readonly privatekey: string; readonly publickey: string }

export function addKeyFlags(keygen: Command): Command {
  return keygen
    .option('-s, --privatekey <FILE>', 'file of the private key', 'sk.pem')
    .option('-p, --publickey <FILE>', 'file of the public key', 'pk.pem')
}
