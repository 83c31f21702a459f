/** The holder of one code opens event streams without end. @module */
import type { Attack } from '../attack.ts'

const STREAMS = 100
const MOST = 32

export const attack: Attack = {
  name: 'stream-flood',
  gains: 'the event streams that others need',
  cites: 'spec/decisions#d17',
  on: 'session server',
  async run(service) {
    const session = await service.create()
    const ending = new AbortController()
    const open = Array.from({ length: STREAMS }, async () => {
      const headers = { Accept: 'text/event-stream', ...session.authorization }
      const url = `${session.frontend}/statusevents`
      const { status, body } = await service.fetch(url, { headers, signal: ending.signal })
      if (status !== 200) await body?.cancel()
      return status === 200
    })
    const opened = (await Promise.all(open)).filter(isOpen => isOpen).length
    ending.abort()
    return opened > MOST ? `${opened} event streams of one session` : null
  },
}
