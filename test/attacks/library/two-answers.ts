/** Two challenges for one commitment, at two servers at once, and one after the other. Both responses together reveal the user's half of the key. @module */
import { callAt, commitment, headersOf, login, PIN } from '../../faults/keyshare/app.ts'
import type { Attack } from '../attack.ts'
import { startTwo, userOf } from '../keyshares.ts'

const TRIES = 60

export const attack: Attack = {
  name: 'two-answers',
  gains: "the keyshare server's half of a secret key",
  cites: 'spec/keyshare-server#8.6',
  on: 'own servers',
  async run(own) {
    const servers = await startTwo(own, 'keyshare')
    const user = await userOf(servers)
    const { message: token } = await login(servers, user, PIN)
    const headers = headersOf(user, token)
    for (let i = 0; i < TRIES; i++) {
      await commitment(servers, headers)
      const ask = (url: string, body: number) => callAt(url, '/prove/getResponse', { headers, body })
      const atOnce = await Promise.all(servers.urls.map((url, n) => ask(url, 3 * i + n + 1)))
      const later = await ask(servers.urls[i % 2] ?? '', 3 * i + 3)
      const answered = [...atOnce, later].filter(({ status }) => status === 200).length
      if (answered > 1) return `${answered} responses to one commitment`
    }
    return null
  },
}
