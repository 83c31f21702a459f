/** `svc scheme`: creates, signs, verifies, downloads and updates schemes. @module */
import type { Command } from 'commander'
import { addExamples } from '../examples.ts'
import { define as defineIssuer } from '../issuer/command.ts'
import {
  addCopyFlags,
  addKeyFlags,
  addSignFlags,
  type CopyFlags,
  type KeyFlags,
  type SignFlags,
} from './flags.ts'

const EXAMPLES = {
  'svc scheme keygen': 'the key pair of a new scheme, in this folder',
  'svc scheme sign sk.pem .': 'signs the scheme in this folder, and checks it',
  'svc scheme verify schemes': 'checks every scheme of a folder',
  'svc scheme download schemes https://schemes.example/mine':
    'installs a scheme, and trusts its key from then on',
}

export function define(command: Command): void {
  addExamples(command, EXAMPLES)
  addKeyFlags(
    command.command('keygen').description('make the key pair of a scheme; existing files stay as they are'),
  ).action(async (flags: KeyFlags, keygen: Command) => {
    const { makeSchemeKey } = await import('./keygen.ts')
    const mistake = await makeSchemeKey(flags)
    if (mistake) keygen.error(`error: ${mistake}`)
  })
  addCopyFlags(
    command
      .command('keycopy')
      .description('write a copy of the private key of a scheme, under a new passphrase or without one'),
  ).action(async (flags: CopyFlags, keycopy: Command) => {
    const { copySchemeKey } = await import('./keycopy.ts')
    const mistake = await copySchemeKey(flags)
    if (mistake) keycopy.error(`error: ${mistake}`)
  })
  addSignFlags(
    command
      .command('sign')
      .description('sign a scheme as it lies in its folder, and check it')
      .argument('[PRIVATEKEY]', 'private key of the scheme', 'sk.pem')
      .argument('[PATH]', 'folder of the scheme', '.'),
  ).action(async (key: string, path: string, flags: SignFlags) => {
    const { sign } = await import('./sign.ts')
    await sign(key, path, flags)
  })
  command
    .command('verify')
    .description('check a scheme, or every scheme of a folder')
    .argument('[PATH]', 'folder of a scheme or of schemes', '.')
    .action(async (path: string) => {
      const { verify } = await import('./verify.ts')
      await verify(path)
    })
  defineRemote(command)
  defineIssuer(command.command('issuer').description('the same as svc issuer'))
}

function defineRemote(command: Command): void {
  command
    .command('download')
    .description('install schemes; the key of one that is named by its address is trusted from then on')
    .argument('[PATH]', "folder of schemes (default: svc_configuration in the user's data directory)")
    .argument('[URL...]', 'addresses of schemes (default: the public demo and production schemes)')
    .action(async (path: string | undefined, urls: readonly string[]) => {
      const { download } = await import('./remote.ts')
      await download(path, urls)
    })
  command
    .command('update')
    .description('bring installed schemes up to date')
    .argument('[PATH...]', "folders of schemes (default: all in the user's data directory)")
    .action(async (paths: readonly string[]) => {
      const { update } = await import('./remote.ts')
      await update(paths)
    })
}
