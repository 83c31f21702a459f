/** `svc deliveries list`, `svc deliveries show` and `svc deliveries replay`: the delivery log of a server, running or stopped. @module */
import type { Command } from 'commander'
import { addDeliveriesFlags, type DeliveriesFlags } from './flags.ts'

export function define(command: Command): void {
  addDeliveriesFlags(command)
  command
    .command('list')
    .description('callbacks and mails that are owed, and those of the last 24 h that have ended')
    .action(async (_flags: DeliveriesFlags, command: Command) => {
      const { listDeliveries } = await import('./run.ts')
      await listDeliveries(command.optsWithGlobals<DeliveriesFlags>())
    })
  command
    .command('show')
    .argument('<id>', 'as the list names it')
    .description('all that may be shown of one')
    .action(async (id: string, _flags: DeliveriesFlags, command: Command) => {
      const { showDelivery } = await import('./run.ts')
      await showDelivery(id, command.optsWithGlobals<DeliveriesFlags>())
    })
  command
    .command('replay')
    .argument('<id>', 'as the list names it')
    .description('post it now, instead of after its wait; the server does so within 5 s, or when it starts')
    .action(async (id: string, _flags: DeliveriesFlags, command: Command) => {
      const { replayDelivery } = await import('./run.ts')
      await replayDelivery(id, command.optsWithGlobals<DeliveriesFlags>())
    })
}
