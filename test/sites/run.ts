/** `npm run sites`: sites of `docs/sign-in-recipes.md` whose programs are no packages of this project. Each plays logins, a logout and a refusal with `svc oidc` and a
 *  wallet of the demo schemes. `npm run sites -- NAME` plays one of them. It ends with 1 at the first step that differs. @module */
import { parseArgs } from 'node:util'
import { personAt } from '../examples/sign-in/person.ts'
import { newProvider } from '../examples/sign-in/provider.ts'
import { runProgram, WrongOptionError } from '../program.ts'
import { newWallet } from '../wallet/demo-wallets.ts'
import { playNext } from './next.ts'
import { playOauth2Proxy } from './oauth2-proxy.ts'

const PLAYS = { 'oauth2-proxy': playOauth2Proxy, next: playNext } as const

await runProgram('sites', async () => {
  const { positionals } = parseArgs({ allowPositionals: true })
  const unknown = positionals.find(name => !(name in PLAYS))
  if (unknown !== undefined)
    throw new WrongOptionError(`expected ${Object.keys(PLAYS).join(' or ')}, got "${unknown}"`)
  for (const [name, play] of Object.entries(PLAYS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const provider = await newProvider()
    const wallet = newWallet()
    await play(provider, () => personAt(provider, wallet)).finally(provider.close)
    console.log(`${name}: login, logout and refusal are as the page says`)
  }
})
