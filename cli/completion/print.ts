/** A completion script for a shell, generated from the definitions of the commands. It contains every word and starts no other program, so it is fast. @module */
import type { Command } from 'commander'
import { commandsBelow, commandsOf } from '../man/all-commands.ts'

/** The names of the command. */
const NAMES = ['svc', 'attribute-session-service'] as const

export type Shell = 'bash' | 'zsh' | 'fish'

/** With this line, zsh runs the completion of bash. */
const BEFORE_ZSH = 'autoload -U +X bashcompinit && bashcompinit\n'

export function completion(program: Command, shell: Shell): string {
  if (shell === 'fish') return ofFish(program)
  return shell === 'zsh' ? `${BEFORE_ZSH}${ofBash(program)}` : ofBash(program)
}

function ofBash(program: Command): string {
  const all = commandsOf(program)
  const [, ...below] = all.map(({ path }) => `'${path}'`)
  const words = all.map(({ path, command }) => `    '${path}') words='${wordsOf(command).join(' ')}' ;;\n`)
  const values = valuesOf(all).map(
    ({ path, flag, choices }) => `    '${path} ${flag}') words='${choices.join(' ')}' ;;\n`,
  )
  return `# What completes the commands and flags of svc. A value without choices is completed as a file.
_svc() {
  local named=svc word words=''
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$named $word" in
      ${below.join('|')}) named="$named $word" ;;
    esac
  done
  case "$named" in
${words.join('')}  esac
  case "$named \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('')}  esac
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _svc ${NAMES.join(' ')}
`
}

function ofFish(program: Command): string {
  const all = commandsOf(program)
  const [, ...below] = all.map(({ path }) => `'${path}'`)
  const words = all.map(
    ({ path, command }) => `    case '${path}'\n      printf '%s\\n' ${wordsOf(command).join(' ')}\n`,
  )
  const values = valuesOf(all).map(
    ({ path, flag, choices }) =>
      `    case '${path} ${flag}'\n      string split --no-empty ' ' '${choices.join(' ')}'\n      return\n`,
  )
  return `# What completes the commands and flags of svc. A value without choices is completed as a file.
function __svc_words
  set -l named svc
  set -l before (commandline -opc)
  for word in $before[2..]
    if contains -- "$named $word" ${below.join(' ')}
      set named "$named $word"
    end
  end
  switch "$named $before[-1]"
${values.join('')}  end
  switch $named
${words.join('')}  end
end
${NAMES.map(name => `complete -c ${name} -a '(__svc_words)'\n`).join('')}`
}

/** @returns the flags that take a value, with the path of the command and the choices of the value */
function valuesOf(all: ReturnType<typeof commandsOf>) {
  return all.flatMap(({ path, command }) =>
    command.options
      .filter(({ required, hidden }) => required && !hidden)
      .flatMap(({ short, long, argChoices: choices = [] }) =>
        [short, long].flatMap(flag => (flag ? [{ path, flag, choices }] : [])),
      ),
  )
}

/** @returns the subcommands, the flags and the choices of the first argument */
function wordsOf(command: Command): readonly string[] {
  const commands = commandsBelow(command).map(each => each.name())
  const flags = command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []))
  const [argument] = command.registeredArguments
  return [...commands, ...(argument?.argChoices ?? []), ...flags, '--help']
}
