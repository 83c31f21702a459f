/** `svc completion`: prints a completion script for a shell. @module */
import { Argument, Command } from 'commander'

const SHELLS = ['bash', 'zsh', 'fish'] as const

export function define(command: Command): void {
  command
    .addArgument(new Argument('<SHELL>', 'the shell that reads it').choices(SHELLS))
    .addHelpText(
      'after',
      `
In ~/.bashrc:  source <(svc completion bash)
In ~/.zshrc:   source <(svc completion zsh)     after compinit
For fish:      svc completion fish > ~/.config/fish/completions/svc.fish`,
    )
    .action(async (shell: (typeof SHELLS)[number], _flags: unknown, { parent }: Command) => {
      const { completion } = await import('./print.ts')
      process.stdout.write(completion(parent ?? new Command(), shell))
    })
}
