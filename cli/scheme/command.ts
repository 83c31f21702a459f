/** `svc scheme`: creates, signs, verifies, downloads and updates schemes. @module */
import type { Command } from 'commander'
import { addExamples } from '../examples.ts'
import { refuseFlag } from '../foreign-flags.ts'
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
const KEYGEN = {
  'svc scheme keygen': 'sk.pem and pk.pem in this folder',
  'svc scheme keygen --pass --new-passphrase-file passphrase.txt':
    'the private key encrypted with a passphrase',
}
const KEYCOPY = {
  'svc scheme keycopy --in sk.pem --out sk-backup.pem': 'a copy under a new passphrase, which it asks for',
  'svc scheme keycopy --in sk.pem --out sk-plain.pem --pass false --passphrase-file passphrase.txt':
    'for a script: a copy without a passphrase',
}
const SIGN = {
  'svc scheme sign': 'signs the scheme in this folder with sk.pem',
  'svc scheme sign keys/sk.pem schemes/mine --passphrase-file passphrase.txt':
    'for a script, with an encrypted key outside of the scheme',
}
const DOWNLOAD = {
  'svc scheme download': "the public demo and production schemes, into the user's data directory",
  'svc scheme download schemes https://schemes.example/mine': 'one scheme, into a folder of its own',
}
const UPDATE = {
  'svc scheme update': "every scheme in the user's data directory",
  'svc scheme update schemes': 'every scheme of a folder',
}

export function define(command: Command): void {
  addExamples(command, EXAMPLES)
  addKeyFlags(
    addExamples(command.command('keygen'), KEYGEN).description(
      'make the key pair of a scheme; existing files stay as they are',
    ),
  ).action(async (flags: KeyFlags, keygen: Command) => {
    const { makeSchemeKey } = await import('./keygen.ts')
    const mistake = await makeSchemeKey(flags)
    if (mistake) keygen.error(`error: ${mistake}`)
  })
  addCopyFlags(
    addExamples(command.command('keycopy'), KEYCOPY).description(
      'write a copy of the private key of a scheme, under a new passphrase or without one',
    ),
  ).action(async (flags: CopyFlags, keycopy: Command) => {
    const { copySchemeKey } = await import('./keycopy.ts')
    const mistake = await copySchemeKey(flags)
    if (mistake) keycopy.error(`error: ${mistake}`)
  })
  addSignFlags(
    addExamples(command.command('sign'), SIGN)
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
  refuseFlag(
    addExamples(command.command('download'), DOWNLOAD),
    '--use-schemes-assets-path [DIR]',
    'name the folder of the stock in schemes_assets_path of the server',
  )
    .description('install schemes; the key of one that is named by its address is trusted from then on')
    .argument('[PATH]', "folder of schemes (default: svc_configuration in the user's data directory)")
    .argument('[URL...]', 'addresses of schemes (default: the public demo and production schemes)')
    .action(async (path: string | undefined, urls: readonly string[]) => {
      const { download } = await import('./remote.ts')
      await download(path, urls)
    })
  addExamples(command.command('update'), UPDATE)
    .description('bring installed schemes up to date')
    .argument('[PATH...]', "folders of schemes (default: all in the user's data directory)")
    .action(async (paths: readonly string[]) => {
      const { update } = await import('./remote.ts')
      await update(paths)
    })
}
