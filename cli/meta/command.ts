/** `svc meta`: shows what a metadata attribute says. @module */
import type { Command } from 'commander'
import { addMetaFlags, type MetaFlags } from './flags.ts'

export function define(command: Command): void {
  addMetaFlags(
    command.argument('<ATTRIBUTE>', 'metadata attribute, as a decimal number or in Base64'),
  ).action(async (text: string, flags: MetaFlags) => {
    const { attributeIn, showMetadata } = await import('./show.ts')
    const attribute = attributeIn(text)
    if (typeof attribute === 'string') command.error(`error: ${attribute}`)
    else await showMetadata(attribute, flags)
  })
}
