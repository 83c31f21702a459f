/** Server-sent events from a response of `fetch`: the browser's own EventSource cannot send an `Authorization` header. @module */

/** @param {ReadableStream<Uint8Array>} body
 *  @returns {AsyncGenerator<string>} the data of each event; events without data are left out */
export async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const frames = (rest + value).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const lines = frame.split('\n').filter(line => line.startsWith('data:'))
      if (lines.length > 0) yield lines.map(line => line.slice(5).trimStart()).join('\n')
    }
  }
}
