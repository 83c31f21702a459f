/** The command line parses each example in the help of its commands. Its checks of flags that exclude or require each other apply too. */
import type { Command } from 'commander'
import * as assert from 'uvu/assert'
import { commandsOf } from '../../cli/man/all-commands.ts'
import {
  type AuthFlags,
  mistakeInAuth,
  mistakeInRequest,
  type RequestFlags,
} from '../../cli/request/flags.ts'
import { mistakeIn, type SessionFlags } from '../../cli/session/flags.ts'
import { createProgram } from '../../cli/usage.ts'
import { suite } from '../suite.ts'

const FILES = {
  server: () => import('../../cli/server/command.ts'),
  keyshare: () => import('../../cli/keyshare/command.ts'),
  session: () => import('../../cli/session/command.ts'),
  request: () => import('../../cli/request/command.ts'),
  wallet: () => import('../../cli/wallet/command.ts'),
  scheme: () => import('../../cli/scheme/command.ts'),
  issuer: () => import('../../cli/issuer/command.ts'),
}
type Name = keyof typeof FILES
const NAMES = Object.keys(FILES) as readonly Name[]

/** Each command that has examples of its own, besides its group. */
const WITH_EXAMPLES: Readonly<Partial<Record<Name, readonly string[]>>> = {
  wallet: ['init', 'show', 'answer', 'register', 'change-pin'],
  scheme: ['keygen', 'keycopy', 'sign', 'download', 'update'],
  issuer: ['keygen', 'revocation-keypair', 'import-revocation', 'revoke'],
}

type Parsed = { readonly path: string; readonly flags: unknown }

/** A program with one command, whose actions do no work.
 *  @param output gets what the help prints
 *  @param ran gets each command that would run */
async function programOf(
  name: Name,
  output: (text: string) => void,
  ran: (parsed: Parsed) => void,
): Promise<Command> {
  const program = createProgram()
  program.configureOutput({ writeOut: output, writeErr: () => undefined })
  const { define } = await FILES[name]()
  define(program.command(name))
  for (const { path, command } of commandsOf(program))
    command.action(() => ran({ path, flags: command.opts() }))
  return program
}

/** The examples of a command, in its help. */
function examplesIn(help: string): readonly string[] {
  const [, examples = ''] = help.split('\nExamples:\n')
  return [...examples.matchAll(/^ {2}(svc \S.*?)(?: {2,}.*)?$/gm)].map(([, line = '']) => line)
}

/** The words of a command line, as a shell splits them. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '').slice(1)
}

async function helpsOf(name: Name): Promise<ReadonlyMap<string, string>> {
  let text = ''
  const print = (more: string): void => {
    text += more
  }
  const program = await programOf(name, print, () => undefined)
  const helps = new Map<string, string>()
  for (const { path, command } of commandsOf(program)) {
    text = ''
    command.outputHelp()
    helps.set(path, text)
  }
  return helps
}

function mistakeOf({ path, flags }: Parsed): string | undefined {
  if (path === 'svc session') return mistakeIn(flags as SessionFlags) // as its action gets them
  if (path === 'svc request') return mistakeInRequest(flags as RequestFlags)
  return path === 'svc issuer revoke' ? mistakeInAuth(flags as AuthFlags) : undefined
}

const Examples = suite('svc: the examples in the help')

for (const name of NAMES)
  Examples(`each example of svc ${name} is a command that runs, with flags that go together`, async () => {
    const helps = await helpsOf(name)
    const own = (WITH_EXAMPLES[name] ?? []).map(each => `svc ${name} ${each}`)
    for (const path of [`svc ${name}`, ...own])
      assert.ok(examplesIn(helps.get(path) ?? '').length > 0, `${path}: no examples`)
    for (const [path, help] of helps)
      for (const example of examplesIn(help)) {
        assert.ok(path.startsWith('svc scheme issuer') || example.startsWith(path), `${path}: ${example}`)
        const parsed = await parsedOf(example)
        assert.ok(example.startsWith(parsed.path), `${example}: runs ${parsed.path}`)
        assert.is(mistakeOf(parsed), undefined, example)
      }
  })

async function parsedOf(example: string): Promise<Parsed> {
  const words = wordsOf(example)
  const name = NAMES.find(each => each === words[0])
  if (name === undefined) throw new Error(`${example}: expected one of ${NAMES.join(', ')}`)
  const ran: Parsed[] = []
  const program = await programOf(
    name,
    () => undefined,
    parsed => ran.push(parsed),
  )
  try {
    await program.parseAsync([...words], { from: 'user' })
  } catch (error) {
    throw new Error(`${example}: ${error instanceof Error ? error.message : error}`)
  }
  const [parsed] = ran
  if (parsed === undefined) throw new Error(`${example}: expected a command that runs`)
  return parsed
}

Examples(
  'a line with an unknown flag, a missing argument or flags that exclude each other is found',
  async () => {
    for (const line of [
      'svc session --nope',
      'svc wallet answer',
      'svc scheme verify a b',
      'svc wallet nope',
    ])
      try {
        await parsedOf(line)
        assert.unreachable(line)
      } catch (error) {
        assert.match(String(error), line)
      }
    assert.match(
      mistakeOf(await parsedOf("svc session --sign 'a b' --disclose c")) ?? '',
      /expected neither --disclose nor --issue beside it/,
    )
  },
)
Examples.run()
