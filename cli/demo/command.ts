/** `svc demo`: the tour, on one address of this computer. @module */
import { type Command, Option } from 'commander'

export type DemoFlags = { readonly port: string; readonly keep?: string; readonly verbose?: true }

export function define(command: Command): void {
  command
    .addOption(new Option('-p, --port <N>', 'port of the page').default('0', 'any free one'))
    .option(
      '--keep <DIR>',
      "folder in which the phone's cards stay for the next time (default: they go at the end)",
    )
    .option('-v, --verbose', 'log what the session server does')
    .action(async (flags: DemoFlags) => {
      const port = Number(flags.port)
      if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
        command.error(`error: --port: expected an integer from 0 to 65535, got ${JSON.stringify(flags.port)}`)
      const { runDemo } = await import('./run.ts')
      await runDemo(port, flags.keep, flags.verbose === true)
    })
}
