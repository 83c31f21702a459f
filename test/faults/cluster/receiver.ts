/** The receiver of posts of a cluster: callbacks, and results that ask for a next session. Each session has its own address. The receiver fails now and then. @module */
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { digestOf, saidBy } from '../../history/answers.ts'
import type { HistoryLine, PostLine } from '../../history/lines.ts'

export type Receiver = {
  readonly callbackOf: (session: string) => string
  /** @param request the next session, for posts that ask for that of `session` */
  readonly nextOf: (session: string, request: object) => string
  /** sessions whose callback was accepted */
  readonly accepted: ReadonlySet<string>
  readonly close: () => void
}

/** The most failing attempts of one callback, so that it arrives during the run. */
const MOST_FAILURES = 2
const REFUSED = 0.15
const CUT = 0.1
const NO_NEXT = 0.05

/** @param record records each post
 *  @param random decides its fate */
export async function startReceiver(
  record: (line: HistoryLine) => void,
  random: () => number,
): Promise<Receiver> {
  const accepted = new Set<string>()
  const failures = new Map<string, number>()
  const nexts = new Map<string, string>()
  function drawn(path: string): PostLine['answered'] {
    const draw = random()
    const isRefused = draw < (path.startsWith('/next') ? NO_NEXT : REFUSED + CUT)
    if (!isRefused || (failures.get(path) ?? 0) >= MOST_FAILURES) return 'accepted'
    failures.set(path, (failures.get(path) ?? 0) + 1)
    return draw < REFUSED ? 'refused' : 'cut'
  }
  function answer(answered: PostLine['answered'], body: string | undefined, response: ServerResponse): void {
    if (answered === 'cut') response.destroy()
    else if (answered === 'refused') response.writeHead(500).end('no')
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(body ?? '')
  }
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request
    try {
      const body = await text(request)
      const [, kind, session = ''] = path.split('/')
      const what = kind === 'next' ? 'next' : 'callback'
      const answered = drawn(path)
      record({
        ...{ what, session, at: Date.now(), answered, body: digestOf(body), says: saidBy(JSON.parse(body)) },
        key: String(headers['idempotency-key'] ?? ''),
      })
      if (answered === 'accepted' && what === 'callback') accepted.add(session)
      answer(answered, nexts.get(session), response)
    } catch {
      response.destroy() // the node that posted was killed
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  const base = `http://127.0.0.1:${address.port}`
  return {
    accepted,
    callbackOf: session => `${base}/callback/${session}`,
    nextOf(session, request) {
      nexts.set(session, JSON.stringify(request))
      return `${base}/next/${session}`
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
