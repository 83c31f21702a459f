/** `svc scheme`: make, sign and check schemes. @module */
import type { Command } from 'commander'

export type KeyFlags = { readonly privatekey: string; readonly publickey: string }

export function define(command: Command): void {
  command
    .command('keygen')
    .description('make the key pair of a scheme; existing files stay as they are')
    .option('-s, --privatekey <FILE>', 'file of the private key', 'sk.pem')
    .option('-p, --publickey <FILE>', 'file of the public key', 'pk.pem')
    .action(async (flags: KeyFlags, keygen: Command) => {
      const { makeSchemeKey } = await import('./scheme/keygen.ts')
      const mistake = makeSchemeKey(flags)
      if (mistake) keygen.error(`error: ${mistake}`)
    })
  command
    .command('sign')
    .description('sign a scheme as it lies in its folder, and check it')
    .argument('[PRIVATEKEY]', 'private key of the scheme', 'sk.pem')
    .argument('[PATH]', 'folder of the scheme', '.')
    .option('-n, --noverification', 'do not check it')
    .action(async (key: string, path: string, flags: { readonly noverification?: true }) => {
      const { sign } = await import('./scheme/sign.ts')
      await sign(key, path, flags.noverification === true)
    })
  command
    .command('verify')
    .description('check a scheme, or every scheme of a folder')
    .argument('[PATH]', 'folder of a scheme or of schemes', '.')
    .action(async (path: string) => {
      const { verify } = await import('./scheme/verify.ts')
      await verify(path)
    })
}
