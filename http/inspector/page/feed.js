/** The WebSocket to the server. It passes on messages, reports failures, and reconnects by itself a few times. @module */

/** The waits before it reconnects, in ms. */
const WAITS = [1_000, 2_000, 4_000, 8_000]
const SECOND_MS = 1_000
/** The most messages that it sends in a second: half of the server's limit, because a slow network may deliver the messages of two seconds at once. */
const MAX_SENT = 10

/** @param {string} path of the feed
 *  @param {string} token */
export function openFeed(path, token) {
  const address = new URL(path, location.href)
  address.protocol = 'ws:'
  address.hash = ''
  address.searchParams.set('token', token)
  return new WebSocket(address)
}

/** Why the server refuses the feed, which a browser does not say of a WebSocket.
 *  @param {string} token
 *  @returns {Promise<{ status: number, words: string }>} 0: no answer */
async function refusalOf(path, token) {
  try {
    const answer = await fetch(`${path}?token=${encodeURIComponent(token)}`)
    return { status: answer.status, words: await answer.text() }
  } catch {
    return { status: 0, words: 'the server has gone' }
  }
}

export class PageFeed {
  #token
  #hear
  #say
  #needsToken
  #socket = null
  #failures = 0
  #timer = 0
  /** pending messages, by subject
   *  @type {Map<string, object>} */
  #waiting = new Map()
  /** times of the messages sent in the last second */
  #sentAt = []
  #sending = 0

  /** @param {string} token
   *  @param {(message: { type: string }) => void} hear
   *  @param {(words: string, isOver: boolean) => void} say the state of the connection; over: it does not reconnect by itself
   *  @param {() => void} needsToken the token is not the one of the server */
  constructor(token, hear, say, needsToken) {
    this.#token = token
    this.#hear = hear
    this.#say = say
    this.#needsToken = needsToken
  }

  open() {
    clearTimeout(this.#timer)
    this.#say('Connecting…', false)
    const socket = openFeed('/page', this.#token)
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data)
      if (message.type === 'svc.hello') this.#failures = 0
      this.#hear(message)
    })
    socket.addEventListener('close', ({ reason }) => this.#closed(reason))
  }

  /** Asked for once more, after it was given up.  */
  openAgain() {
    this.#failures = 0
    this.open()
  }

  /** It is sent at once, or as soon as the limit allows it. A later message on the same subject replaces a pending one.
   *  @param {{ type: string, id?: string }} message */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return
    this.#waiting.set(message.type === 'keep' ? `keep ${message.id}` : message.type, message)
    this.#sendWaiting()
  }

  #sendWaiting() {
    clearTimeout(this.#sending)
    const now = performance.now()
    this.#sentAt = this.#sentAt.filter(at => now - at < SECOND_MS)
    for (const [about, message] of this.#waiting) {
      if (this.#sentAt.length === MAX_SENT) {
        this.#sending = setTimeout(() => this.#sendWaiting(), this.#sentAt[0] + SECOND_MS - now)
        return
      }
      this.#waiting.delete(about)
      this.#sentAt.push(now)
      this.#socket.send(JSON.stringify(message))
    }
  }

  async #closed(reason) {
    clearTimeout(this.#sending)
    this.#waiting.clear()
    const { status, words } = reason ? { status: 0, words: reason } : await refusalOf('/page', this.#token)
    const isTokenWrong = status === 403
    const wait = isTokenWrong ? undefined : WAITS[this.#failures++]
    this.#say(`Not connected: ${status === 426 ? 'the connection broke' : words}`, wait === undefined)
    if (isTokenWrong) this.#needsToken()
    if (wait !== undefined) this.#timer = setTimeout(() => this.open(), wait)
  }
}
