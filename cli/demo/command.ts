/** `svc demo`: the tour, on a loopback address, and optionally on a second address for a phone. @module */
import { type Command, Option } from 'commander'
import { decimalIn } from '../decimal.ts'
import type { DemoFlags } from './run.ts'

export function define(command: Command): void {
  command
    .addOption(
      new Option('-p, --port <N>', 'port of the page, and of the address for a phone').default(
        '0',
        'any free one',
      ),
    )
    .option(
      '--keep <DIR>',
      "folder in which the phone's cards stay for the next time (default: they go at the end)",
    )
    .option(
      '--phone [ADDRESS]',
      'let a real phone answer too, at an IPv4 address of this computer in its network (default: the first one)',
    )
    .option('-v, --verbose', 'log what the session server does')
    .action(async (flags: DemoFlags) => {
      const port = decimalIn(flags.port)
      if (!(port <= 65_535))
        command.error(`error: --port: expected an integer from 0 to 65535, got ${JSON.stringify(flags.port)}`)
      const { runDemo } = await import('./run.ts')
      await runDemo(port, flags)
    })
}
