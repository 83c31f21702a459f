/** `svc issuer`: creates keys of issuers, and revokes credentials. @module */
import type { Command } from 'commander'
import { addExamples } from '../examples.ts'
import { ignoreFlags, refuseFlag } from '../foreign-flags.ts'
import { addSourceFlags } from '../imports/source-address.ts'
import { type AuthFlags, addAuthFlags, mistakeInAuth } from '../request/flags.ts'
import { mistakeInServer } from '../request/server-address.ts'
import { defineOtherWord } from '../usage.ts'
import { addKeyFlags, type IssuerKeyFlags } from './flags.ts'
import type { RevocationImportFlags } from './import-revocation.ts'

const EXAMPLES = {
  'svc issuer keygen schemes/mine/club': 'the next key pair of an issuer, in its scheme',
  'svc issuer revoke mine.club.pass alice-2026 http://localhost:8088':
    'revokes what was issued under this revocation key',
  'svc issuer import-revocation --config svcserver.yml --from postgres://svc@db.example/irma --dry-run':
    'what an import of the data of an existing authority would copy',
}
const KEYGEN = {
  'svc issuer keygen schemes/mine/club': 'the next key pair, for a year, with 2048 bits',
  'svc issuer keygen schemes/mine/club --keylength 4096 --valid-for 2y --numattributes 20':
    'a longer key, for credentials of up to 18 attributes',
}
const KEYPAIR = {
  'svc issuer revocation-keypair PrivateKeys/0.xml PublicKeys/0.xml': 'in the folder of the issuer',
}
const REVOKE = {
  'svc issuer revoke mine.club.pass alice-2026 http://localhost:8088': 'at a server on this computer',
  'svc issuer revoke mine.club.pass alice-2026 https://id.example --auth-method token --key revoker.token':
    'as a requestor that may revoke; the token is read from a file',
}
const IMPORT = {
  'svc issuer import-revocation --config svcserver.yml --from-file source.txt --dry-run':
    'reads and verifies everything, and writes nothing',
  'svc issuer import-revocation --config svcserver.yml --from-file source.txt': 'copies it',
}

const OVERWRITES = [
  '-f, --force-overwrite [BOOL]',
  'no key is overwritten; move the files away first',
] as const

export function define(command: Command): void {
  addExamples(command, EXAMPLES)
  for (const word of ['keyprove', 'keyverify'])
    defineOtherWord(command, word, 'another command: no server and no app reads a proof of a key')
  addKeyFlags(
    refuseFlag(addExamples(command.command('keygen'), KEYGEN), ...OVERWRITES)
      .description('make a key pair of an issuer; existing files stay as they are')
      .argument('[PATH]', 'folder of the issuer in its scheme', '.'),
  ).action(async (path: string, flags: IssuerKeyFlags, keygen: Command) => {
    const { makeKey } = await import('./keygen.ts')
    const mistake = await makeKey(path, flags)
    if (mistake) keygen.error(`error: ${mistake}`)
  })
  addExamples(command.command('revocation-keypair'), KEYPAIR)
    .description('add what revocation needs to a key pair that was made without it')
    .argument('<PRIVATEKEY>', 'file of the private key; it is replaced')
    .argument('<PUBLICKEY>', 'file of the public key; it is replaced')
    .action(async (privateFile: string, publicFile: string) => {
      const { addRevocation } = await import('./revocation-keypair.ts')
      addRevocation(privateFile, publicFile)
    })
  defineImport(command)
  const revoke = addExamples(command.command('revoke'), REVOKE)
  addAuthFlags(
    ignoreFlags(revoke, ['-v, --verbose'])
      .description('revoke what was issued under a revocation key')
      .argument('<CREDENTIALTYPE>', 'SCHEME.ISSUER.CREDENTIAL')
      .argument('<KEY>', 'its revocation key')
      .argument('<URL>', 'requestor address of the server that is the authority'),
  ).action(async (type: string, key: string, url: string, flags: AuthFlags, revoke: Command) => {
    const mistake = mistakeInServer('URL', url) ?? mistakeInAuth(flags)
    if (mistake) revoke.error(`error: ${mistake}`)
    const { revokeCredential } = await import('./revoke.ts')
    await revokeCredential({ type, key, url }, flags)
  })
}

function defineImport(group: Command): void {
  const command = addExamples(group.command('import-revocation'), IMPORT)
  addSourceFlags(
    command.description(
      'take over accumulators and issuance records of an existing authority; not while a server uses the store',
    ),
  )
    .option('-c, --config <FILE>', 'settings file of the server that becomes the authority')
    .option('--store <STORE>', 'its store (default: as the settings say)')
    .option('--store-file <FILE>', 'file with the address of that store, in place of --store')
    .option(
      '-s, --schemes-path <PATH>',
      'schemes with the public keys of the issuers (default: as the settings say)',
    )
    .option('--dry-run', 'read and verify everything, write nothing')
    .action(async (flags: RevocationImportFlags) => {
      const { importFromAuthority } = await import('./import-revocation.ts')
      await importFromAuthority(flags)
    })
}
