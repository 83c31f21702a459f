/** Server-sent events from a response of `fetch`: the browser's own EventSource cannot send an `Authorization` header. @module */
import { createParser } from './eventsource-parser.js'

/** Of one event; a status has less. */
const MAX_CHARACTERS = 2 ** 16

/** @param {ReadableStream<Uint8Array>} body
 *  @returns {AsyncGenerator<string>} the data of each event; events without data are left out */
export async function* eventsOf(body) {
  const events = []
  let length = 0
  const parser = createParser({
    onEvent: ({ data }) => {
      length = 0
      if (data !== '') events.push(data)
    },
    onComment: () => {
      length = 0
    },
  })
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    length += value.length
    parser.feed(value)
    yield* events.splice(0)
    if (length <= MAX_CHARACTERS) continue
    await reader.cancel()
    throw new Error(`expected an event of at most ${MAX_CHARACTERS} characters, got more`)
  }
}
