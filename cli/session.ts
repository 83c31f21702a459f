/** `svc session`: one session from the terminal. @module */
import type { Command } from 'commander'
import { addRequestFlags, isBuilt, mistakeInRequest, type RequestFlags } from './request/flags.ts'

export type SessionFlags = RequestFlags & {
  readonly server?: string
  readonly url?: string
  readonly port: string
  readonly request?: string
  readonly fromPackage?: string
  readonly noqr?: true
  readonly pairing?: true
  readonly json?: true
  readonly privkeys?: string
}

export function define(command: Command): void {
  command
    .option('--server <URL>', 'requestor address of the session server (default: a server of its own)')
    .option('-u, --url <URL>', 'address of its own server, as wallet apps see it')
    .option('-p, --port <N>', 'port of its own server', '48680')
  addRequestFlags(command)
    .option('-r, --request <JSON>', 'the whole session request, instead of the flags that build one')
    .option('--from-package <JSON>', 'follow a session that was made elsewhere')
    .option('--noqr', 'print the session pointer as a line of JSON instead of a QR code')
    .option('--pairing', 'let the user compare a code before the session goes on')
    .option('--json', 'on standard output the session pointer, then each result, a line of JSON each')
    .option('-k, --privkeys <DIR>', 'further issuer private keys of its own server')
    .action(async (flags: SessionFlags) => {
      const mistake = mistakeIn(flags)
      if (mistake) command.error(`error: ${mistake}`)
      const { runSession } = await import('./session/run.ts')
      await runSession(flags)
    })
}

/** Flags that exclude or need each other. */
function mistakeIn(flags: SessionFlags): string | undefined {
  const given = [isBuilt(flags), flags.request !== undefined, flags.fromPackage !== undefined]
  if (given.filter(Boolean).length !== 1)
    return 'expected one of --request, --from-package and the flags that build a request (--disclose, --sign, --issue)'
  if (flags.server && !/^https?:\/\//.test(flags.server))
    return `--server: expected an http or https address, got ${JSON.stringify(flags.server)}`
  if (flags.fromPackage !== undefined && flags.server) return "--from-package can't be combined with --server"
  const hasOwnServer = !flags.server && flags.fromPackage === undefined
  if (!hasOwnServer && flags.url) return "--url can't be combined with --server or --from-package"
  if (!flags.server && (flags.authMethod !== 'none' || flags.key !== undefined || flags.name !== undefined))
    return '--auth-method, --key and --name need --server'
  return mistakeInRequest(flags)
}
