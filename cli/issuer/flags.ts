/** The flags of `svc issuer keygen`. @module */
import type { Command } from 'commander'

export type IssuerKeyFlags = {
  readonly privatekey?: string
  readonly publickey?: string
  /** RFC 3339 */
  readonly expirydate?: string
  readonly validFor?: string
  readonly keylength: string
  readonly counter: string
  readonly numattributes: string
}

export function addKeyFlags(keygen: Command): Command {
  return keygen
    .option('-s, --privatekey <FILE>', 'file of the private key (default: PrivateKeys/COUNTER.xml)')
    .option('-p, --publickey <FILE>', 'file of the public key (default: PublicKeys/COUNTER.xml)')
    .option('-e, --expirydate <TIME>', 'time when the key expires, as 2030-12-31T00:00:00Z')
    .option(
      '-v, --valid-for <TIME>',
      'time from now until the key expires: a number and y, M, d, h or m (default: 1y)',
    )
    .option('-l, --keylength <BITS>', '1024, 2048 or 4096', '2048')
    .option('-c, --counter <N>', 'number of the key; 0: the next one', '0')
    .option('-a, --numattributes <N>', 'bases: two more than the attributes of a credential', '12')
}
