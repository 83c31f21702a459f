/** `svc man`: prints the manual page. @module */
import { Command } from 'commander'

export function define(command: Command): void {
  command
    .addHelpText('after', '\nsvc man > ~/.local/share/man/man1/svc.1 lets "man svc" show it.')
    .action(async (_flags: unknown, { parent }: Command) => {
      const [{ manPage }, { packageVersion }] = await Promise.all([
        import('./print.ts'),
        import('../../server/version.ts'),
      ])
      process.stdout.write(manPage(parent ?? new Command(), packageVersion()))
    })
}
