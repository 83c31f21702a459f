/** A passer-by has seen the page. That person calls the session while the user compares the code, and after the user has confirmed it. @module */
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'pairing-taken-over',
  gains: 'a session that the user confirmed for another app',
  cites: 'spec/decisions#d15',
  on: 'session server',
  async run(service) {
    const session = await service.create()
    await service.turnOnPairing(session)
    await service.connect(session, '2.8', '2.8')
    const { minVersionHeader, maxVersionHeader } = service.profile
    const headers = {
      [minVersionHeader]: '2.8',
      [maxVersionHeader]: '2.8',
      Authorization: 'another app',
    }
    const first = await service.call('GET', session.app, { headers })
    if (first.status === 200) return 'another app connected before the confirmation'
    const confirmed = await service.asFrontend(session, 'pairingcompleted')
    if (confirmed.status !== 204) throw new Error('expected a confirmation of the frontend')
    const fetched = await service.call('GET', `${session.app}/request`, { headers })
    if (fetched.status === 200) return 'another app fetched the request'
    const body = { proofs: [], indices: [] }
    const answered = await service.call('POST', `${session.app}/proofs`, { headers, body })
    return answered.status === 200 ? 'another app answered' : null
  },
}
