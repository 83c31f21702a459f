/** `svc conformance`: checks a server against the specification. @module */
import type { Command } from 'commander'
import { addConformanceFlags, type ConformanceFlags, mistakeIn } from './flags.ts'

export function define(command: Command): void {
  addConformanceFlags(command).action(async (flags: ConformanceFlags) => {
    const mistake = mistakeIn(flags)
    if (mistake) command.error(`error: ${mistake}`)
    const { tryServer } = await import('./run.ts')
    await tryServer(flags)
  })
}
