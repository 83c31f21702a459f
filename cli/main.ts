#!/usr/bin/env node
/** The command `svc`. Only the commands that the caller names are loaded, and their work only when it starts: `svc --help` stays quick.
 *  @module */
import type { Command } from 'commander'
import { packageVersion } from '../server/version.ts'
import { createProgram, endWithoutReader, runProgram } from './usage.ts'

type CommandFile = { readonly define: (command: Command) => void }
type Entry = { readonly summary: string; readonly load: () => Promise<CommandFile> }

const COMMANDS: Readonly<Record<string, Entry>> = {
  server: { summary: 'run a session server', load: () => import('./server/command.ts') },
  keyshare: {
    summary: 'run a keyshare server, make its keys',
    load: () => import('./keyshare/command.ts'),
  },
  session: { summary: 'run one session in the terminal', load: () => import('./session/command.ts') },
  signature: { summary: 'check a signature that was kept', load: () => import('./signature/command.ts') },
  request: { summary: 'print a session request, signed or not', load: () => import('./request/command.ts') },
  scheme: {
    summary: 'make, sign, check, download and update schemes',
    load: () => import('./scheme/command.ts'),
  },
  issuer: { summary: 'keys of issuers, revoking', load: () => import('./issuer/command.ts') },
  deliveries: {
    summary: 'callbacks and mails that are owed: list, show, replay',
    load: () => import('./deliveries/command.ts'),
  },
  chart: {
    summary: 'print a statechart of the servers, as text or as a picture',
    load: () => import('./chart/command.ts'),
  },
  wallet: { summary: 'a wallet app without a phone', load: () => import('./wallet/command.ts') },
  demo: {
    summary: 'the tour: web sites and a phone in the browser',
    load: () => import('./demo/command.ts'),
  },
}

async function main(words: readonly string[]): Promise<number> {
  const program = createProgram()
  program.description('Session server for selectively disclosed attributes, and tools around it.')
  program.version(packageVersion(), '--version')
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(summary)
    if (words.includes(name)) (await load()).define(command)
  }
  return runProgram(program, words)
}

endWithoutReader([process.stdout, process.stderr])
process.exitCode = await main(process.argv.slice(2))
