/** `svc oidc`: runs an OpenID provider. @module */
import type { Command } from 'commander'
import { oidcServer } from '../../server/settings/oidc-server.ts'
import { defineServer } from '../servers/commands.ts'
import { defineOtherWord } from '../usage.ts'

const EXAMPLES = `
Examples:
  svc oidc --demo                          look at a login, in a browser
  svc keyshare keygen storage              the key that encrypts what is stored
  svc oidc --config svcoidc.yml            an OpenID provider
  svc oidc check --config svcoidc.yml      what is wrong in its settings file
  svc oidc options --format yaml           a settings file with every option in it`

export function define(command: Command): void {
  command.addHelpText('after', EXAMPLES)
  command.option('--demo', 'a provider with two web sites and a phone, to look at in a browser')
  defineServer(command, oidcServer, async () => {
    const { run, check } = await import('./run.ts')
    if (command.opts<{ readonly demo?: true }>().demo !== true) return { run, check }
    const demo = await import('./demo.ts')
    return { run: demo.run, check }
  })
  defineOtherWord(command, 'server', 'svc oidc')
}
