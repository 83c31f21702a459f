/** `svc server`, `svc server run`, `svc server check` and `svc server options`. @module */
import type { Command } from 'commander'
import { sessionServer } from '../../server/settings/session-server.ts'
import { defineServer } from '../server-commands.ts'

export function define(command: Command): void {
  defineServer(command, sessionServer, () => import('./run.ts'))
}
