/** Many guesses at one PIN at once, at two servers on one database. @module */
import { callAt, registered, WRONG_PIN } from '../../faults/keyshare/app.ts'
import type { Attack } from '../attack.ts'
import { startTwo } from '../keyshares.ts'

const GUESSES = 24
/** Without the check, two servers compare too many guesses at about one account in three. */
const ACCOUNTS = 30
const MOST_COMPARED = 2

export const attack: Attack = {
  name: 'pin-race',
  gains: 'more guesses at a PIN than the three before a block',
  cites: 'spec/keyshare-server#9',
  on: 'own servers',
  async run(own) {
    const servers = await startTwo(own, 'keyshare')
    for (let i = 0; i < ACCOUNTS; i++) {
      const { userName: id } = await registered(servers, false)
      const guesses = Array.from({ length: GUESSES }, (_, n) =>
        callAt(servers.urls[n % 2] ?? '', '/users/verify/pin', { body: { id, pin: WRONG_PIN } }),
      )
      const answers = await Promise.all(guesses)
      // the third wrong PIN is answered with the block
      const compared = answers.filter(({ text }) => text.includes('failure')).length
      if (compared > MOST_COMPARED) return `${compared + 1} guesses before the block`
    }
    return null
  },
}
