/** The thief of a device guesses the PIN. The thief goes on after the account is blocked, and sends the right PIN last. @module */
import { login, PIN, WRONG_PIN } from '../../faults/keyshare/app.ts'
import type { Attack } from '../attack.ts'
import { startKeyshare, userOf } from '../keyshares.ts'

const GUESSES = 4

export const attack: Attack = {
  name: 'blocked-pin',
  gains: 'more guesses at a PIN than the three before a block',
  cites: 'spec/keyshare-server#9',
  on: 'own servers',
  async run(own) {
    const servers = await startKeyshare(own)
    const user = await userOf(servers)
    for (let i = 0; i < GUESSES; i++) await login(servers, user, WRONG_PIN)
    const { status } = await login(servers, user, PIN)
    return status === 'success' ? 'a login while the account is blocked' : null
  },
}
