/** Each party has a token of its own. The tokens of wallet app and frontend are tried in the place of that of the requestor. @module */
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'token-of-another-role',
  gains: 'the result of a session, with the token that is in its code',
  cites: 'spec/session-server#4',
  on: 'session server',
  async run(service) {
    const { session } = await service.ordinary('disclosing')
    const client = session.app.slice(session.app.lastIndexOf('/') + 1)
    const { Authorization: frontend = '' } = session.authorization
    for (const token of [client, frontend])
      for (const end of ['result', 'status', 'getproof', 'result-jwt']) {
        const { status } = await service.get(`${service.server}/session/${token}/${end}`)
        if (status === 200) return `GET ${end} with the token of another party`
      }
    const asApp = session.app.replace(client, session.token)
    const { status } = await service.get(`${asApp}/status`)
    return status === 200 ? 'the token of the requestor as that of an app' : null
  },
}
