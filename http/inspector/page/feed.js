/** The WebSocket to the server: what comes is given on, what breaks is said, and it begins anew by itself a few times. @module */

/** The waits before it begins anew, in ms. */
const WAITS = [1_000, 2_000, 4_000, 8_000]

/** @param {string} path of the feed
 *  @param {string} token */
export function openFeed(path, token) {
  const address = new URL(path, location.href)
  address.protocol = 'ws:'
  address.hash = ''
  address.searchParams.set('token', token)
  return new WebSocket(address)
}

export class PageFeed {
  #token
  #hear
  #say
  #socket = null
  #failures = 0
  #timer = 0

  /** @param {string} token
   *  @param {(message: { type: string }) => void} hear
   *  @param {(words: string, isOver: boolean) => void} say how it is about the connection; over: it does not begin anew by itself */
  constructor(token, hear, say) {
    this.#token = token
    this.#hear = hear
    this.#say = say
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

  /** @param {object} message */
  send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #closed(reason) {
    const wait = WAITS[this.#failures++]
    const why = reason || 'the server has gone, or the token is another one'
    this.#say(`Not connected: ${why}`, wait === undefined)
    if (wait !== undefined) this.#timer = setTimeout(() => this.open(), wait)
  }
}
