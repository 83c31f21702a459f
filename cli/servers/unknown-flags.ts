/** Flags that a command does not have, collected instead of refused at once, so that one run names everything that is wrong. @module */
import type { Command, Option } from 'commander'

/** The commands that read the settings and name all that is refused. Another one, such as `keygen`, refuses the first unknown flag. */
const READERS: readonly string[] = ['run', 'check']

/** @returns a list, which gets the unknown flags without their values when the command line is parsed */
export function collectUnknownFlags(command: Command): readonly string[] {
  const unknown: string[] = []
  const parse = command.parseOptions.bind(command)
  command.parseOptions = words => parse(withoutUnknown(words, command, unknown))
  command.hook('preSubcommand', (_, asked) => {
    if (unknown.length > 0 && !READERS.includes(asked.name()))
      asked.error(`error: unknown option '${unknown[0]}'`)
  })
  return unknown
}

function withoutUnknown(words: readonly string[], command: Command, unknown: string[]): string[] {
  const kept: string[] = []
  const named = command.commands.map(each => each.name())
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const next = words[at + 1]
    if (word === '--') return [...kept, ...words.slice(at)]
    const [flag = ''] = word.split('=')
    const takesNext = !word.includes('=') && next !== undefined && !next.startsWith('-')
    const isKnown = !flag.startsWith('--') || hasFlag(command, flag)
    if (isKnown) {
      kept.push(word)
      if (next !== undefined && needsValue(command, word)) kept.push(words[++at] ?? '')
      continue
    }
    unknown.push(flag)
    if (takesNext && !named.includes(next)) at++ // its value
  }
  return kept
}

function flagsOf(command: Command): readonly Option[] {
  return [...command.options, ...command.commands.flatMap(flagsOf)]
}

function hasFlag(command: Command, flag: string): boolean {
  return flag === '--help' || flagsOf(command).some(({ long }) => long === flag)
}

/** The value of a known flag is not a flag, even if it begins with a dash. */
function needsValue(command: Command, flag: string): boolean {
  return flagsOf(command).some(({ long, short, required }) => required && (long === flag || short === flag))
}
