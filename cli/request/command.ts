/** `svc request`: prints a session request to standard output, signed or not. @module */
import type { Command } from 'commander'
import { addRequestFlags, isBuilt, mistakeInRequest, type RequestFlags } from './flags.ts'

export function define(command: Command): void {
  addRequestFlags(command).action(async (flags: RequestFlags) => {
    const mistake = isBuilt(flags)
      ? mistakeInRequest(flags)
      : 'expected one of --disclose, --sign and --issue'
    if (mistake) command.error(`error: ${mistake}`)
    const { printRequest } = await import('./run.ts')
    await printRequest(flags)
  })
}
