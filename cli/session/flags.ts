/** The flags of `svc session`. @module */
import type { Command } from 'commander'
import { STATIC_NAME } from '../../protocol/session-package.ts'
import { ignoreFlags } from '../foreign-flags.ts'
import { addRequestFlags, isBuilt, mistakeInRequest, type RequestFlags, together } from '../request/flags.ts'
import { mistakeInBase, mistakeInServer } from '../request/server-address.ts'

export type SessionFlags = RequestFlags & {
  readonly server?: string
  readonly url?: string
  readonly port: string
  readonly request?: string
  readonly fromPackage?: string
  readonly staticServer?: string
  readonly staticName?: string
  readonly noqr?: true
  readonly pairing?: true
  readonly json?: true
  readonly fail?: true
  readonly privkeys?: string
}

export function addSessionFlags(command: Command): Command {
  ignoreFlags(command, ['--disable-schemes-update [BOOLEAN]', '-v, --verbose'])
  command
    .option('--server <URL>', 'requestor address of the session server (default: a server of its own)')
    .option('-u, --url <URL>', 'address of its own server, as wallet apps see it')
    .option('-p, --port <N>', 'port of its own server', '48680')
  return addRequestFlags(command)
    .option('-r, --request <JSON>', 'the whole session request, instead of the flags that build one')
    .option('--from-package <JSON>', 'follow a session that was made elsewhere')
    .option('--static-server <URL>', 'print the QR code of a static session of this server, as apps see it')
    .option('--static-name <NAME>', 'name of that session')
    .option('--noqr', 'print the session pointer as a line of JSON instead of a QR code')
    .option('--pairing', 'let the user compare a code before the session goes on')
    .option('--json', 'on standard output the session pointer, then each result, a line of JSON each')
    .option('--fail', 'end with 0 only when every session is DONE with valid proofs')
    .option('-k, --privkeys <DIR>', 'further issuer private keys of its own server')
}

function mistakeInStatic(flags: SessionFlags, asksForMore: boolean): string | undefined {
  const { staticServer, staticName, server, url, pairing, fail } = flags
  if (staticServer === undefined || staticName === undefined)
    return together('--static-server', '--static-name', staticServer !== undefined)
  if (asksForMore || server !== undefined || url !== undefined || pairing || fail)
    return '--static-server: expected at most --noqr, --json and --profile beside it, got another flag'
  const mistake = mistakeInBase('--static-server', staticServer)
  if (mistake !== undefined) return mistake
  if (!STATIC_NAME.test(staticName))
    return `--static-name: expected letters, digits and "_", got ${JSON.stringify(staticName)}`
  return undefined
}

/** Checks flags that exclude or require each other.
 *  @returns the mistake; undefined if there is none */
export function mistakeIn(flags: SessionFlags): string | undefined {
  const given = [isBuilt(flags), flags.request !== undefined, flags.fromPackage !== undefined]
  if (flags.staticServer !== undefined || flags.staticName !== undefined)
    return mistakeInStatic(flags, given.includes(true))
  if (given.filter(Boolean).length !== 1)
    return 'expected one of --request, --from-package and the flags that build a request (--disclose, --sign, --issue)'
  const mistake = flags.server ? mistakeInServer('--server', flags.server) : undefined
  if (mistake !== undefined) return mistake
  const hasOwnServer = !flags.server && flags.fromPackage === undefined
  if (!hasOwnServer && flags.url)
    return '--url: expected neither --server nor --from-package beside it, got one'
  const isStarted = flags.server && flags.fromPackage === undefined
  if (!isStarted && (flags.authMethod !== 'none' || flags.key !== undefined || flags.name !== undefined))
    return 'expected --server beside --auth-method, --key and --name, got none'
  return mistakeInRequest(flags)
}
