/** Callers at a distance from a server: their data arrives some time after the decision to send it. @module */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { pause } from '../../patience.ts'

/** Calls by their outcome. `refused`: the listener was closed before the connection was made, so nothing was sent. */
export type Counts = { answered: number; refused: number; lost: number; readonly losses: string[] }

export type Callers = {
  readonly counts: Counts
  /** Stops new calls. @returns after every earlier call is answered or lost */
  end(): Promise<void>
}

const CALL = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
const WHOLE = /^HTTP\/1\.1 200 [\s\S]*OK$/

/** @returns null if there is no listener */
async function connected(port: number): Promise<Socket | null> {
  const socket = connect(port, '127.0.0.1')
  return new Promise(resolve => {
    socket.once('connect', () => resolve(socket)).on('error', () => resolve(null))
  })
}

/** @returns the data received until the answer was complete or the connection ended */
async function answerOn(socket: Socket): Promise<string> {
  const ended = new AbortController()
  for (const event of ['end', 'close']) socket.once(event, () => ended.abort())
  let text = ''
  socket.on('data', chunk => (text += chunk))
  socket.write(CALL)
  while (!WHOLE.test(text) && !ended.signal.aborted && !socket.destroyed)
    await once(socket, 'data', { signal: ended.signal }).catch(() => {})
  socket.removeAllListeners('data')
  return text
}

/** @param count number of callers that open a connection for each call; the same number of callers keep theirs
 *  @param awayMs time between the decision to send and the arrival */
export function callersOf(port: number, count: number, awayMs: number): Callers {
  const counts: Counts = { answered: 0, refused: 0, lost: 0, losses: [] }
  let isOver = false
  async function call(socket: Socket, kind: string): Promise<boolean> {
    await pause(awayMs)
    const text = await answerOn(socket)
    if (WHOLE.test(text)) counts.answered += 1
    else {
      counts.lost += 1
      counts.losses.push(`${kind}: ${text.split('\r\n', 1)[0] || 'no answer'}`)
    }
    return WHOLE.test(text) && !/\r\nConnection: close\r\n/i.test(text)
  }
  async function again(isKept: boolean): Promise<void> {
    while (!isOver) {
      const socket = await connected(port)
      if (socket === null) {
        counts.refused += 1
        return
      }
      const kind = isKept ? 'kept' : 'new'
      while ((await call(socket, kind)) && isKept && !isOver);
      socket.destroy()
    }
  }
  const loops = [false, true].flatMap(isKept => Array.from({ length: count }, () => again(isKept)))
  return {
    counts,
    async end() {
      isOver = true
      await Promise.all(loops)
    },
  }
}
