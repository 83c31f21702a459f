/** The response is c m + w. With a challenge longer than w, its highest bits are the user's half of the key. @module */
import { commitment, headersOf, login, PIN } from '../../faults/keyshare/app.ts'
import type { Attack } from '../attack.ts'
import { startKeyshare, userOf } from '../keyshares.ts'

const CHALLENGES = [2n ** 257n, 2n ** 700n, -1n]

export const attack: Attack = {
  name: 'long-challenge',
  gains: "the keyshare server's half of a secret key, from one response",
  cites: 'spec/keyshare-server#8.4',
  on: 'own servers',
  async run(own) {
    const servers = await startKeyshare(own)
    const user = await userOf(servers)
    const { message: token } = await login(servers, user, PIN)
    const headers = headersOf(user, token)
    for (const challenge of CHALLENGES) {
      await commitment(servers, headers)
      const url = `${servers.urls[0]}/prove/getResponse`
      const { status } = await fetch(url, { method: 'POST', headers, body: `${challenge}` })
      if (status === 200) return `a response to a challenge of ${challenge.toString(2).length} bits`
    }
    return null
  },
}
