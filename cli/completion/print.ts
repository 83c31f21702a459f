/** A completion script for a shell, generated from the definitions of the commands. It contains every word and starts no other program, so it is fast. @module */
import type { Command } from 'commander'
import { commandsBelow, commandsOf } from '../man/all-commands.ts'

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
  return `# What completes the commands and flags of svc; a value is completed as a file.
_svc() {
  local named=svc word words=''
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$named $word" in
      ${below.join('|')}) named="$named $word" ;;
    esac
  done
  case "$named" in
${words.join('')}  esac
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _svc svc
`
}

function ofFish(program: Command): string {
  const all = commandsOf(program)
  const [, ...below] = all.map(({ path }) => `'${path}'`)
  const words = all.map(
    ({ path, command }) => `    case '${path}'\n      printf '%s\\n' ${wordsOf(command).join(' ')}\n`,
  )
  return `# What completes the commands and flags of svc; a value is completed as a file.
function __svc_words
  set -l named svc
  for word in (commandline -opc)[2..]
    if contains -- "$named $word" ${below.join(' ')}
      set named "$named $word"
    end
  end
  switch $named
${words.join('')}  end
end
complete -c svc -a '(__svc_words)'
`
}

/** @returns the subcommands, the flags and the choices of the first argument */
function wordsOf(command: Command): readonly string[] {
  const commands = commandsBelow(command).map(each => each.name())
  const flags = command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []))
  const [argument] = command.registeredArguments
  return [...commands, ...(argument?.argChoices ?? []), ...flags, '--help']
}
