/** An adversary has the server mail one person, by every spelling of the address, or all addresses of one domain. @module */
import { withPage } from '../../http/account-page/harness.ts'
import type { Attack } from '../attack.ts'

const TRIES = 40

/** Names of floods, each with its bound and the address of each registration. */
const FLOODS: readonly (readonly [string, Readonly<Record<string, number>>, (i: number) => string])[] = [
  ['one mailbox, by tags', { mails_per_mailbox: 10 }, i => `victim+${i}@home.example`],
  [
    'one mailbox, by capital letters',
    { mails_per_mailbox: 10 },
    i => `${capitals('victim', i)}@home.example`,
  ],
  ['one domain', { mails_per_domain: 10 }, i => `user${i}@home.example`],
  ['many domains, from one address', { mails_per_caller: 10 }, i => `user@home${i}.example`],
]

export const attack: Attack = {
  name: 'mail-flood',
  gains: 'mails without a bound, to a person or a domain that did not ask for them',
  cites: 'spec/decisions#bounds-of-callers',
  on: 'own servers',
  async run() {
    const gained: string[] = []
    for (const [what, bound, addressOf] of FLOODS)
      await withPage(
        async ({ client, sent, settled }) => {
          for (let i = 0; i < TRIES; i++) {
            const body = { pin: 'pin', email: addressOf(i) }
            await client.call('POST', '/client/register', { body })
          }
          for (let i = 0; i < 10; i++) await settled()
          if (sent.length > 10) gained.push(`${sent.length} mails to ${what}`)
        },
        { ...bound, registrations_per_caller: 0 },
      )
    return gained.length === 0 ? null : gained.join('; ')
  },
}

/** The name with the letters at the 1-bits of `i` in capitals. */
function capitals(name: string, i: number): string {
  return [...name].map((letter, at) => ((i >> at) & 1 ? letter.toUpperCase() : letter)).join('')
}
