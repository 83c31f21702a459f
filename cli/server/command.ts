/** `svc server`, `svc server run`, `svc server check` and `svc server options`. @module */
import type { Command } from 'commander'
import { sessionServer } from '../../server/settings/session-server.ts'
import { addExamples } from '../examples.ts'
import { defineServer } from '../servers/commands.ts'

const EXAMPLES = {
  'svc server --schemes-path demo/schemes --store memory':
    'a server for trying: every caller that reaches it may start sessions',
  'svc server --config svcserver.yml': 'a server with settings of its own',
  'svc server check --config svcserver.yml': 'what is wrong in these settings',
  'svc server options --format yaml': 'a settings file with every option in it',
}

export function define(command: Command): void {
  addExamples(command, EXAMPLES)
  defineServer(command, sessionServer, () => import('./run.ts'))
}
