/** Event streams and their events, for the tests of every reader in this project. @module */

/** In one chunk, byte by byte, and cut in two at every byte. */
export function* cuttings(text: string): Generator<Uint8Array[]> {
  const bytes = Buffer.from(text)
  yield [bytes]
  yield Array.from(bytes, byte => Uint8Array.of(byte))
  for (let at = 1; at < bytes.length; at++) yield [bytes.subarray(0, at), bytes.subarray(at)]
}

export const STREAMS: readonly (readonly [what: string, text: string, events: readonly string[]])[] = [
  ['lines that end in LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
  ['lines that end in CR LF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['lines that end in CR', 'data: a\r\rdata: b\r\r:\r', ['a', 'b']],
  ['lines with different ends', 'data: a\r\n\ndata: b\n\r\n\rdata: c\r\r\n', ['a', 'b', 'c']],
  ['a byte order mark', '\uFEFFdata: a\n\n', ['a']],
  ['several lines of data', 'data: a\ndata: b\ndata:\ndata: c\n\n', ['a\nb\n\nc']],
  ['several lines of data that end in CR LF', 'data: a\r\ndata: b\r\n\r\n', ['a\nb']],
  ['one space after the colon is no data', 'data:a\n\ndata:  b\n\n', ['a', ' b']],
  ['a colon in the data', 'data: {"a":":"}\n\n', ['{"a":":"}']],
  ['characters of several bytes', 'data: naïve ☃ 😀\n\n', ['naïve ☃ 😀']],
  ['events with a name', 'event: open\n\nevent: x\ndata: a\n\ndata: b\n\n', ['a', 'b']],
  ['comments', ':\n: a\n:data: b\n\ndata: c\n:\ndata: d\n\n:\n', ['c\nd']],
  ['ids, retry times and unknown fields', 'id: 1\nretry: 2\nother: 3\nx\ndata: a\n\n', ['a']],
  ['events without data', 'data\n\ndata:\n\nid: 1\n\n\n\ndata: a\n\n', ['a']],
  ['an event that the end cuts off', 'data: a\n\ndata: b\n', ['a']],
  ['no line end at all', 'data: a', []],
  ['nothing', '', []],
]
