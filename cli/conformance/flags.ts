/** The flags of `svc conformance`. @module */
import type { Command } from 'commander'
import { shownAddress } from '../../protocol/shown-address.ts'
import { repeatable } from '../repeatable.ts'
import { type AuthFlags, addAuthFlags, mistakeInAuth } from '../request/flags.ts'
import { mistakeInServer } from '../request/server-address.ts'

export type ConformanceFlags = AuthFlags & {
  readonly server: string
  readonly wallet?: string
  readonly disclose?: string
  readonly issue?: string
  readonly listenUrl?: string
  readonly row: readonly string[]
  readonly long?: true
  readonly json?: true
}

export function addConformanceFlags(command: Command): Command {
  command.requiredOption('--server <URL>', 'requestor address of the server that is tried')
  return addAuthFlags(command)
    .option('--wallet <DIR>', 'wallet that answers (default: a new one with demo credentials)')
    .option('--disclose <ID>', 'attribute to ask for (default: one that the wallet has)')
    .option(
      '--issue <TYPE=VALUES>',
      'credential that the server may issue (default: the note of the demo schemes)',
    )
    .option('--listen-url <URL>', 'where the server reaches this command (default: a port of this machine)')
    .addOption(
      repeatable('--row <ID>', 'try only rows whose names begin with this text, such as "2.8"; repeatable'),
    )
    .option('--long', 'also try rows that take some minutes')
    .option('--json', 'print a line of JSON for each row')
}

/** @returns the mistake in the flags; undefined if there is none */
export function mistakeIn(flags: ConformanceFlags): string | undefined {
  const { server, listenUrl } = flags
  const mistake = mistakeInServer('--server', server)
  if (mistake !== undefined) return mistake
  if (listenUrl !== undefined && !/^http:\/\/[^/]+:\d+$/.test(listenUrl))
    return `--listen-url: expected an address like http://host:port, got ${shownAddress(listenUrl)}`
  return mistakeInAuth(flags)
}
