/** A page of another site sends the form of a login link that was mailed to the adversary. The browser of the user is then logged in to the adversary's account, and
 *  the user may add an address there. @module */
import { ADDRESS, withPage } from '../../http/account-page/harness.ts'
import type { Attack } from '../attack.ts'

/** The headers that browsers send with such a form. */
const BROWSERS = [
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
  { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.keyshare.example' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' },
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
]

export const attack: Attack = {
  name: 'login-csrf',
  gains: 'a browser that another site logged in to the account of the adversary',
  cites: 'spec/decisions#account-page',
  on: 'own servers',
  async run() {
    let loggedIn = 0
    await withPage(async ({ client, clock, confirmed, mailedPath }) => {
      await confirmed()
      for (const headers of BROWSERS) {
        clock.advance(180_000) // a link to the same address needs a pause
        await client.call('POST', '/account/en/login', { body: `address=${ADDRESS}` })
        const path = await mailedPath()
        const { headers: answered } = await client.call('POST', path, { headers, body: '' })
        if (answered['set-cookie'] !== undefined) loggedIn += 1
      }
    })
    return loggedIn === 0 ? null : `${loggedIn} of ${BROWSERS.length} browsers were logged in`
  },
}
