/** A wallet app starts a static session: with names that are not configured, and with a request of its own. @module */
import { at } from '../../../libraries/conformance/json.ts'
import type { Attack } from '../attack.ts'
import { ALLOWED_REQUEST, ISSUANCE } from '../requestors.ts'

const NAME = 'door'
const OTHERS = ['__proto__', 'constructor', 'toString', 'other', 'door.', 'DOOR', '0', '%2e%2e', 'door%00']

export const attack: Attack = {
  name: 'static-session',
  gains: 'a session without a requestor that the operator did not configure',
  cites: 'spec/session-server#16',
  on: 'own servers',
  async run({ start }) {
    const configured = { request: ALLOWED_REQUEST, callbackUrl: 'http://127.0.0.1:8099/' }
    const { url } = await start('server', {
      allow_unsigned_callbacks: true,
      static_sessions: { [NAME]: configured },
    })
    const started = async (name: string): Promise<unknown> => {
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify(ISSUANCE)
      const answer = await fetch(`${url}/svc/session/${name}`, { method: 'POST', headers, body })
      return answer.ok ? answer.json() : null
    }
    const pointer = await started(NAME)
    if (at(pointer, 'svcqr') !== 'disclosing') return 'a session with the request of the app'
    if (at(pointer, 'token') !== undefined || at(pointer, 'frontendRequest') !== undefined)
      return 'the tokens of requestor and frontend'
    for (const name of OTHERS) if ((await started(name)) !== null) return `a session by the name ${name}`
    return null
  },
}
