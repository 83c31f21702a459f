/** `svc session`: one session from the terminal. @module */
import { type Command, Option } from 'commander'
import type { ProfileName } from '../protocol/profiles.ts'

export type SessionFlags = {
  readonly server?: string
  readonly url?: string
  readonly port: string
  readonly disclose: readonly string[]
  readonly request?: string
  readonly fromPackage?: string
  readonly noqr?: true
  readonly pairing?: true
  readonly json?: true
  readonly profile: ProfileName
  readonly authMethod: 'none' | 'token'
  readonly key?: string
  readonly schemesPath?: string
  readonly privkeys?: string
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]

export function define(command: Command): void {
  command
    .option('--server <URL>', 'requestor address of the session server (default: a server of its own)')
    .option('-u, --url <URL>', 'address of its own server, as wallet apps see it')
    .option('-p, --port <N>', 'port of its own server', '48680')
    .option(
      '--disclose <IDS>',
      'attributes of which one is disclosed; repeatable, each must be met',
      collect,
      [],
    )
    .option('-r, --request <JSON>', 'the whole session request, instead of --disclose')
    .option('--from-package <JSON>', 'follow a session that was made elsewhere')
    .option('--noqr', 'print the session pointer as a line of JSON instead of a QR code')
    .option('--pairing', 'let the user compare a code before the session goes on')
    .option('--json', 'on standard output the session pointer, then the result, a line of JSON each')
    .option('--key <TEXT|FILE>', 'token of the requestor, or a file that holds it')
    .option('-s, --schemes-path <DIR>', "schemes (default: svc_configuration in the user's data directory)")
    .option('-k, --privkeys <DIR>', 'further issuer private keys of its own server')
    .addOption(choice('--profile <NAME>', 'names on the wire', ['svc', 'irma']))
    .addOption(
      choice('-a, --auth-method <NAME>', 'how the requestor is known to --server', ['none', 'token']),
    )
    .action(async (flags: SessionFlags) => {
      const mistake = mistakeIn(flags)
      if (mistake) command.error(`error: ${mistake}`)
      const { runSession } = await import('./session/run.ts')
      await runSession(flags)
    })
}

function choice(flag: string, description: string, words: readonly [string, ...string[]]): Option {
  return new Option(flag, description).choices(words).default(words[0])
}

/** Flags that exclude or need each other. */
function mistakeIn(flags: SessionFlags): string | undefined {
  const given = [flags.disclose.length > 0, flags.request !== undefined, flags.fromPackage !== undefined]
  if (given.filter(Boolean).length !== 1) return 'expected one of --disclose, --request and --from-package'
  if (flags.server && !/^https?:\/\//.test(flags.server))
    return `--server: expected an http or https address, got ${JSON.stringify(flags.server)}`
  if (flags.fromPackage !== undefined && flags.server) return "--from-package can't be combined with --server"
  const hasOwnServer = !flags.server && flags.fromPackage === undefined
  if (!hasOwnServer && flags.url) return "--url can't be combined with --server or --from-package"
  if (hasOwnServer && (flags.authMethod !== 'none' || flags.key))
    return '--auth-method and --key need --server'
  if ((flags.authMethod === 'token') !== (flags.key !== undefined))
    return '--auth-method token and --key go together'
  return undefined
}
