#!/usr/bin/env node
/** The command `svc`. It loads only the commands that the caller names, and their work only when it starts, so that `svc --help` is fast.
 *  @module */
import type { Command } from 'commander'
import { packageVersion } from '../server/version.ts'
import { keepCompiled } from './compile-cache.ts'
import { createProgram, defineOtherWord, endWhenOutputFails, runProgram } from './usage.ts'

type CommandFile = { readonly define: (command: Command) => void }
type Entry = {
  readonly summary: string
  /** heading above the command in the help */
  readonly heading: string
  readonly load: () => Promise<CommandFile>
  /** true if it prints something about all commands, so that all are loaded */
  readonly isAboutAll?: boolean
}

const SERVERS = 'Servers:'
const SESSIONS = 'Sessions, without a web site or a phone:'
const SCHEMES = 'Schemes and keys:'
const LEARNING = 'To learn, and to look:'

const COMMANDS: Readonly<Record<string, Entry>> = {
  server: {
    summary: 'run a session server',
    heading: SERVERS,
    load: () => import('./server/command.ts'),
  },
  keyshare: {
    summary: 'run a keyshare server, make its keys',
    heading: SERVERS,
    load: () => import('./keyshare/command.ts'),
  },
  oidc: {
    summary: 'run an OpenID provider: web sites sign users in with the wallet',
    heading: SERVERS,
    load: () => import('./oidc/command.ts'),
  },
  deliveries: {
    summary: 'callbacks and mails that are owed: list, show, replay',
    heading: SERVERS,
    load: () => import('./deliveries/command.ts'),
  },
  session: {
    summary: 'run one session in the terminal',
    heading: SESSIONS,
    load: () => import('./session/command.ts'),
  },
  request: {
    summary: 'print a session request, signed or not',
    heading: SESSIONS,
    load: () => import('./request/command.ts'),
  },
  wallet: {
    summary: 'a wallet app without a phone',
    heading: SESSIONS,
    load: () => import('./wallet/command.ts'),
  },
  signature: {
    summary: 'check a signature that was kept',
    heading: SESSIONS,
    load: () => import('./signature/command.ts'),
  },
  conformance: {
    summary: 'try whether a server does what the specification says',
    heading: SESSIONS,
    load: () => import('./conformance/command.ts'),
  },
  scheme: {
    summary: 'make, sign, check, download and update schemes',
    heading: SCHEMES,
    load: () => import('./scheme/command.ts'),
  },
  issuer: {
    summary: 'keys of issuers, revoking',
    heading: SCHEMES,
    load: () => import('./issuer/command.ts'),
  },
  meta: {
    summary: 'what a metadata attribute says',
    heading: SCHEMES,
    load: () => import('./meta/command.ts'),
  },
  demo: {
    summary: 'the tour: web sites and a phone in the browser',
    heading: LEARNING,
    load: () => import('./demo/command.ts'),
  },
  chart: {
    summary: 'print a statechart of the servers, as text or as a picture',
    heading: LEARNING,
    load: () => import('./chart/command.ts'),
  },
  completion: {
    summary: 'print what lets a shell complete the commands of svc',
    heading: LEARNING,
    load: () => import('./completion/command.ts'),
    isAboutAll: true,
  },
  man: {
    summary: 'print the page for man',
    heading: LEARNING,
    load: () => import('./man/command.ts'),
    isAboutAll: true,
  },
}

const EXAMPLES = `
Examples:
  svc demo                                 look at everything, in a browser
  svc server --schemes-path demo/schemes   a server for trying, with demo attributes
  svc session --disclose svc-demo.gov.idcard.over18 --schemes-path demo/schemes
                                           one question, asked from the terminal
  svc server check --config svcserver.yml  what is wrong in a settings file`

async function main(words: readonly string[]): Promise<number> {
  const program = createProgram()
  program.description('Session server for selectively disclosed attributes, and tools around it.')
  program.version(packageVersion(), '--version').addHelpText('after', EXAMPLES)
  const isAboutAll = words.some(word => COMMANDS[word]?.isAboutAll)
  for (const [name, { summary, heading, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(summary).helpGroup(heading)
    if (isAboutAll || words.includes(name)) (await load()).define(command)
  }
  defineOtherWord(program, 'version', 'svc --version')
  defineOtherWord(program, 'genkeypair', 'svc issuer keygen')
  return runProgram(program, words)
}

keepCompiled()
endWhenOutputFails([process.stdout, process.stderr])
process.exitCode = await main(process.argv.slice(2))
