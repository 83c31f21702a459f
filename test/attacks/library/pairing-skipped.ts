/** The app goes on before the user has compared the code. It could be the app of a passer-by with a photograph of the page. @module */
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'pairing-skipped',
  gains: 'a session that the user did not confirm',
  cites: 'spec/interface#5.3',
  on: 'session server',
  async run(service) {
    const session = await service.create()
    await service.turnOnPairing(session)
    const first = await service.connect(session, '2.8', '2.8')
    if (first.text.includes('"disclose"')) return 'the first answer has the request'
    const fetched = await service.asApp(session, 'GET', '/request')
    if (fetched.status === 200) return 'the app fetched the request before its confirmation'
    const { status } = await service.asApp(session, 'POST', '/proofs', { proofs: [], indices: [] })
    return status === 200 ? 'the app answered before its confirmation' : null
  },
}
