/** The flags that describe a session request, for `svc request` and `svc session` (spec/schemes-and-cli#16.3). @module */
import { type Command, Option } from 'commander'
import type { ProfileName } from '../../protocol/profiles.ts'
import { ignoreFlags } from '../foreign-flags.ts'
import { repeatable } from '../repeatable.ts'

const METHODS = ['none', 'token', 'hmac', 'rsa'] as const
export type AuthMethod = (typeof METHODS)[number]

export type AuthFlags = {
  readonly profile: ProfileName
  readonly authMethod: AuthMethod
  /** as given: the key, or the name of a file that contains it; secret */
  readonly key?: string
  /** name of the requestor */
  readonly name?: string
  readonly schemesPath?: string
}

export type RequestFlags = AuthFlags & {
  /** one disjunction each: ids separated by commas */
  readonly disclose: readonly string[]
  readonly sign: readonly string[]
  /** `<credential type id>=<value>,<value>,...` */
  readonly issue: readonly string[]
  readonly message?: string
  /** key by which the issued credentials can be revoked */
  readonly revocationKey?: string
}

export function addRequestFlags(command: Command): Command {
  const one = 'one of these attributes'
  command
    .addOption(repeatable('--disclose <IDS>', `disclose ${one}; repeatable, each must be met`))
    .addOption(repeatable('--sign <IDS>', `sign --message with ${one}; repeatable, each must be met`))
    .option('--message <TEXT>', 'the message to sign')
    .addOption(
      repeatable('--issue <TYPE=VALUES>', 'issue a credential, its values in scheme order; repeatable'),
    )
    .option('--revocation-key <TEXT>', 'name under which what --issue issues can be revoked')
  return addAuthFlags(command)
}

/** Flags for the authentication of the requestor, the profile and the schemes. */
export function addAuthFlags(command: Command): Command {
  addOtherSpelling(ignoreFlags(command, ['--schemes-assets-path <DIR>']))
  return command
    .option(
      '--key <TEXT|FILE>',
      'token, secret in Base64 (hmac) or private key in PEM (rsa), or a file with it',
    )
    .option('--name <NAME>', 'name of the requestor (hmac, rsa)')
    .option('-s, --schemes-path <DIR>', "schemes (default: svc_configuration in the user's data directory)")
    .addOption(choice('--profile <NAME>', 'names on the wire', ['svc', 'irma']))
    .addOption(choice('-a, --auth-method <NAME>', 'how the requestor is known', METHODS))
}

function choice(flag: string, description: string, words: readonly [string, ...string[]]): Option {
  return new Option(flag, description).choices(words).default(words[0])
}

/** `--authmethod`, the older name of `--auth-method` in scripts. */
function addOtherSpelling(command: Command): void {
  command.addOption(new Option('--authmethod <NAME>').choices(METHODS).hideHelp())
  command.on('option:authmethod', (method: string) => command.setOptionValue('authMethod', method))
}

/** True if a flag that describes the content of the session was given. */
export function isBuilt({ disclose, sign, issue, message, revocationKey }: RequestFlags): boolean {
  return disclose.length + sign.length + issue.length > 0 || (message ?? revocationKey) !== undefined
}

/** @returns the mistake, if flags exclude or require each other */
export function mistakeInRequest(flags: RequestFlags): string | undefined {
  const { disclose, sign, issue, message, revocationKey } = flags
  const hasSign = sign.length > 0
  if (hasSign && (disclose.length > 0 || issue.length > 0))
    return '--sign: expected neither --disclose nor --issue beside it, got one'
  if (hasSign !== (message !== undefined)) return together('--sign', '--message', hasSign)
  if (revocationKey !== undefined && issue.length === 0)
    return '--revocation-key: expected --issue beside it, got none'
  return mistakeInAuth(flags)
}

/** As `mistakeInRequest`, for the flags of authentication. */
export function mistakeInAuth({ authMethod, key, name }: AuthFlags): string | undefined {
  const isSigned = authMethod === 'hmac' || authMethod === 'rsa'
  const isGiven = authMethod !== 'none'
  if (isGiven !== (key !== undefined)) return together('--auth-method (token, hmac or rsa)', '--key', isGiven)
  if (isSigned !== (name !== undefined)) return together('--auth-method (hmac or rsa)', '--name', isSigned)
  return undefined
}

/** The message about two flags of which only one is given. */
export function together(first: string, second: string, isFirst: boolean): string {
  return `expected ${first} and ${second} together, got only ${isFirst ? first : second}`
}
