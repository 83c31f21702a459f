/** Server-sent events from a response of `fetch`, because the browser's EventSource cannot send an `Authorization` header. The library's parser buffers an
 *  unfinished event without limit. It therefore gets whole lines, and the characters of an event are counted here. @module */
import { createParser } from './eventsource-parser.js'

/** Maximum number of characters of one event, comments excluded. A status is shorter. */
const MAX_CHARACTERS = 2 ** 16

/** @param {ReadableStream<Uint8Array>} body
 *  @returns {AsyncGenerator<string>} the data of each event; events without data are left out */
export async function* eventsOf(body) {
  const events = []
  let length = 0
  let begun = ''
  let isAfterCr = false
  const parser = createParser({ onEvent: ({ data }) => data !== '' && events.push(data) })
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    if (value === '') continue
    const text = isAfterCr && value.startsWith('\n') ? value.slice(1) : value
    isAfterCr = value.endsWith('\r')
    const lines = (begun + text).split(/\r\n|\r|\n/)
    begun = lines.pop()
    for (const line of lines) {
      if (!line.startsWith(':')) length = line === '' ? 0 : length + line.length
      if (length > MAX_CHARACTERS) break
      parser.feed(`${line}\n`)
      yield* events.splice(0)
    }
    if (length + begun.length <= MAX_CHARACTERS) continue
    await reader.cancel()
    throw new Error(`expected an event of at most ${MAX_CHARACTERS} characters, got more`)
  }
}
