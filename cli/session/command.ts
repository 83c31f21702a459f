/** `svc session`: runs one session from the terminal. @module */
import type { Command } from 'commander'
import { addSessionFlags, mistakeIn, type SessionFlags } from './flags.ts'

export function define(command: Command): void {
  addSessionFlags(command).action(async (flags: SessionFlags) => {
    const mistake = mistakeIn(flags)
    if (mistake) command.error(`error: ${mistake}`)
    if (flags.staticServer !== undefined) {
      const { showStatic } = await import('./static.ts')
      showStatic(flags.staticServer, flags.staticName ?? '', flags)
      return
    }
    const { runSession } = await import('./run.ts')
    await runSession(flags)
  })
}
