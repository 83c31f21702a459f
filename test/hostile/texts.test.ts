/** Texts from others are read in time that is linear in their length, for any content: a megabyte delays no other call. @module */
import * as assert from 'uvu/assert'
import { fromBase64 } from '../../crypto/bytes.ts'
import { parseSessionPointer, readSessionPointer } from '../../libraries/wallet/pointer.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { createEventSource } from '../../ports/event-source.ts'
import { eventsIn } from '../../ports/event-stream.ts'
import { parseDisclosureMessage } from '../../protocol/disclosure-message.ts'
import { readJson, writeJson } from '../../protocol/json.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequestText } from '../../protocol/request.ts'
import { inOneLine, withoutSlashesAtEnd } from '../../protocol/text-scanning.ts'
import { parseVersion } from '../../protocol/versions.ts'
import { parseIndex, parsePublicKeyPem } from '../../schemes/signed-files.ts'
import { parseXml } from '../../schemes/xml.ts'
import { parseBoolean, parseInteger } from '../../schemes/xml-values.ts'
import { matchesGlob } from '../../sessions/glob.ts'
import { suite } from '../suite.ts'
import { assertLinear, repeated } from './growth.ts'

const Texts = suite('hostile texts of a megabyte')

type Case = readonly [what: string, hostile: (length: number) => string]

function all(of: string, read: (text: string) => unknown, cases: readonly Case[]): void {
  for (const [what, hostile] of cases)
    Texts(`${of}: the time for ${what} is linear in their number`, () => assertLinear(hostile, read))
}

const inside: readonly [string, string] = ['<r>', '</r>']
all('XML', text => parseXml(Buffer.from(text)), [
  ['comments that do not end', repeated('<!--')],
  ['comments that end', repeated('<!-- a -->', inside)],
  ['hyphens in a comment', repeated('-', ['<r><!--', '></r>'])],
  ['ends of comments', repeated('-->', inside)],
  ['CDATA that does not end', repeated('<![CDATA[', inside)],
  ['instructions that do not end', repeated('<?', inside)],
  ['declarations that do not end', repeated('version="1.0" ', ['<?xml ', ''])],
  ['names in a declaration', repeated('version ', ['<?xml ', '?><r/>'])],
  ['spaces before a root', repeated(' ', ['', '<r/>'])],
  ['elements that do not end', repeated('<a ', ['<r>', ''])],
  ['empty elements', repeated('<a/>', inside)],
  ['ends of elements', repeated('</a>')],
  ['references', repeated('&amp;', inside)],
  ['broken references', repeated('&#x', inside)],
  ['quotes in an element', repeated(`'"`, ['<r ', '/>'])],
  ['spaces in an element', repeated(' ', ['<r ', 'a/>'])],
  ['declarations of entities', repeated('<!ENTITY e "x">', ['<!DOCTYPE r [', ']><r/>'])],
  ['brackets of a document type', repeated('[', ['<!DOCTYPE r ', ''])],
])
all('a boolean of a scheme', text => parseBoolean(text, 'a'), [['spaces', repeated(' ', ['', 'x'])]])
all('an integer of a scheme', text => parseInteger(text, 'a'), [['digits', repeated('1', ['', 'x'])]])
all('an index of a scheme', text => parseIndex('index', text), [
  ['slashes', repeated('/', [`${'0'.repeat(64)} a`, ''])],
  ['spaces', repeated(' ')],
])
all('a PEM block', text => parsePublicKeyPem(Buffer.from(text)), [
  ['labels that do not end', repeated('-----BEGIN ')],
  ['blocks that do not end', repeated('-----BEGIN A-----A')],
  ['hyphens', repeated('-')],
  ['letters', repeated('A', ['-----BEGIN A-----', ''])],
])
all('JSON', text => readJson(text), [
  ['lists that do not end', repeated('[')],
  ['strings that do not end', repeated('"\\\\')],
  ['escapes', repeated('\\u0041', ['"', '"'])],
  ['digits', repeated('1')],
  ['digits of a fraction', repeated('1', ['1.', 'e'])],
  ['spaces', repeated(' ', ['', 'x'])],
  ['members of one name', repeated('"a":1,', ['{', '"b":1}'])],
])
all('writing JSON', text => writeJson(text), [['characters of HTML', repeated('<>&')]])
all('a session request', text => parseSessionRequestText(text, PROFILES.svc), [
  [
    'attributes',
    repeated('"a.b.c.d",', [
      '{"@context":"https://svc.example/ld/request/disclosure/v2","disclose":[[[',
      '"a.b.c.d"]]]}',
    ]),
  ],
  [
    'dots of an attribute',
    repeated('a.', ['{"@context":"https://svc.example/ld/request/disclosure/v2","disclose":[[["', '"]]]}']),
  ],
  [
    'dots of a host',
    repeated('a.', [
      '{"@context":"https://svc.example/ld/request/disclosure/v2","host":"',
      '/","disclose":[[["a.b.c.d"]]]}',
    ]),
  ],
])
all('a submission', parseDisclosureMessage, [
  ['indices', repeated('[],', ['{"proofs":[],"indices":[', '[]]}'])],
  ['digits of Base64', repeated('A', ['{"proofs":[{"c":"', '!"}],"indices":[]}'])],
])
all('Base64', fromBase64, [
  ['signs of its end', repeated('=', ['', 'A'])],
  ['line ends', repeated('\n', ['', '!'])],
])
all('a version', parseVersion, [['spaces', repeated(' ', ['', 'x'])]])
all('a host and its pattern', text => matchesGlob(text, '*a*a*a*.example'), [['letters', repeated('a')]])
all('a pointer', parseSessionPointer, [['slashes', repeated('/', ['irma://qr/json/', ''])]])
all('a pointer of a chain', u => readSessionPointer({ u, svcqr: 'disclosing' }), [
  ['slashes', repeated('/', ['https://a.example', 'a'])],
  ['slashes at its end', repeated('/', ['https://a.example', ''])],
])
all('an address', withoutSlashesAtEnd, [
  ['slashes', repeated('/', ['', 'a'])],
  ['slashes at its end', repeated('/')],
])
all('an error message', inOneLine, [
  ['spaces', repeated(' ', ['', 'x'])],
  ['line ends', repeated('\n', ['', 'x'])],
])

/** A text that arrives byte by byte, as a server may send it. */
async function* byteByByte(text: string): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte)
}

for (const [what, end] of [
  ['LF', '\n'],
  ['CR', '\r'],
] as const)
  Texts(
    `an event stream in one piece: the time for lines that end in ${what} is linear in their number`,
    () =>
      assertLinear(repeated(end), async text => {
        const piece = ReadableStream.from([Buffer.from(text)])
        for await (const _ of eventsIn(piece, text.length)) assert.unreachable('expected no event')
      }),
  )

for (const [what, hostile] of [
  ['a line', repeated('a', ['', '\n\n'])],
  ['an event of many lines', repeated('data:a\n')],
] as const)
  Texts(`an event stream byte by byte: the time for ${what} is linear in their number`, async () => {
    const clock = createSystemClock()
    await assertLinear(hostile, async text => {
      const headers = { 'Content-Type': 'text/event-stream' }
      const send: typeof fetch = async () => new Response(ReadableStream.from(byteByByte(text)), { headers })
      const events = createEventSource({ fetch: send, clock })(
        'https://a.example',
        new AbortController().signal,
      )
      for await (const _ of events) assert.unreachable('expected no event')
    })
  })

Texts.run()
