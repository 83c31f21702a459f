/** `svc chart`: prints a statechart of the servers. @module */
import { Argument, type Command, Option } from 'commander'
import { CHART_NAMES, type ChartName } from '../../charts/chart.ts'
import { FORMATS, type Format } from './flags.ts'

export function define(command: Command): void {
  command
    .addArgument(new Argument('<CHART>', 'what the chart is of').choices(CHART_NAMES))
    .addOption(
      new Option('--format <FORMAT>', 'text for mermaid, JSON for Stately Studio and XState, or a picture')
        .choices(FORMATS)
        .default(FORMATS[0]),
    )
    .action(async (name: ChartName, { format }: { readonly format: Format }) => {
      const { printChart } = await import('./print.ts')
      printChart(name, format)
    })
}
